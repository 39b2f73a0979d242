internal import Foundation
internal import Passage

/// The library as a process of its own: makes the stores of the benchmarks and migrates them.
@main
struct BenchmarkSubject {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("tables", 3): try makeTables(model: arguments[1], path: arguments[2])
    case ("finish", 3): try finish(model: arguments[1], path: arguments[2])
    case ("migrate", _): try await MigrationCall(Array(arguments.dropFirst())).run()
    default: throw Refusal("tables|finish MODEL STORE, or migrate FOLDER SOURCE DESTINATION")
    }
  }

  /// A store with its tables and nothing in them.
  private static func makeTables(model: String, path: String) throws {
    try StoreBuilder(path: path, layout: StoreLayout(model: Documents.model(model))).createTables()
  }

  /// Indexes, keys and metadata of a store whose rows are written.
  private static func finish(model path: String, path store: String) throws {
    let model = try Documents.model(path)
    let layout = StoreLayout(model: model)
    let builder = try StoreBuilder(path: store, layout: layout)
    try builder.createIndexes()
    try builder.writeMetadata(
      StoreMetadata(
        storeUUID: UUID().uuidString, hashes: ModelHashes(model: model), versionIdentifiers: []))
    var largestKeys: [String: Int64] = [:]
    do {
      let open = try StoreFile.open(path: store)
      for table in layout.tables {
        largestKeys[table.rootEntityName] = try open.largestKey(table: table.name)
      }
    }
    try builder.writePrimaryKeys(largestKeys)
    try builder.finish(journalMode: .wal)
  }
}

/// A wrong call of the subject.
struct Refusal: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
