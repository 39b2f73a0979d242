internal import PassagePlatform
internal import PassageSQLite

/// Leaves a store as a killed program does: the last changes are only in the log.
struct LogKeeper {
  let path: String

  /// Copies the main file and the log, closes the connection, and restores the copies: closing the
  /// last connection would move the log into the main file.
  func keep(closing connection: Connection) throws {
    let files = FileManager.default
    let kept = [path, path + "-wal"].filter { files.fileExists(atPath: $0) }
    for file in kept { try files.copyItem(atPath: file, toPath: file + ".kept") }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    for file in kept {
      if files.fileExists(atPath: file) { try files.removeItem(atPath: file) }
      try files.moveItem(atPath: file + ".kept", toPath: file)
    }
    // The connection still has the old main file open, but never writes again.
    try connection.execute("PRAGMA query_only = ON")
  }
}
