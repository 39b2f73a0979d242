internal import PassageFiles
internal import PassageSQLite

extension StoreUnit {
  /// Which of the files that SQLite makes for a store in WAL mode are beside it.
  struct Sidecars: Sendable, Hashable {
    var hasLog: Bool
    var hasIndex: Bool
  }

  var sidecars: Sidecars {
    Sidecars(
      hasLog: (try? FileSystem.status(walPath)) != nil,
      hasIndex: (try? FileSystem.status(sharedMemoryPath)) != nil)
  }

  /// Removes what reading the store has made beside it. Failing is no harm: sidecars that stay are
  /// valid, and caches.
  func tidy(since before: Sidecars) {
    guard !before.hasIndex else { return }
    if before.hasLog { removeIndex() } else { removeEmptySidecars() }
  }

  /// Takes the empty log and its index away that reading a store in WAL mode has made.
  ///
  /// A reader makes them and, because it may not write, leaves them behind. SQLite removes them
  /// when the last connection that may write is closed, under its own locks: so one is opened and
  /// closed. It writes nothing, since a log that holds anything is left alone.
  func removeEmptySidecars() {
    guard let log = try? FileSystem.status(walPath), log.bytes == 0,
      let connection = try? Connection(path: path, mode: .readWrite, busyTimeout: 0)
    else { return }
    // The first read opens the log.
    _ = try? connection.integer("SELECT count(*) FROM sqlite_master")
  }

  /// Removes the index that was made for a log which stood without one.
  ///
  /// A program that has a store in WAL mode open holds a shared lock on its main file. Under an exclusive one
  /// nobody has it open, so nobody uses the index; this connection keeps its own in memory
  /// (https://www.sqlite.org/wal.html, "Use of WAL Without Shared-Memory"). The log stays as it is.
  private func removeIndex() {
    guard let log = try? FileSystem.status(walPath), log.bytes > 0,
      (try? FileSystem.status(sharedMemoryPath)) != nil,
      let connection = try? Connection(path: path, mode: .readWrite, busyTimeout: 0),
      (try? connection.execute("PRAGMA locking_mode = EXCLUSIVE")) != nil
    else { return }
    connection.keepLogWhenClosed()
    guard (try? connection.integer("SELECT count(*) FROM sqlite_master")) != nil else { return }
    try? FileSystem().remove(sharedMemoryPath)
    withExtendedLifetime(connection) {}
  }
}
