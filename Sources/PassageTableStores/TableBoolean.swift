internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Truth values as people keep them in tables: 0 and 1, or one of a few words.
enum TableBoolean {
  static let readDate = "passage_boolean"

  /// What a word says, in capitals or small letters; `nil` for any other word.
  static func value(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "1", "t", "true", "y", "yes", "on": true
    case "0", "f", "false", "n", "no", "off": false
    default: nil
    }
  }

  /// Makes the function that reads a word as 1 or 0, or as NULL, known to statements of a connection.
  static func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(
      SQLFunction(name: readDate, argumentCount: 1) { arguments in
        arguments.first?.string.flatMap(value).map { .integer($0 ? 1 : 0) } ?? .null
      })
  }
}
