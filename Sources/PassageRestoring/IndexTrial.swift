internal import PassageEngine
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Tries whether SQLite can build the unique indexes of a database again.
///
/// A check does not say so: of rows with equal values it names only those that the index has beside each other,
/// not those that it lacks, and it stops after some findings. So they are built, each in a transaction that is
/// rolled back (https://www.sqlite.org/lang_reindex.html).
struct IndexTrial {
  /// A copy that is put in place or thrown away as a whole: a killed trial leaves a rollback journal beside it.
  let path: String
  let control: RunControl

  /// Whether a unique index forbids values of its table. Indexes that would compute something are not tried, as they
  /// are not checked (``OpenStore/fullCheck(limit:)``).
  ///
  /// - Returns: `nil` when it cannot be tried, as on a full disk.
  /// - Throws: ``Cancellation``.
  /// - Complexity: O(n log n) in the rows of tables with unique indexes.
  func findsEqualValues() throws -> Bool? {
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      control.stopStatements(of: connection)
      try connection.execute("PRAGMA synchronous = OFF")
      let code = try SchemaCode(connection)
      for (table, index) in try uniqueIndexes(on: connection) where !code.computes(inTable: table) {
        if try !canBuild(index, on: connection) { return true }
      }
      return false
    } catch is SQLiteError {
      try control.checkCancellation()
      return nil
    }
  }

  /// The key of a table WITHOUT ROWID is the table itself.
  private func uniqueIndexes(
    on connection: Connection
  ) throws -> [(table: String, index: String)] {
    try connection.rows(
      """
      SELECT m.name, i.name FROM sqlite_master AS m JOIN pragma_index_list(m.name, 'main') AS i
      WHERE m.type = 'table' AND m.rootpage > 0 AND i."unique"
        AND EXISTS (SELECT 1 FROM sqlite_master AS x WHERE x.name = i.name AND x.rootpage > 0)
      """
    ).compactMap { row in
      guard let table = row[0].string, let index = row[1].string else { return nil }
      return (table, index)
    }
  }

  private func canBuild(_ index: String, on connection: Connection) throws -> Bool {
    struct Built: Error {}
    do {
      try connection.transaction {
        // With its schema, the name cannot mean a collation.
        try connection.execute("REINDEX main.\(index.quotedIdentifier)")
        throw Built()
      }
      return true
    } catch is Built {
      return true
    } catch let error as SQLiteError where error.isConstraint {
      return false
    }
  }
}
