internal import PassageExpressions
internal import PassageSQLite
internal import PassageValues

/// What becomes of objects of equal value, and the elements of lists.
extension Journal {
  /// Makes the table of the elements of a mapping.
  ///
  /// - Parameters:
  ///   - table: its name, as in SQL.
  ///   - columns: the columns for the source object, the element and its place.
  func makeElements(table: String, columns: (source: String, element: String, index: String)) throws
  {
    try connection.execute(
      "CREATE TABLE \(table) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, \(columns.source) INTEGER, "
        + "\(columns.element), \(columns.index) INTEGER)")
  }

  /// Associates each object with the one of equal value that is kept.
  ///
  /// - Parameters:
  ///   - associations: the number under which the associations are found.
  ///   - rows: a query for the keys of the objects, `source`, and their values, `c0`.
  ///   - keepsFirst: whether the one with the smallest key is kept.
  ///   - destination: what is added to its key, and the number of the destination entity.
  func associateEqual(
    _ associations: Int, _ rows: SQLFragment, keepsFirst: Bool,
    destination: (offset: Int64, number: Int)
  ) throws {
    try connection.execute(
      "INSERT INTO \(Table.association.name) (mapping, source, destination, entity) "
        + "SELECT \(associations), source, kept + \(destination.offset), \(destination.number) FROM "
        + "(SELECT source, first_value(source) OVER (PARTITION BY c0 ORDER BY source"
        + "\(keepsFirst ? "" : " DESC")) AS kept FROM (\(rows.sql)) WHERE c0 IS NOT NULL) "
        + "WHERE source <> kept ORDER BY source", rows.bindings)
  }

  /// What notes where in the list of a source object the element was of which a destination object was made: the
  /// parameters are both keys and the place. Of an element that is in a list twice, the first place counts.
  func elementPlaces(of mapping: Int) throws -> Statement {
    try connection.prepare(
      "INSERT OR IGNORE INTO \(Table.elementPlace.name) (mapping, source, destination, place) "
        + "VALUES (\(mapping), ?, ?, ?)")
  }

  /// Removes the associations that were found under a number.
  func removeAssociations(_ associations: Int) throws {
    try connection.execute(
      "DELETE FROM \(Table.association.name) WHERE mapping = ?", [.integer(Int64(associations))])
  }

  /// Records the combined values of objects that several source objects became.
  ///
  /// - Parameters:
  ///   - mapping: the mapping's index.
  ///   - position: the position of the combination.
  ///   - rows: a query for the keys of the objects and their values.
  func setCombined(_ mapping: Int, position: Int, _ rows: String) throws {
    try connection.execute(
      "INSERT INTO \(Table.combined.name) (mapping, position, destination, value) "
        + "SELECT \(mapping), \(position), object, value FROM (\(rows))")
  }
}
