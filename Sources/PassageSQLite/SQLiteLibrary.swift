internal import CSQLite

/// The SQLite that the program was linked with.
package enum SQLiteLibrary {
  /// Its version, such as `3.40.1`. `sqlite3_libversion()`.
  package static var version: String {
    sqlite3_libversion().map { String(cString: $0) } ?? "unknown"
  }
}
