internal import CSQLite

/// The SQLite that the program was linked with.
package enum SQLiteLibrary {
  /// Its version, such as `3.40.1`. `sqlite3_libversion()`.
  package static var version: String {
    sqlite3_libversion().map { String(cString: $0) } ?? "unknown"
  }

  /// Turns off the statistics of SQLite's memory, for which every request of every thread takes one
  /// lock. `SQLITE_CONFIG_MEMSTATUS`.
  ///
  /// Only a program may do that, and only before its first connection; later it has no effect.
  package static func disableMemoryStatistics() { _ = passage_sqlite3_disable_memory_statistics() }
}
