package import PassageSQLite
internal import PassageValues

extension StoreFile {
  /// Opens a connection with a read transaction to a database of any kind, and returns the mode
  /// that further connections must use. When it is closed, it leaves the folder as it was.
  package static func connect(
    _ path: String
  ) throws(StoreError) -> (connection: Connection, mode: Connection.Mode) {
    let (header, mode) = try mode(of: path)
    let unit = StoreUnit(path: path)
    if let table = CrowdedTable(inPagesOf: unit, readsLog: header.isWAL && mode != .immutable) {
      throw table.error(path: path)
    }
    let before = unit.sidecars
    do {
      let connection = try Connection(path: path, mode: mode, limits: .foreign(unit: unit))
      // This is set before anything is read, so that files created beside a damaged file are
      // removed too.
      if header.isWAL, mode == .readOnly, !before.hasIndex {
        connection.afterClose = { unit.tidy(since: before) }
      }
      try connection.execute("BEGIN")
      // A schema that never ends is damage, and so is one in which tables share their rows.
      let roots = try connection.rows(
        "SELECT count(rootpage), count(DISTINCT rootpage) FROM sqlite_master WHERE rootpage > 0")
      guard roots.allSatisfy({ $0[0] == $0[1] }) else {
        throw StoreError(.damaged, path: path, detail: SchemaFacts.sharedRoot)
      }
      let indexes = try connection.rows("SELECT tbl_name FROM sqlite_master WHERE type = 'index'")
      if let table = CrowdedTable(ofIndexes: indexes.compactMap { $0[0].string }) {
        throw table.error(path: path)
      }
      return (connection, mode)
    } catch let error as SQLiteError {
      throw StoreError(opening: unit, error)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.failed, path: path, detail: "\(error)")
    }
  }
}
