internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Keys of rows that are added behind the last row of a table.
///
/// SQLite looks for each key that it is given, and not for one that it chooses: the largest one and one
/// more. So a key that is just that is left to it. It cannot be another one: the key inserted last is the
/// table's largest, because ``begin(in:before:on:)`` has seen that it is, and a key that is not larger
/// ends the statement.
enum AppendedKeys {
  private static let functionName = "passage_disorder"

  /// A key came that is not larger than the one before.
  private struct Disorder: Error {}

  /// Registers the function that ends a statement.
  static func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(
      SQLFunction(name: functionName, argumentCount: 0, isDeterministic: false) { _ in
        throw Disorder()
      })
  }

  /// The key of a row, or NULL for SQLite's choice.
  ///
  /// - Parameter key: the key in SQL.
  static func sql(of key: String) -> String {
    "CASE WHEN \(key) IS NOT last_insert_rowid() + 1 THEN CASE WHEN \(key) > last_insert_rowid() "
      + "THEN \(key) ELSE \(functionName)() END END"
  }

  /// Called before each statement whose rows have such keys.
  ///
  /// - Parameters:
  ///   - table: a table of ``StoreLayout``.
  ///   - first: no key is smaller.
  /// - Returns: false when the rows cannot be added behind the last one.
  static func begin(
    in table: String, before first: Int64, on connection: Connection
  ) throws -> Bool {
    // SQLite chooses 1 for a table without rows.
    let largest =
      try connection.value("SELECT max(Z_PK) FROM main.\(table.quotedIdentifier)")?.integer ?? 0
    guard first > largest else { return false }
    connection.setLastKey(largest)
    return true
  }
}
