internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Writes pairs of related objects where the destination stores them: in a foreign key on either
/// side or in a join table.
struct LinkWriter {
  private let connection: Connection

  init(connection: Connection) { self.connection = connection }

  private var patch: RowPatch { RowPatch(connection: connection) }

  /// Writes every pair of a query with the columns of ``LinkQuery``.
  ///
  /// - Parameters:
  ///   - storage: where the owner's entity stores the relationship.
  ///   - ownerTable: the owner's table.
  ///   - isSorted: whether the relationship is sorted here, or its other side was written before. Then the places
  ///     hold for pairs that were written from the other side too.
  ///   - isOneWay: whether pairs of a relationship that is its own inverse may be found in one direction only.
  ///     Then they are written in the other too.
  ///   - isContested: whether other mappings may have put related objects into the lists of other owners.
  ///   - namesMapping: whether the relationship leads to what one entity mapping makes.
  ///   - what: the name of the relationship for messages.
  /// - Throws: `RUN-023` when a to-one relationship would lead to several objects.
  func write(
    _ query: String, storage: RelationshipStorage, ownerTable: String, isSorted: Bool = false,
    isOneWay: Bool = false, isContested: Bool = false, namesMapping: Bool = false, what: String
  ) throws {
    switch storage {
    case .foreignKey(let column, let entityColumn, let orderColumn):
      try writeKeys(
        "SELECT owner, target, target_entity, owner_place FROM (\(query))", table: ownerTable,
        column, entityColumn, orderColumn
      ) { count in
        (
          "\(what) is to-one, but \(count) objects were found",
          namesMapping
            ? "let the entity mapping that it names make one object of each source object, or make the "
              + "relationship to-many"
            : "name the entity mapping whose object is meant, with "
              + "destinationInstancesForEntityMappingNamed:sourceInstances:"
        )
      }
    case .inverseForeignKey(let table, let column, let entityColumn, let orderColumn):
      try writeKeys(
        "SELECT target, owner, owner_entity, place FROM (\(query))", table: table, column,
        entityColumn, orderColumn, isContested: isContested
      ) { count in
        (
          "one object can be in \(what) of one object only, but it is in that of \(count)",
          "give the relationship an inverse that is to-many, or filter out all but one of them"
        )
      }
    case .joinTable(let table, let this, let other, let order):
      var columns = [(this, "owner"), (other, "target")]
      if let order { columns.append((order, "place")) }
      let otherOrder =
        table.owner.column == this ? table.other.orderColumn : table.owner.orderColumn
      if let otherOrder, !table.isSelfInverse { columns.append((otherOrder, "owner_place")) }
      let leading = table.columns.first == this ? "owner, target" : "target, owner"
      let sorted = isSorted ? order : nil
      // A pair may be found twice; its first place counts.
      let cells = columns.map { sorted != nil && $0.1.hasSuffix("place") ? "min(\($0.1))" : $0.1 }
      try QueryRows(
        of: SQLFragment(
          "SELECT \(cells.joined(separator: ", ")) FROM (\(query)) "
            + (sorted == nil ? "" : "GROUP BY \(leading) ") + "ORDER BY \(leading)", []),
        into: table.name, columns: columns.map(\.0),
        repetition: sorted.map { .gives(column: $0) } ?? .isLeftOut, on: connection
      ).append()
      if isOneWay, table.isSelfInverse { try writeBack(query, in: table, this, other, order) }
    }
  }

  /// Writes the pairs of a relationship that is its own inverse from their other objects, unless they are there
  /// already.
  private func writeBack(
    _ query: String, in table: JoinTable, _ this: String, _ other: String, _ order: String?
  ) throws {
    var columns = [(this, "target"), (other, "owner")]
    if let order { columns.append((order, "owner_place")) }
    let leading = table.columns.first == this ? "target, owner" : "owner, target"
    try QueryRows(
      of: SQLFragment(
        "SELECT \(columns.map(\.1).joined(separator: ", ")) FROM (\(query)) ORDER BY \(leading)",
        []),
      into: table.name, columns: columns.map(\.0), repetition: .isLeftOut, on: connection
    ).append()
  }

  /// Collects the keys on disk, in the order of the rows that hold them, then changes those rows.
  private func writeKeys(
    _ query: String, table: String, _ column: String, _ entityColumn: String?,
    _ orderColumn: String?, isContested: Bool = false,
    ambiguity: (_ count: Int64) -> (message: String, remedy: String)
  ) throws {
    try connection.execute("DROP TABLE IF EXISTS temp.passage_links")
    try connection.execute(
      "CREATE TEMP TABLE passage_links "
        + "(holder INTEGER PRIMARY KEY, value INTEGER, entity INTEGER, place, others INTEGER)")
    try connection.execute(
      "INSERT INTO temp.passage_links (holder, value, entity, place, others) "
        + "SELECT *, 0 FROM (\(query)) WHERE true "
        + "ON CONFLICT (holder) DO UPDATE SET others = others + 1 WHERE value IS NOT excluded.value"
    )
    var ambiguous = try connection.rows(
      "SELECT holder, others + 1 FROM temp.passage_links WHERE others > 0 ORDER BY holder LIMIT 5")
    if isContested, ambiguous.isEmpty {
      ambiguous = try connection.rows(
        "SELECT l.holder, 2 FROM temp.passage_links AS l JOIN main.\(table.quotedIdentifier) AS t "
          + "ON t.\"Z_PK\" = l.holder WHERE t.\(column.quotedIdentifier) <> l.value "
          + "ORDER BY l.holder LIMIT 1")
    }
    if let first = ambiguous.first {
      let (message, remedy) = ambiguity(first[1].integer ?? 0)
      throw MigrationError(
        .policyFailed,
        Diagnostic(
          "RUN-023", message,
          reason: "the first such object is the one with key \(first[0].integer ?? 0) in \(table)",
          remedy: remedy))
    }
    var cells = [(column: column, sql: "l.value")]
    if let entityColumn { cells.append((entityColumn, "l.entity")) }
    if let orderColumn { cells.append((orderColumn, "l.place")) }
    try patch.set(
      cells, in: table, from: "temp.passage_links AS l",
      where: "main.\(table.quotedIdentifier).\"Z_PK\" = l.holder")
    try connection.execute("DROP TABLE temp.passage_links")
  }

  /// Removes the default links of objects whose relationship a policy decided.
  ///
  /// - Parameter owners: a query with one column, the owners' keys.
  func clear(
    owners: String, storage: RelationshipStorage, ownerTable: String
  ) throws {
    switch storage {
    case .foreignKey(let column, let entityColumn, let orderColumn):
      try patch.empty(
        [column, entityColumn, orderColumn], in: ownerTable, where: "Z_PK IN (\(owners))")
    case .inverseForeignKey(let table, let column, let entityColumn, let orderColumn):
      try patch.empty(
        [column, entityColumn, orderColumn], in: table,
        where: "\(column.quotedIdentifier) IN (\(owners))")
    case .joinTable(let table, let this, let other, _):
      let columns = table.isSelfInverse ? [this, other] : [this]
      try patch.remove(
        from: table.name,
        where: columns.map { "\($0.quotedIdentifier) IN (\(owners))" }.joined(separator: " OR "))
    }
  }
}
