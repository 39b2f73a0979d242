internal import PassageSQLite

extension StoreUnit {
  /// Whether a log or its index stands beside the store.
  var hasSharedSidecars: Bool {
    [walPath, sharedMemoryPath].contains { (try? FileSystem.status($0)) != nil }
  }

  /// Takes the empty log and its index away that reading a store in WAL mode has made.
  ///
  /// A reader makes them and, because it may not write, leaves them behind. SQLite takes them away
  /// when the last connection that may write is closed, under its own locks: so one is opened and
  /// closed. It writes nothing, since a log that holds anything is left alone.
  func removeEmptySidecars() {
    guard let log = try? FileSystem.status(walPath), log.bytes == 0,
      let connection = try? Connection(path: path, mode: .readWrite, busyTimeout: 0)
    else { return }
    // The first read opens the log.
    _ = try? connection.integer("SELECT count(*) FROM sqlite_master")
  }
}
