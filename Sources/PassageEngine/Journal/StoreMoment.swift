internal import PassageSQLite
internal import PassageValues

/// The last transaction of a pass store, as a number that both the store and the journal have.
///
/// A transaction over the two files is one step, whatever happens to the process. But whoever copies a
/// work folder while it is written, or puts one file of it back, has files of several moments. Each would
/// be sound by itself, and what one of them lacks would be missing from the result.
///
/// The number is chance, so that files of two runs do not agree either. The store has it in a field of its
/// header that SQLite leaves to applications (`PRAGMA user_version`).
enum StoreMoment {
  private static let name = "moment"
  private static let schema = Journal.Table.state.name

  /// Gives both files a new number with each transaction of a connection.
  ///
  /// - Parameters:
  ///   - connection: to the pass store, with the journal attached.
  ///   - pass: the pass whose store it is.
  static func stampCommits(of connection: Connection, pass: Int) {
    connection.beforeCommit = { [weak connection] () throws(SQLiteError) in
      guard let connection else { return }
      try set(random(), on: connection, pass: pass)
    }
  }

  /// Ends the stamping, inside a transaction. The store gets the number that its application has given to it.
  static func end(of connection: Connection, pass: Int, userVersion: Int64) throws {
    guard connection.beforeCommit != nil else { return }
    connection.beforeCommit = nil
    try set(Int32(truncatingIfNeeded: userVersion), on: connection, pass: pass)
  }

  /// A number for a store whose pages are written without SQLite.
  static func random() -> Int32 { .random(in: 1...Int32.max) }

  /// Records the number of such a store.
  ///
  /// - Parameter journal: for the entries of the pass.
  static func record(_ number: Int32, in journal: Journal) throws {
    try journal.setState(name, .integer(Int64(number)))
  }

  /// Whether a pass store is of the moment of the journal.
  ///
  /// - Parameters:
  ///   - path: of a file that is not empty. A transaction that was interrupted is rolled back.
  ///   - journal: for the entries of the pass.
  static func isShared(byStoreAt path: String, _ journal: Journal) throws -> Bool {
    let recorded = try journal.state(name)?.integer ?? 0
    do throws(SQLiteError) {
      let connection = try Connection(path: path, mode: .readWrite, isSynced: false)
      return try connection.integer("PRAGMA main.user_version") == recorded
    } catch {
      guard error.isDamage else { throw error }
      return false
    }
  }

  private static func set(
    _ number: Int32, on connection: Connection, pass: Int
  ) throws(SQLiteError) {
    try connection.execute("PRAGMA main.user_version = \(number)")
    try connection.execute(
      "INSERT OR REPLACE INTO \(schema) (pass, name, value) VALUES (?, ?, ?)",
      [.integer(Int64(pass)), .text(name), .integer(Int64(number))])
  }
}
