import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import Synchronization
import Testing

/// A migration whose work fits into memory keeps none of it on disk.
@Suite struct SmallMigrationTests {
  private static func trial() throws -> Trial {
    var trial = try Safety.trial()
    trial.worksInMemory = true
    return trial
  }

  /// What a run does to files, and where: the name of each file.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }
    func count(_ operation: FileSystem.Operation) -> Int {
      all.count { $0.hasPrefix(operation.rawValue + " ") }
    }
    var files: FileSystem {
      FileSystem(willPerform: { [self] operation, path in
        entries.withLock {
          $0.append("\(operation.rawValue) \(path.split(separator: "/").last ?? "")")
        }
      })
    }
  }

  @Test func `the finished store and its name are all that is synced`() throws {
    let log = Log()
    let trial = try Self.trial()
    try trial.run(files: log.files)
    #expect(log.all.filter { $0.hasPrefix("synchronize") }.count == 2)
    #expect(log.all.contains("synchronize finished.sqlite"))
    #expect(log.count(.makeDirectory) == 1)
    // Its pages, its time and its permissions.
    #expect(log.all.filter { $0.hasPrefix("write ") }.count == 3)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
    #expect(try Safety.version(trial.directory.path("new.sqlite")) == "2")
  }

  @Test func `in the folder, a migration of one step syncs nothing before its store is whole`()
    throws
  {
    let log = Log()
    var trial = try Self.trial()
    trial.worksInMemory = false
    try trial.run(files: log.files)
    let synced = log.all.filter { $0.hasPrefix("synchronize ") }
    #expect(synced == ["synchronize store.sqlite"])
  }

  @Test(arguments: [MigrationOptions.Lane.automatic, .set])
  func `one that is stopped leaves nothing, says so, and begins again`(
    lane: MigrationOptions.Lane
  ) throws {
    var trial = try Self.trial()
    trial.lane = lane
    var stops = 0
    for number in 1... {
      let control = StoppingControl(after: number).control
      do {
        try trial.run(control: control)
        break
      } catch let error as MigrationError {
        stops += 1
        #expect(error.kind == .cancelled)
        #expect(error.diskState == "the source is unchanged and nothing was left behind")
        #expect(trial.directory.names == ["old.sqlite"])
      }
    }
    #expect(stops > (lane == .set ? 10 : 5))
    #expect(try Safety.version(trial.directory.path("new.sqlite")) == "2")
  }

  @Test func `work that turns out not to fit continues in the folder`() throws {
    let mappings = [
      try mapping(
        """
        {"type": "copy", "source": "Car", "destination": "Car", "policy": "LargePlatePolicy",
         "attributes": {"age": "3"}}
        """, named: "Cars"),
      try mapping(
        #"{"type": "copy", "source": "Person", "destination": "Person"}"#, named: "People"),
    ]
    var trial = try Trial(
      Safety.source, Safety.destination, mappings, policies: [LargePlatePolicy.self],
      fill: Safety.fill)
    let log = Log()
    let whole = try trial.run(to: "whole.sqlite")
    trial.worksInMemory = true
    var options = MigrationOptions()
    options.limits.workMemoryBytes = 1 << 20
    let report = try trial.run(options: options, files: log.files)
    #expect(log.all.contains { $0.hasSuffix("store.sqlite") })
    #expect(report.steps.flatMap(\.mappings) == whole.steps.flatMap(\.mappings))
    #expect(
      try StoreRows(path: trial.directory.path("new.sqlite")).differences(
        from: StoreRows(path: trial.directory.path("whole.sqlite"))) == [])
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite", "whole.sqlite"])
  }

  /// In memory, SQL makes indexes, and what pages cannot make as a whole.
  @Test(arguments: [(100, false, true), (500, false, true), (500, true, false), (100, true, true)])
  func `a larger migration that would need SQL in memory is done in the folder`(
    persons: Int, isMerging: Bool, staysInMemory: Bool
  ) throws {
    let model = Model("1", [Entity("Person", [.text("name"), .text("letter")])])
    let merge = isMerging ? #""mergeBy": "$source.letter", "# : ""
    var trial = try Trial(
      model, Model("2", [Entity("Person", [.text("name")])]),
      [
        try mapping(
          """
          {"type": "transform", "source": "Person", "destination": "Person", \(merge)"attributes": {"name": {}}}
          """, named: "People")
      ]
    ) { store in
      for number in 0..<persons {
        try store.insert(
          "Person",
          [
            "name": .text(String(repeating: "\(number % 10)", count: 3_500)),
            "letter": .text("\(number % 7)"),
          ])
      }
    }
    trial.worksInMemory = true
    let log = Log()
    try trial.run(files: log.files)
    #expect(log.all.contains { $0.hasSuffix("store.sqlite") } != staysInMemory)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
    trial.worksInMemory = false
    try trial.run(to: "folder.sqlite")
    #expect(
      try StoreRows(path: trial.directory.path("new.sqlite")).differences(
        from: StoreRows(path: trial.directory.path("folder.sqlite"))) == [])
  }

  @Test(arguments: [0, 7, 16, 5_000])
  func `what a run that lost its power left is taken away by the next`(bytes: Int) throws {
    for worksInMemory in [true, false] {
      var trial = try Self.trial()
      trial.worksInMemory = worksInMemory
      let store = try #require(trial.directory.contents("old.sqlite"))
      let folder = trial.directory.path("new.sqlite.passage")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try trial.directory.write([], to: "new.sqlite.passage/lock")
      try trial.directory.write(
        Array(store.prefix(bytes)), to: "new.sqlite.passage/finished.sqlite")
      #expect(try trial.run().outcome == .migrated)
      #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
    }
  }

  /// A run that is killed leaves what is in the folder at that moment.
  @Test func `nothing is ever in the folder but the lock and the finished store`() throws {
    let model = Model(
      "1",
      [
        Entity(
          "Note", [Attribute(name: "data", type: .binary, allowsExternalBinaryDataStorage: true)])
      ])
    let copy = try mapping(
      #"{"type": "copy", "source": "Note", "destination": "Note"}"#, named: "Notes")
    var trial = try Trial(
      model, Model("2", model.entities + [Entity("Other", [.text("x")])]), [copy]
    ) {
      try $0.insert("Note", ["data": .blob([1, 2, 3])])
    }
    trial.worksInMemory = true
    let folder = trial.directory.path("new.sqlite.passage")
    let seen = Mutex<Set<String>>([])
    try trial.run(
      files: FileSystem(willPerform: { _, _ in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        seen.withLock { $0.formUnion(names) }
      }))
    #expect(seen.withLock { $0 } == ["lock", "finished.sqlite"])
  }

  @Test func `a folder with a file that is no store is not taken for one that a run left`() throws {
    let trial = try Self.trial()
    let folder = trial.directory.path("new.sqlite.passage")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try trial.directory.write(Array("my notes".utf8), to: "new.sqlite.passage/finished.sqlite")
    #expect(try trial.failure().codes == ["RUN-050"])
    #expect(trial.directory.contents("new.sqlite.passage/finished.sqlite") != nil)
  }

  @Test func `work that a run left in the folder is continued there`() throws {
    var trial = try Self.trial()
    trial.worksInMemory = false
    _ = try trial.failure(control: StoppingControl(after: 12).control)
    trial.worksInMemory = true
    #expect(try trial.run().wasContinued)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  /// What a run opens and compiles.
  private static func count(_ run: () throws -> Void) rethrows -> StatementCount.Counts {
    let count = StatementCount()
    try StatementCount.$current.withValue(count) { try run() }
    if ProcessInfo.processInfo.environment["PASSAGE_STATEMENTS"] != nil {
      for path in count.counts.connections { print("OPEN", path.replacing("\u{0}", with: "@")) }
      for text in count.counts.statements {
        print("SQL ", text.replacing("\n", with: " ").prefix(150))
      }
    }
    return count.counts
  }

  /// Makes a source look as if nobody had written to it for an hour.
  private static func letRest(_ trial: Trial) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: trial.sourcePath)
  }

  /// The source, the image of an empty store, the store that is made; where the source has been written a
  /// moment ago, a connection to it takes away the index that reading it has made.
  @Test(arguments: [
    (MigrationOptions.Lane.automatic, true, 3, 49), (.automatic, false, 4, 52),
    (.set, false, 11, 181),
  ])
  func `it opens few connections and compiles few statements`(
    lane: MigrationOptions.Lane, isResting: Bool, connections: Int, statements: Int
  ) throws {
    var trial = try Self.trial()
    trial.lane = lane
    if isResting { try Self.letRest(trial) }
    let counts = try Self.count { try trial.run() }
    #expect(counts.connections.count <= connections, "\(counts.connections)")
    #expect(counts.statements.count <= statements)
  }

  @Test func `what a plan needs for every store is made once`() throws {
    let models = Dictionary(
      [Safety.source, Safety.destination].map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one }
    )
    let prepared = try PreparedCall(
      Safety.mappings(), models: models, policies: PolicyRegistry([]), options: MigrationOptions())
    let counts = try (0..<3).map { _ in
      let trial = try Self.trial()
      try Self.letRest(trial)
      return try Self.count {
        let migration = StoreMigration(
          storePath: trial.sourcePath, destination: .file(trial.directory.path("new.sqlite")),
          source: Safety.source, destinationModel: Safety.destination, models: models,
          mappings: trial.mappings, policies: PolicyRegistry([]), options: MigrationOptions(),
          files: FileSystem(), prepared: prepared)
        let outcome = try migration.run(control: RunControl()).outcome
        #expect(outcome == .migrated)
      }
    }
    #expect(counts.map(\.connections.count) == [3, 2, 2])
    #expect(counts[1].statements.count == counts[2].statements.count)
    #expect(counts.map { $0.statements.count { $0.hasPrefix("CREATE TABLE") } } == [5, 0, 0])
  }
}

/// Makes values that are much larger than the source.
private struct LargePlatePolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    var car = try context.defaultDestination(for: source)
    try car.set("plate", to: .text(String(repeating: "large ", count: 100_000)))
    try context.insert(car, for: source)
  }
}
