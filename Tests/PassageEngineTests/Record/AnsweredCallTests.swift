import Foundation
import Passage
import PassageEngine
import PassageStores
import PassageTesting
import Testing

/// “Nothing to do” means that what is recorded answers the call, not that something is there.
@Suite struct AnsweredCallTests {
  static let people = #"{"type": "copy", "source": "Person", "destination": "Person"}"#
  static let cars = #"{"type": "copy", "source": "Car", "destination": "Car"}"#
  static let carsLeftBehind = #"{"type": "remove", "source": "Car"}"#

  /// Cleans up within version 2: a mapping model between two models with equal hashes.
  static func cleaning(_ filter: String = "age == 3 AND plate != 'c1'") throws -> MappingModel {
    try mapping(
      """
      {"type": "copy", "source": "Car", "destination": "Car", "filter": "\(filter)"},
      \(people)
      """, named: "Clean", from: "2", to: "2")
  }

  static func record(_ trial: Trial, _ name: String = "new.sqlite") throws -> MigrationLedger {
    try StoreMetadata.read(path: trial.directory.path(name)).migrationLedger
  }

  static func cars(_ trial: Trial, _ name: String = "new.sqlite") throws -> Int {
    try StoreContents(path: trial.directory.path(name), model: Safety.destination)["Car"].count
  }

  // MARK: To a file

  @Test(arguments: [false, true])
  func `another list of mapping models to the same file is refused, also with a fresh start`(
    isFresh: Bool
  ) throws {
    var trial = try Safety.trial()
    trial.mappings = [try mapping("\(Self.people), \(Self.carsLeftBehind)", named: "StepTwo")]
    try trial.run()
    let before = trial.directory.contents("new.sqlite")
    trial.mappings = try Safety.mappings()
    var options = MigrationOptions()
    options.unfinishedWork = isFresh ? .discard : .continue
    let error = try trial.failure(options: options)
    #expect(error.kind == .wrongCall)
    #expect(error.codes == ["RUN-070"])
    let diagnostic = try #require(error.diagnostics.all.first)
    let reason = try #require(diagnostic.reason)
    #expect(reason.contains("made by “StepTwo” (“1” to “2”, digest "))
    #expect(reason.contains("this call would run “Cars”, “People” (“1” to “2”, digest "))
    #expect(
      diagnostic.remedy?.contains("--output \(trial.directory.path("new-2.sqlite")),") == true)
    #expect(trial.directory.contents("new.sqlite") == before)
    // Both remedies help.
    #expect(try trial.run(to: "new-2.sqlite", options: options).outcome == .migrated)
    #expect(try Self.cars(trial, "new-2.sqlite") == 6)
    try FileManager.default.removeItem(atPath: trial.directory.path("new.sqlite"))
    #expect(try trial.run(options: options).outcome == .migrated)
  }

  @Test func `the plan refuses what a run would refuse`() throws {
    var trial = try Safety.trial()
    try trial.run()
    trial.mappings.reverse()
    let target = MigrationDestination.file(trial.directory.path("new.sqlite"))
    let error = try #require(throws: MigrationError.self) { try trial.migration(to: target).plan() }
    #expect(error.codes == ["RUN-070"])
    trial.mappings.reverse()
    #expect(try trial.migration(to: target).plan().isUpToDate)
  }

  @Test func `a mapping model that was edited is another, whatever its name`() throws {
    var trial = try Safety.trial()
    try trial.run()
    trial.mappings[0] = try mapping(
      """
      {"type": "copy", "source": "Car", "destination": "Car", "attributes": {"age": "4"},
       "filter": "plate != 'c5'"}
      """, named: "Cars")
    #expect(try trial.failure().codes == ["RUN-070"])
  }

  @Test func `how it is carried out makes no difference to what it is`() throws {
    let trial = try Safety.trial()
    try trial.run()
    for options in Trial.ways {
      let report = try trial.run(options: options)
      #expect(report.outcome == .upToDate)
      #expect(report.record?.steps.flatMap(\.mappings) == ["Cars", "People"])
    }
  }

  @Test func `a file that does not say what made it is refused`() throws {
    let trial = try Safety.trial()
    try trial.run()
    try Self.forgetRecord(trial.directory.path("new.sqlite"))
    let error = try trial.failure()
    #expect(error.kind == .wrongCall)
    #expect(error.codes == ["RUN-072"])
  }

  static func forgetRecord(_ path: String) throws {
    let metadata = try StoreMetadata.read(path: path)
    let hex = StoreMetadata(
      storeUUID: metadata.storeUUID,
      members: metadata.members.filter { $0.key != MigrationLedger.key }
    ).propertyListBytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try TestStore.change(path, "UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
  }

  // MARK: In place

  @Test func `the same mapping models again, in place, are answered by the record`() throws {
    let trial = try Safety.trial()
    try trial.runInPlace()
    let before = trial.sourceBytes
    let report = try trial.runInPlace()
    #expect(report.outcome == .upToDate)
    #expect(report.record?.steps.count == 1)
    #expect(report.warnings.all.isEmpty)
    #expect(trial.sourceBytes == before)
  }

  @Test func `other mapping models over a store that some have brought there are refused`() throws {
    var trial = try Safety.trial()
    trial.mappings = [try mapping("\(Self.people), \(Self.carsLeftBehind)", named: "StepTwo")]
    try trial.runInPlace()
    trial.mappings = try Safety.mappings()
    let error = try #require(throws: MigrationError.self) { try trial.runInPlace() }
    #expect(error.codes == ["RUN-070"])
    let remedy = try #require(error.diagnostics.all.first?.remedy)
    let kept = trial.directory.path("old.sqlite.before-1")
    #expect(remedy.contains("--store \(kept) --output \(trial.directory.path("old-2.sqlite"))"))
    let again = StoreMigration(
      storePath: kept, destination: .file(trial.directory.path("old-2.sqlite")), source: nil,
      destinationModel: nil, models: ["1": Safety.source, "2": Safety.destination],
      mappings: trial.mappings, policies: PolicyRegistry(), options: MigrationOptions())
    #expect(try again.run(control: RunControl()).outcome == .migrated)
    #expect(try Self.cars(trial, "old-2.sqlite") == 6)
  }

  @Test func `a store that says nothing is at its version, with a warning`() throws {
    let trial = try Safety.trial()
    try trial.runInPlace()
    try Self.forgetRecord(trial.sourcePath)
    let report = try trial.runInPlace()
    #expect(report.outcome == .upToDate)
    #expect(report.warnings.all.map(\.code) == ["RUN-071"])
    #expect(report.record == nil)
  }

  @Test func `who asks for the version takes whatever made it`() throws {
    var trial = try Safety.trial()
    try trial.runInPlace()
    trial.mappings.reverse()
    var options = MigrationOptions()
    options.isAnsweredByVersion = true
    let report = try trial.runInPlace(options: options)
    #expect(report.outcome == .upToDate)
    #expect(report.warnings.all.isEmpty)
  }

  @Test func `steps that ran one after another answer a call for all of them`() throws {
    var chain = try InterruptionTests.chain()
    let all = chain.mappings
    let (first, last) = (chain.destination, all[2])
    chain.mappings = Array(all.prefix(2))
    let toSecond = StoreMigration(
      storePath: chain.sourcePath, destination: .inPlace, source: nil, destinationModel: nil,
      models: ["1": Safety.source, "2": Safety.destination, "3": first], mappings: chain.mappings,
      policies: PolicyRegistry(), options: MigrationOptions())
    _ = try toSecond.run(control: RunControl())
    chain.mappings = [last]
    let toThird = StoreMigration(
      storePath: chain.sourcePath, destination: .inPlace, source: nil, destinationModel: nil,
      models: ["1": Safety.source, "2": Safety.destination, "3": first], mappings: chain.mappings,
      policies: PolicyRegistry(), options: MigrationOptions())
    _ = try toThird.run(control: RunControl())
    chain.mappings = all
    #expect(try chain.runInPlace().outcome == .upToDate)
    let ledger = try Self.record(chain, "old.sqlite")
    #expect(ledger.migrations.count == 2)
    #expect(ledger.steps.map(\.source) == ["1", "2"])
  }

  // MARK: Between equal hashes

  @Test func `a mapping model between equal hashes runs in place, once`() throws {
    var trial = try Safety.trial()
    try trial.runInPlace()
    trial.mappings = [try Self.cleaning()]
    let migration = Self.second(trial, .inPlace)
    #expect(try !migration.plan().isUpToDate)
    #expect(try migration.run(control: RunControl()).outcome == .migrated)
    #expect(try Self.cars(trial, "old.sqlite") == 5)
    let report = try migration.run(control: RunControl())
    #expect(report.outcome == .upToDate)
    #expect(report.record?.steps.first?.mappings == ["Clean"])
    #expect(try migration.plan().isUpToDate)
    #expect(try Self.record(trial, "old.sqlite").steps.map(\.source) == ["1", "2"])
    // Another one runs again.
    trial.mappings = [try Self.cleaning("plate != 'c2'")]
    var options = MigrationOptions()
    options.oldStore = .remove
    #expect(
      try Self.second(trial, .inPlace, options).run(control: RunControl()).outcome == .migrated)
    #expect(try Self.cars(trial, "old.sqlite") == 4)
  }

  /// A migration of a store that is at version 2 already.
  static func second(
    _ trial: Trial, _ target: MigrationDestination, _ options: MigrationOptions = MigrationOptions()
  ) -> StoreMigration {
    StoreMigration(
      storePath: trial.sourcePath, destination: target, source: nil, destinationModel: nil,
      models: ["1": Safety.source, "2": Safety.destination], mappings: trial.mappings,
      policies: PolicyRegistry(), options: options)
  }

  @Test(arguments: [false, true])
  func `a mapping model between equal hashes runs to a file, once`(isForcedToRows: Bool) throws {
    var trial = try Safety.trial()
    try trial.runInPlace()
    trial.mappings = [try Self.cleaning()]
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    let target = MigrationDestination.file(trial.directory.path("clean.sqlite"))
    let migration = Self.second(trial, target, options)
    #expect(try migration.run(control: RunControl()).outcome == .migrated)
    #expect(try Self.cars(trial, "clean.sqlite") == 5)
    #expect(try Self.cars(trial, "old.sqlite") == 6)
    let report = try migration.run(control: RunControl())
    #expect(report.outcome == .upToDate)
    #expect(report.destinationPath == trial.directory.path("clean.sqlite"))
    // A copy of the source is no result of it.
    let copy = try trial.directory.copy(trial.sourcePath, to: "copy.sqlite")
    let error = try #require(throws: MigrationError.self) {
      try Self.second(trial, .file(copy)).run(control: RunControl())
    }
    #expect(error.codes == ["RUN-070"])
  }

  @Test func `a list that ends with a clean-up runs whole, and its rest alone where it can`() throws
  {
    var trial = try Safety.trial()
    trial.mappings = try Safety.mappings() + [try Self.cleaning()]
    try trial.run()
    #expect(try Self.cars(trial) == 5)
    #expect(try Self.record(trial).steps.map(\.destination) == ["2", "2"])
    #expect(try trial.run().outcome == .upToDate)
    // In place, after its first step has run alone.
    trial.mappings.removeLast()
    try trial.runInPlace()
    trial.mappings.append(try Self.cleaning())
    let error = try #require(throws: MigrationError.self) { try trial.runInPlace() }
    #expect(error.codes == ["RUN-070"])
    #expect(error.diagnostics.all.first?.remedy?.hasSuffix("--mappings Clean") == true)
    trial.mappings = [try Self.cleaning()]
    #expect(try Self.second(trial, .inPlace).run(control: RunControl()).outcome == .migrated)
  }

  @Test func `a clean-up in place that is stopped anywhere is finished by the same call`() throws {
    for stop in 1...60 {
      var trial = try Safety.trial()
      try trial.runInPlace()
      trial.mappings = [try Self.cleaning()]
      let faults = FaultyFiles(failing: stop, isLasting: true)
      let failing = StoreMigration(
        storePath: trial.sourcePath, destination: .inPlace, source: nil, destinationModel: nil,
        models: ["1": Safety.source, "2": Safety.destination], mappings: trial.mappings,
        policies: PolicyRegistry(), options: MigrationOptions(), files: faults.files)
      _ = try? failing.run(control: RunControl())
      _ = try Self.second(trial, .inPlace).run(control: RunControl())
      #expect(try Self.cars(trial, "old.sqlite") == 5, "\(faults.last)")
      #expect(try Self.record(trial, "old.sqlite").steps.count == 2, "\(faults.last)")
      #expect(!trial.directory.names.contains { $0.hasSuffix(".passage") })
      if !faults.hasFailed { return }
    }
    Issue.record("the run has more operations than were tried")
  }
}
