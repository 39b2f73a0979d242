package import PassageSQLite

/// Two numbers in the header of a database that SQLite keeps for programs. Core Data writes 0 for both.
package struct ApplicationMarks: Sendable, Hashable {
  /// `PRAGMA user_version`
  package let userVersion: Int64
  /// `PRAGMA application_id`
  package let applicationID: Int64

  /// Whether a program has set one.
  package var isAny: Bool { userVersion != 0 || applicationID != 0 }

  /// Writes them into another database, inside the transaction that the connection has or in one of its own.
  package func write(_ connection: Connection) throws(SQLiteError) {
    guard isAny else { return }
    try connection.execute("PRAGMA main.user_version = \(userVersion)")
    try connection.execute("PRAGMA main.application_id = \(applicationID)")
  }
}

extension OpenStore {
  /// The numbers of the store. The header of the file may be older than the store's log.
  package func applicationMarks() throws(SQLiteError) -> ApplicationMarks {
    if restingPages != nil {
      return ApplicationMarks(
        userVersion: Int64(header.userVersion), applicationID: Int64(header.applicationID))
    }
    return try ApplicationMarks(
      userVersion: connection.integer("PRAGMA main.user_version"),
      applicationID: connection.integer("PRAGMA main.application_id"))
  }
}
