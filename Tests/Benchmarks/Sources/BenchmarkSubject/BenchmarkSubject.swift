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
    case ("status", 3): try status(model: arguments[1], path: arguments[2])
    case ("migrate", 4...):
      try await migrate(
        folder: arguments[1], from: arguments[2], to: arguments[3],
        batchRows: arguments.dropFirst(4).first.flatMap { Int($0) })
    default: throw Refusal("tables|finish|status MODEL STORE, or migrate FOLDER SOURCE DESTINATION")
    }
  }

  /// A store with its tables and nothing in them.
  private static func makeTables(model: String, path: String) throws {
    try StoreBuilder(path: path, layout: StoreLayout(model: readModel(model))).createTables()
  }

  /// Indexes, keys and metadata of a store whose rows are written.
  private static func finish(model path: String, path store: String) throws {
    let model = try readModel(path)
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

  private static func status(model: String, path: String) throws {
    let model = try readModel(model)
    let hashes = try StoreMetadata.read(path: path).versionHashes
    guard Compatibility(recordedHashes: hashes, model: model).isCompatible else {
      throw Refusal("the store is not compatible with \(model.name)")
    }
    print(PeakMemory.line)
  }

  private static func migrate(
    folder: String, from source: String, to destination: String, batchRows: Int?
  ) async throws {
    var options = MigrationOptions()
    if let batchRows { options.limits.batch.rows = batchRows }
    let manager = try MigrationManager(
      source: readModel("\(folder)/Source.json"),
      destination: readModel("\(folder)/Destination.json"),
      policies: [
        CopyPolicy.self, EveryHookPolicy.self, PrintedDatePolicy.self, SharedPlacePolicy.self,
      ])
    let migration = try manager.migrate(
      storeAt: URL(fileURLWithPath: source), to: URL(fileURLWithPath: destination),
      mappings: readMappings(folder), options: options)
    _ = try await migration.value
    print(PeakMemory.line)
  }

  /// The mapping models of a scenario: `Mapping.json`, or `Mapping1.json`, `Mapping2.json` … in
  /// order.
  private static func readMappings(_ folder: String) throws -> [MappingModel] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try names.filter { $0.hasPrefix("Mapping") && $0.hasSuffix(".json") }.map {
      try MappingDocument.decode(read("\(folder)/\($0)"), file: "\(folder)/\($0)")
    }
  }

  private static func readModel(_ path: String) throws -> Model {
    try ModelDocument.decode(read(path), file: path)
  }

  private static func read(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

/// A wrong call of the subject.
struct Refusal: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
