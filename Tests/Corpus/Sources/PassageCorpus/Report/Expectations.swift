internal import Foundation

/// What is known about a corpus beforehand: its exceptions, each with its reason, and the migrations
/// that need more than inference.
struct Expectations {
  /// Something that does not hold, and why it need not.
  struct Exception: Codable {
    var check: Check
    /// The file's path below the corpus, with `:` and the part that is meant.
    var item: String
    /// A part of the finding's text, so that no other finding hides behind the exception.
    var says: String
    var reason: String
  }

  var exceptions: [Exception]
  var migrations: [MigrationCase]

  /// Nothing is known.
  init() {
    exceptions = []
    migrations = []
  }

  /// Reads a folder with `Exceptions.json` and `Migrations.json`.
  init(folder: String) throws {
    func read<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      return try JSONDecoder().decode(type, from: data)
    }
    exceptions = try read("Exceptions.json", as: [Exception].self)
    migrations = try read("Migrations.json", as: [MigrationCase].self)
  }
}
