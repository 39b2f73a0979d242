internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Booleans as they are stored in plain tables: 0 and 1, or a few words.
enum TableBoolean {
  static let read = "passage_boolean"

  /// The value of a word, ignoring case; `nil` for any other word.
  static func value(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "1", "t", "true", "y", "yes", "on": true
    case "0", "f", "false", "n", "no", "off": false
    default: nil
    }
  }

  /// Registers a function on a connection that converts a word to 1 or 0, or to NULL.
  static func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(
      SQLFunction(name: read, argumentCount: 1) { arguments in
        arguments.first?.string.flatMap(value).map { .integer($0 ? 1 : 0) } ?? .null
      })
  }
}
