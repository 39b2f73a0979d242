internal import PassageFiles
internal import PassageSQLite

extension StoreUnit {
  /// Which of the files that SQLite creates for a store in WAL mode exist beside it.
  struct Sidecars: Sendable, Hashable {
    var hasLog: Bool
    var hasIndex: Bool
  }

  var sidecars: Sidecars {
    Sidecars(
      hasLog: (try? FileSystem.status(walPath)) != nil,
      hasIndex: (try? FileSystem.status(sharedMemoryPath)) != nil)
  }

  /// Removes the files that reading the store created beside it. A failure does no harm: the files
  /// are valid, and only caches.
  func tidy(since before: Sidecars) {
    guard !before.hasIndex else { return }
    // Work that was asked to stop tidies up, too.
    StatementWatch.$current.withValue(nil) {
      if before.hasLog { try? removeIndex() } else { removeEmptySidecars() }
    }
  }

  /// Removes the empty log and its index that reading a store in WAL mode created.
  ///
  /// A reader creates them and leaves them behind, because it may not write. SQLite removes them,
  /// under its own locks, when the last connection with write access is closed. Therefore one is
  /// opened and closed here. It writes nothing, since a log with contents is left alone.
  func removeEmptySidecars() {
    for _ in 0..<25 {
      guard let log = try? FileSystem.status(walPath), log.bytes == 0 else { return }
      if (try? openLog()) != nil { return }
      do {
        // On a full disk the log has no index with which it can be opened.
        return try removeIndex(withEmptyLog: true)
      } catch {
        // Another thread has the last files that may be open.
        guard error.isTooManyOpenFiles else { return }
        FileSystem().pause(milliseconds: 20)
      }
    }
  }

  /// Opens the log for writing, and closes it.
  private func openLog() throws(SQLiteError) {
    let connection = try Connection(path: path, mode: .readWrite, busyTimeout: 0)
    // The first read opens the log.
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
  }

  /// Removes an index that was created for a log that had none.
  ///
  /// A program that has a store in WAL mode open holds a shared lock on its main file. Under an
  /// exclusive lock, therefore, nobody else has the store open or uses the index; this connection
  /// keeps its own index in memory (https://www.sqlite.org/wal.html, "Use of WAL Without
  /// Shared-Memory"). A log with contents stays as it is.
  ///
  /// - Parameter withEmptyLog: whether the log was created too, and is removed if it is empty.
  private func removeIndex(withEmptyLog: Bool = false) throws(SQLiteError) {
    let found = sidecars
    guard found.hasLog, found.hasIndex || withEmptyLog else { return }
    let connection = try Connection(path: path, mode: .readWrite, busyTimeout: 0)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.keepLogWhenClosed()
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
    try? FileSystem().remove(sharedMemoryPath)
    if withEmptyLog, (try? FileSystem.status(walPath))?.bytes == 0 {
      try? FileSystem().remove(walPath)
    }
    withExtendedLifetime(connection) {}
  }
}
