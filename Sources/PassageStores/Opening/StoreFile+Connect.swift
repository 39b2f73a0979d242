package import PassageSQLite

extension StoreFile {
  /// Opens a connection with a read transaction to a database of any kind, and returns the mode
  /// that further connections must use. When it is closed, it leaves the folder as it was.
  package static func connect(
    _ path: String
  ) throws(StoreError) -> (connection: Connection, mode: Connection.Mode) {
    let (header, mode) = try mode(of: path)
    let unit = StoreUnit(path: path)
    let before = unit.sidecars
    do {
      let connection = try Connection(path: path, mode: mode, limits: .foreign(unit: unit))
      // This is set before anything is read, so that files created beside a damaged file are
      // removed too.
      if header.isWAL, mode == .readOnly, !before.hasIndex {
        connection.afterClose = { unit.tidy(since: before) }
      }
      try connection.execute("BEGIN")
      _ = try connection.integer("SELECT count(*) FROM sqlite_master")
      return (connection, mode)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
