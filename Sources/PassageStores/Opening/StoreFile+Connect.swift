package import PassageSQLite

extension StoreFile {
  /// A connection inside a read transaction to a database of any kind, and how a further one must be
  /// opened. Closed, it leaves the folder as it was.
  package static func connect(
    _ path: String
  ) throws(StoreError) -> (connection: Connection, mode: Connection.Mode) {
    let (header, mode) = try mode(of: path)
    let unit = StoreUnit(path: path)
    let before = unit.sidecars
    do {
      let connection = try Connection(path: path, mode: mode, limits: .foreign(unit: unit))
      // Set before anything is read: what SQLite made for a damaged file goes away as well.
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
