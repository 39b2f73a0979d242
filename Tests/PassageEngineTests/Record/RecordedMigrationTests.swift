import Passage
import PassageEngine
import PassageSQLite
import PassageStores
import PassageTesting
import Testing

/// What a store that Passage made says of the migrations that made it.
@Suite struct RecordedMigrationTests {
  /// Writes the present into each object.
  struct Stamp: MigrationPolicy {
    static let revision = "1"
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      var car = try context.defaultDestination(for: source)
      try car.set("age", to: .integer(Int64((context.now * 1_000).rounded())))
      try context.insert(car, for: source)
    }
  }

  @Test func `a store says what made it, the same in every lane and batch`() throws {
    let trial = try Safety.trial()
    let uuid = try StoreMetadata.read(path: trial.sourcePath).storeUUID
    var digests: Set<String> = []
    for (number, options) in Trial.ways.enumerated() {
      try trial.run(to: "\(number).sqlite", options: options)
      let ledger = try AnsweredCallTests.record(trial, "\(number).sqlite")
      #expect(ledger.migrations.count == 1)
      let record = try #require(ledger.migrations.first)
      #expect(record.storeUUID == uuid)
      #expect(record.toolVersion == PassageVersion.current)
      let step = try #require(record.steps.first)
      #expect((step.source, step.destination) == ("1", "2"))
      #expect(step.sourceChecksum == Safety.source.versionChecksum)
      #expect(step.destinationChecksum == Safety.destination.versionChecksum)
      #expect(step.mappings == ["Cars", "People"])
      #expect(step.inferred.isEmpty)
      #expect(step.counts.read == 11)
      #expect(step.counts.filtered == 1)
      #expect(step.counts.migrated == 10)
      #expect(step.counts.made == 10)
      digests.insert(record.digest)
    }
    #expect(digests.count == 1)
  }

  @Test func `the record is a ledger over three migrations, and foreign entries are kept`() throws {
    var trial = try InterruptionTests.chain()
    let all = trial.mappings
    let fourth = Model("4", [Entity("Person", [.text("label")])])
    let third = trial.destination
    try TestStore.change(trial.sourcePath, metadata: { $0 + MetadataTests.values })
    let models = ["1": Safety.source, "2": Safety.destination, "3": third, "4": fourth]
    let last = try mapping(
      #"""
      {"type": "copy", "source": "Person", "destination": "Person"},
      {"type": "remove", "source": "Car"}
      """#, named: "Last", from: "3", to: "4")
    for mappings in [Array(all.prefix(2)), [all[2]], [last]] {
      let migration = StoreMigration(
        storePath: trial.sourcePath, destination: .inPlace, source: nil, destinationModel: nil,
        models: models, mappings: mappings, policies: PolicyRegistry(), options: MigrationOptions())
      _ = try migration.run(control: RunControl())
      trial.mappings = mappings
    }
    let metadata = try StoreMetadata.read(path: trial.sourcePath)
    #expect(metadata.appMembers == MetadataTests.values)
    let ledger = metadata.migrationLedger
    #expect(ledger.migrations.count == 3)
    #expect(ledger.steps.map(\.source) == ["1", "2", "3"])
    #expect(ledger.steps.map(\.destination) == ["2", "3", "4"])
    #expect(ledger.steps.map(\.counts.read) == [11, 10, 10])
    #expect(ledger.steps.map(\.counts.removed) == [0, 0, 6])
    #expect(ledger.leads(to: fourth.versionHashes))
    #expect(!ledger.isDamaged)
  }

  @Test func `the time of the record is the present of the migration, also when it is continued`()
    throws
  {
    var trial = try Safety.trial()
    trial.mappings[0] = try mapping(
      #"{"type": "custom", "source": "Car", "destination": "Car", "policy": {"name": "Stamp"}}"#,
      named: "Cars")
    trial.policies = [Stamp.self]
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    _ = try trial.failure(options: options, control: StoppingControl(after: 8).control)
    try trial.run(options: options)
    let seconds = try #require(AnsweredCallTests.record(trial).migrations.first?.seconds)
    let contents = try StoreContents(
      path: trial.directory.path("new.sqlite"), model: Safety.destination)
    let ages = Set(contents["Car"].map { $0["age"] })
    #expect(ages.count == 1)
    #expect(ages.first?.integer == Int64((seconds * 1_000).rounded()))
  }

  @Test(arguments: [
    PropertyList.string("x"), .array([]), .dictionary([PropertyList.Member("format", .integer(9))]),
  ])
  func `a record that cannot be read is reported, and a new one begins`(list: PropertyList) throws {
    let trial = try Safety.trial()
    try TestStore.change(
      trial.sourcePath, metadata: { $0 + [PropertyList.Member(MigrationLedger.key, list)] })
    let report = try trial.run()
    #expect(report.warnings.all.map(\.code) == ["RUN-073"])
    let ledger = try AnsweredCallTests.record(trial)
    #expect(ledger.migrations.count == 1)
    #expect(!ledger.isDamaged)
    #expect(try trial.run().outcome == .upToDate)
  }

  @Test func `a record proves nothing about a store of another version`() throws {
    // The source claims to have been made by the very call.
    let trial = try Safety.trial()
    try trial.run()
    let ledger = try AnsweredCallTests.record(trial)
    try TestStore.change(
      trial.sourcePath,
      metadata: { $0 + [PropertyList.Member(MigrationLedger.key, ledger.propertyList)] })
    let report = try trial.run(to: "again.sqlite")
    #expect(report.outcome == .migrated)
    #expect(try AnsweredCallTests.record(trial, "again.sqlite").migrations.count == 2)
  }

  /// Everything that decides the result, one change each.
  static let changes: [(String, @Sendable (inout Trial, inout MigrationOptions) throws -> Void)] = [
    (
      "user info of a model",
      { trial, _ in
        trial.destination = Safety.changed(Safety.destination) { $0.userInfo = ["a": "b"] }
      }
    ),
    (
      "a renaming identifier",
      { trial, _ in
        trial.destination = Safety.changed(Safety.destination) { $0.renamingIdentifier = "Old" }
      }
    ),
    (
      "a default",
      { trial, _ in
        trial.destination = Safety.changed(Safety.destination) {
          for index in $0.attributes.indices where $0.attributes[index].type == .integer64 {
            $0.attributes[index].defaultValue = 5
          }
        }
      }
    ),
    (
      "a variable",
      { trial, _ in
        for index in trial.mappings.indices { trial.mappings[index].variables = ["x": 1] }
      }
    ),
    ("the order", { trial, _ in trial.mappings.reverse() }),
    ("an option", { _, options in options.companions.missingFiles = .drop }),
    ("history", { _, options in options.companions.history = .leaveOut }),
    (
      "what nil means",
      { trial, _ in trial.mappings[0].nullSemantics = .coreDataSQL }
    ),
  ]

  /// Digests as stores keep them that were made before: another one would say that such a store was made
  /// by something else.
  @Test(arguments: [
    ("", "8234b3578047219b0f3b1f20e291d58d4005f09e9ca50260cf2676462dd452a7"),
    ("history", "bfa7a30b8b8feb2c78fb91dd5a53e68e5558539d3c13ee987c3b196281dcd1f4"),
    ("missing files", "2449d504ccaae7f3d14cc6714849e9f727f1cffd89130ce9904289ab1c77d220"),
    ("lane", "8234b3578047219b0f3b1f20e291d58d4005f09e9ca50260cf2676462dd452a7"),
  ])
  func `the digests of what was recorded stay`(what: String, digest: String) throws {
    let trial = try Safety.trial()
    var options = MigrationOptions()
    switch what {
    case "history": options.companions.history = .leaveOut
    case "missing files": options.companions.missingFiles = .drop
    case "lane": options.lane = .row
    default: break
    }
    try trial.run(options: options)
    let found = try AnsweredCallTests.record(trial).steps[0].digest
    #expect(found == digest)
  }

  @Test(arguments: changes.map(\.0))
  func `whatever decides the result is part of the digest`(what: String) throws {
    let change = try #require(Self.changes.first { $0.0 == what }).1
    var trial = try Safety.trial()
    try trial.run()
    var options = MigrationOptions()
    try change(&trial, &options)
    #expect(try trial.failure(options: options).codes == ["RUN-070"])
    try trial.run(to: "other.sqlite", options: options)
    let (first, other) = (
      try AnsweredCallTests.record(trial), try AnsweredCallTests.record(trial, "other.sqlite")
    )
    #expect(first.steps[0].digest != other.steps[0].digest)
  }
}

extension Safety {
  /// The model with every entity changed.
  static func changed(_ model: Model, _ change: (inout Entity) -> Void) -> Model {
    Model(
      name: model.name, versionIdentifiers: model.versionIdentifiers,
      entities: model.entities.map { entity in
        var entity = entity
        change(&entity)
        return entity
      })
  }
}

extension TestStore {
  /// Changes a finished store with SQL.
  static func change(_ path: String, _ sql: String) throws {
    try Connection(path: path, mode: .readWrite).execute(
      sql + "; PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Changes the entries of a finished store's metadata.
  static func change(
    _ path: String, metadata change: ([PropertyList.Member]) -> [PropertyList.Member]
  ) throws {
    let found = try StoreMetadata.read(path: path)
    let changed = StoreMetadata(storeUUID: found.storeUUID, members: change(found.members))
    let hex = changed.propertyListBytes.map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }.joined()
    try self.change(path, "UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
  }
}
