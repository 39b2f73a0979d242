internal import PassageSQLite
internal import PassageValues

extension OpenStore {
  /// Reads the metadata of a store that nobody has open, and nothing else of it.
  ///
  /// - Returns: `nil` where the table is not an ordinary one without generated columns, so that no
  ///   expression of the file runs: see ``SchemaCode``. Whoever opens the store says what is wrong.
  static func idleMetadata(_ unit: StoreUnit) throws -> StoreMetadata? {
    let connection = try Connection(
      path: unit.path, mode: .immutable, busyTimeout: 0, limits: .foreign(unit: unit))
    guard try hasTable("Z_METADATA", connection) else { return nil }
    // https://www.sqlite.org/pragma.html#pragma_table_xinfo: “hidden” is 2 for a VIRTUAL column and 3
    // for a STORED one.
    let columns = try connection.rows("PRAGMA main.table_xinfo('Z_METADATA')")
    guard columns.allSatisfy({ $0.last == .integer(0) }) else { return nil }
    return try StoreMetadata.read(connection, path: unit.path)
  }
}
