internal import CSQLite
internal import PassageValues
internal import PassagePlatform

extension Connection {
  /// Copies the database page by page, as this connection's read transaction sees it, into an empty
  /// one (https://www.sqlite.org/backup.html).
  ///
  /// The contents of a log are included. An open transaction stays open, so that what is read
  /// through this connection afterwards is what was copied.
  ///
  /// - Parameters:
  ///   - copy: a connection for writing; what its database holds is replaced.
  ///   - isCancelled: called after every few MiB; when it returns true, the copy is incomplete and the call fails with
  ///     `SQLITE_INTERRUPT`.
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
      // The busy handlers of the connections are not asked by this call.
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
    // The backup is of neither connection: the system's number is kept by the thread alone.
    throw SQLiteError(
      code: failed, message: String(cString: sqlite3_errstr(failed)), systemErrorNumber: errno)
  }

  /// Writes the database again, without free pages and in the order of its keys, into another file
  /// (https://www.sqlite.org/lang_vacuum.html, `VACUUM INTO`). The file is not synced.
  ///
  /// - Parameter path: no file, or an empty one.
  package func vacuum(into path: String) throws(SQLiteError) {
    try execute("VACUUM main INTO ?", [.text(Self.uri(path, .create))])
  }

  /// Closing the connection leaves a log as it is, also when it is the last
  /// (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
  package func keepLogWhenClosed() {
    _ = passage_sqlite3_db_config_int(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }
}
