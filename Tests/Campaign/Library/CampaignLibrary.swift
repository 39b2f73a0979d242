import Foundation
import Passage

/// What an app does when it calls the library, as a program that can be attacked:
///
///     campaign-library upgrade STORE MIGRATIONS
///     campaign-library manage STORE DESTINATION PROJECT
///
/// It ends with the status that the command would have.
@main
struct CampaignLibrary {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as MigrationError {
      end(error.kind.rawValue, "error[\(error.diagnostics.all.first?.code ?? "")]: \(error)")
    } catch {
      end(MigrationError.Kind.bug.rawValue, "not a MigrationError: \(error)")
    }
  }

  private static func run(_ arguments: [String]) async throws {
    switch arguments.first {
    case "upgrade" where arguments.count == 3:
      try await upgrade(arguments[1], URL(filePath: arguments[2]))
    case "manage" where arguments.count == 4:
      try await manage(arguments[1], arguments[2], project: arguments[3])
    default:
      end(MigrationError.Kind.wrongCall.rawValue, "upgrade STORE MIGRATIONS, or manage …")
    }
  }

  /// What is called at start-up.
  private static func upgrade(_ store: String, _ migrations: URL) async throws {
    var options = MigrationOptions()
    options.limits.batch.rows = 10
    try await StoreUpgrade(migrations: migrations, policies: [PrintedDatePolicy.self])
      .run(storeAt: URL(filePath: store), options: options)
  }

  /// Every part by hand, page by page, with the work in the folder.
  private static func manage(_ store: String, _ destination: String, project: String) async throws {
    // The mapping models name them by the versions of the project's history.
    var first = try ModelFile.read(path: project + "/Migrations/Library 1.json")
    first.name = "1"
    var second = try ModelFile.read(path: project + "/Migrations/Library 2.json")
    second.name = "2"
    let manager = MigrationManager(
      source: first, destination: second, policies: [PrintedDatePolicy.self])
    let mappings = try ["Shelves", "Classics", "Cards"].map { name in
      let file = project + "/Mappings/\(name).json"
      return try MappingDocument.decode([UInt8](Data(contentsOf: URL(filePath: file))), file: file)
    }
    var options = MigrationOptions()
    options.limits.batch.rows = 10
    options.limits.workMemoryBytes = 0
    options.lane = .page
    let migration = manager.migrate(
      storeAt: URL(filePath: store), to: URL(filePath: destination),
      mappings: mappings, options: options)
    for await _ in migration.progress {}
    _ = try await migration.value
  }

  private static func end(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}

/// Of the name that the mapping models ask for: prints a date's seconds, and makes some objects
/// twice.
struct PrintedDatePolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = [.furtherObjects]

  init(mapping: PolicyMapping) throws {}

  func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var object = try context.defaultDestination(for: source)
    if let date = source["born"]?.date {
      try object.set("printedBorn", to: .text("\(date.timeIntervalSinceReferenceDate)"))
    }
    let second = object
    try context.insert(object, for: source)
    if source.key % 3 == 0 { try context.insert(second, for: source) }
  }
}
