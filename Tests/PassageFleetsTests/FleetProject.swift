import Foundation
import Passage
import PassageFleets
import PassageTesting
import TestSupport

/// A project with two versions and a mapping model without policies, and stores of the first version.
struct FleetProject {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["Migrations", "Mappings", "data"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for name in ["Migrations/Events 1.json", "Migrations/Events 2.json", "Mappings/StepTwo.json"] {
      try folder.copy(Repository.file(name), to: name)
    }
    try folder.write(
      """
      { "versions": [ { "name": "1", "model": "Events 1.json" },
          { "name": "2", "model": "Events 2.json" } ],
        "steps": [ { "from": "1", "to": "2", "mappings": ["StepTwo"] } ] }
      """, to: "Migrations/history.json")
    let store = try TestStore(model: SampleStore.eventsModel, at: path("empty.sqlite"))
    try store.execute(
      "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (1, 1, 1, 61), (2, 1, 1, 122)")
    try store.close()
    for name in ["empty.sqlite-wal", "empty.sqlite-shm"] {
      try? FileManager.default.removeItem(atPath: path(name))
    }
  }

  func path(_ name: String) -> String { folder.path(name) }

  /// Makes stores of two objects, and returns their paths.
  @discardableResult
  func makeStores(_ count: Int, _ start: Int = 1) throws -> [String] {
    try (start..<start + count).map { number in
      let name = "data/\(number).sqlite"
      try folder.copy(path("empty.sqlite"), to: name)
      return path(name)
    }
  }

  /// A store that is none.
  func damage(_ path: String) throws {
    try Data("no store at all".utf8).write(to: URL(fileURLWithPath: path))
  }

  func ways(_ options: MigrationOptions = MigrationOptions()) throws -> FleetWays {
    let project = try Project(
      migrationsDirectory: path("Migrations"), mappingsDirectory: path("Mappings"))
    let search = StepSearch(project: project, version: "2", isInferring: false, options: options)
    return FleetWays(
      project: project, wish: .version(search), policies: PolicyRegistry(), options: options)
  }

  /// Runs and returns how it ended, and the results by the names of files, in the order in which they
  /// came.
  func run(
    _ stores: [String], limits: FleetLimits = FleetLimits(),
    choice: FleetSetup.Choice = FleetSetup.Choice(), places: ResultPlaces = .inPlace,
    ledger: String? = nil, control: RunControl = RunControl(),
    onResult: @escaping @Sendable (FleetResult) -> Void = { _ in }
  ) throws -> (end: FleetRun.End, results: [FleetResult]) {
    let setup = try FleetSetup(
      StoreList(names: StoreNames(stores)), choice, places: places, ways: try ways(),
      limits: limits, ledgerPath: ledger.map { path($0) })
    let results = Collected()
    let end = setup.run(control: control, progress: { _ in }) { result in
      results.append(result)
      onResult(result)
    }
    return (end, results.all)
  }

  /// The version of a store, by its table.
  func version(of path: String) throws -> String? {
    let hashes = try StoreMetadata.read(path: path).versionHashes
    return try Project(
      migrationsDirectory: self.path("Migrations"), mappingsDirectory: self.path("Mappings")
    ).model(withHashes: hashes)?.name
  }

  /// The lines of a ledger.
  func entries(_ name: String) throws -> [LedgerEntry] {
    var reader = try LedgerReader(path(name))
    var entries: [LedgerEntry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return entries
  }
}
