internal import CSQLite
internal import PassagePlatform
internal import PassageValues

extension Connection {
  /// Copies the database page by page, as this connection's read transaction sees it, into an empty
  /// one (https://www.sqlite.org/backup.html).
  ///
  /// The contents of a log are included. An open transaction stays open, so that what this
  /// connection reads afterwards is what was copied.
  ///
  /// - Parameters:
  ///   - copy: a connection for writing; the contents of its database are replaced.
  ///   - isCancelled: called after every few MiB; if it returns `true`, the copy is incomplete and
  ///     the call fails with `SQLITE_INTERRUPT`.
  /// - Complexity: O(n) in the pages; memory does not grow with them.
  package func copyPages(
    to copy: Connection, isCancelled: () -> Bool = { false }
  ) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw copy.error(sqlite3_errcode(copy.handle))
    }
    var code = SQLITE_OK
    var waits = 0
    while code == SQLITE_OK {
      code = sqlite3_backup_step(backup, 1_024)
      // This call does not use the busy handlers of the connections.
      if code == SQLITE_BUSY || code == SQLITE_LOCKED, waits < 100 {
        waits += 1
        sqlite3_sleep(20)
        code = SQLITE_OK
      }
      if code == SQLITE_OK, isCancelled() { code = SQLITE_INTERRUPT }
    }
    let end = sqlite3_backup_finish(backup)
    if code == SQLITE_DONE, end == SQLITE_OK { return }
    let failed = code == SQLITE_DONE ? end : code
    // The backup belongs to neither connection, so the system's error number is only in the
    // thread's `errno`.
    throw SQLiteError(
      code: failed, message: String(cString: sqlite3_errstr(failed)), systemErrorNumber: errno)
  }

  /// Writes a copy of the database, without free pages and in the order of its keys, into another
  /// file (https://www.sqlite.org/lang_vacuum.html, `VACUUM INTO`). The file is not synced.
  ///
  /// - Parameter path: the path of an empty file, or of none.
  package func vacuum(into path: String) throws(SQLiteError) {
    try attaching { () throws(SQLiteError) in
      try execute("VACUUM main INTO ?", [.text(Self.uri(path, .create))])
    }
  }

  /// Makes the connection leave the log unchanged when it is closed, even if it is the last one
  /// (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
  package func keepLogWhenClosed() {
    _ = passage_sqlite3_db_config_int(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }
}
