import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// An interrupted run whose policies or functions are other code when it continues: no store is half the
/// old code's.
@Suite struct ChangedCodeTests {
  static let source = Model(
    "1", [Entity("Person", [.text("name")]), Entity("Dog", [.text("name")])])
  static let middle = Model(
    "2", [Entity("Person", [.text("name")]), Entity("Dog", [.text("name")])])
  static let destination = Model(
    "3", [Entity("Person", [.text("label")]), Entity("Dog", [.text("label")])])

  /// Two states of one policy.
  struct First: MigrationPolicy {
    static let name = "Mark"
    static let revision = "1"
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      try mark("one", source, context)
    }
  }

  struct Second: MigrationPolicy {
    static let name = "Mark"
    static let revision = "2"
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      try mark("two", source, context)
    }
  }

  /// The same without a revision.
  struct Plain: MigrationPolicy {
    static let name = "Mark"
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      try mark("one", source, context)
    }
  }

  struct PlainChanged: MigrationPolicy {
    static let name = "Mark"
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      try mark("two", source, context)
    }
  }

  static func function(_ result: String, revision: String?) -> ValueFunction {
    ValueFunction("mark:", takes: [.string], gives: .string, revision: revision) { values in
      .text("\(values[0].string ?? "") \(result)")
    }
  }

  private static let copiedDogs = #"{"type": "copy", "source": "Dog", "destination": "Dog"}"#

  private static func fill(_ store: TestStore) throws {
    for number in 1...6 { try store.insert("Person", ["name": .text("p\(number)")]) }
    for number in 1...6 { try store.insert("Dog", ["name": .text("d\(number)")]) }
  }

  /// One step of two passes: dogs without code, people with the policy.
  static func trial(_ policies: [any MigrationPolicy.Type]) throws -> Trial {
    var trial = try Trial(
      source, middle,
      [
        mapping(
          """
          {"type": "transform", "source": "Dog", "destination": "Dog",
           "attributes": {"name": "uppercase($source.name)"}}
          """, named: "Dogs"),
        mapping(
          """
          {"type": "custom", "source": "Person", "destination": "Person",
           "policy": {"name": "Mark"}}
          """, named: "People"),
      ], policies: policies, fill: fill)
    // The rows of the page lane are not seen before all are there.
    trial.lane = .set
    return trial
  }

  /// Stops a run when the pass store of a pass holds rows, and looks which.
  private func stop(
    _ trial: Trial, files: FileSystem = FileSystem(), when isThere: (String) throws -> Bool
  ) throws {
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    // Each try from the beginning: what continues from the one before would step over the place.
    options.unfinishedWork = .discard
    let folder = trial.directory.path("new.sqlite.passage")
    for stop in 1...200 {
      _ = try trial.failure(
        options: options, files: files, control: StoppingControl(after: stop).control)
      if try isThere(folder) { return }
    }
    Issue.record("the run never came to this place")
  }

  private func rows(_ path: String, _ table: String) throws -> Int64 {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let store = try Connection(path: path, mode: .readWrite)
    guard
      try store.integer(
        "SELECT count(*) FROM sqlite_master WHERE name = ?", [.text(table)]) > 0
    else { return 0 }
    return try store.integer("SELECT count(*) FROM \(table)")
  }

  private func isInPeople(_ folder: String) throws -> Bool {
    try rows(folder + "/step-1/pass-2.sqlite", "ZPERSON") == 3
  }

  private func labels(_ trial: Trial) throws -> Set<String> {
    let contents = try StoreContents(
      path: trial.directory.path("new.sqlite"), model: trial.destination)
    return Set(
      contents["Person"].map {
        ($0["name"].string ?? $0["label"].string ?? "").split(separator: " ").last.map(String.init)
          ?? ""
      })
  }

  @Test func `a policy with another revision starts its pass again, and the others continue`()
    throws
  {
    var trial = try Self.trial([First.self])
    try stop(trial, when: isInPeople)
    let dogs = trial.directory.path("new.sqlite.passage/step-1/pass-1.sqlite")
    let before = try FileSystem.status(dogs)
    let after = Keeper()
    trial.policies = [Second.self]
    let report = try trial.run(
      files: FileSystem(willPerform: { operation, _ in
        if operation == .lock { return }
        after.keep((try? FileSystem.status(dogs))?.inode)
      }))
    #expect(after.inodes == [before.inode])
    #expect(report.wasContinued)
    #expect(
      report.discardedWork
        == "policy “Mark”: the code has changed since the work began, so “People” and everything "
        + "made from it start again")
    #expect(try labels(trial) == ["two"])
  }

  @Test func `the same revision continues, and says nothing of work thrown away`() throws {
    let trial = try Self.trial([First.self])
    try stop(trial, files: FileSystem(executable: { "a" }), when: isInPeople)
    let report = try trial.run(files: FileSystem(executable: { "b" }))
    #expect(report.wasContinued)
    #expect(report.discardedWork == nil)
    #expect(try labels(trial) == ["one"])
  }

  @Test(arguments: [false, true])
  func `without a revision, a rebuilt program counts as other code`(isRebuilt: Bool) throws {
    var trial = try Self.trial([Plain.self])
    try stop(trial, files: FileSystem(executable: { "a" }), when: isInPeople)
    if isRebuilt { trial.policies = [PlainChanged.self] }
    let report = try trial.run(files: FileSystem(executable: { isRebuilt ? "b" : "a" }))
    #expect(report.wasContinued)
    #expect((report.discardedWork != nil) == isRebuilt)
    #expect(try labels(trial) == [isRebuilt ? "two" : "one"])
  }

  @Test func `a finished pass of other code is started again too`() throws {
    // The people come first, and the work is stopped among the dogs.
    var trial = try Self.trial([First.self])
    trial.mappings.reverse()
    try stop(trial) { try rows($0 + "/step-1/pass-2.sqlite", "ZDOG") == 3 }
    trial.policies = [Second.self]
    let report = try trial.run()
    #expect(report.wasContinued)
    #expect(report.discardedWork != nil)
    #expect(try labels(trial) == ["two"])
  }

  @Test(arguments: 1...40)
  func `wherever it is stopped, no object is of the old code`(stop: Int) throws {
    var trial = try Self.trial([First.self])
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 2)
    do {
      try trial.run(options: options, control: StoppingControl(after: stop).control)
    } catch let error as MigrationError {
      #expect(error.kind == .cancelled)
      trial.policies = [Second.self]
      try trial.run(options: options)
      #expect(try labels(trial) == ["two"])
      try trial.run(to: "whole.sqlite")
      #expect(
        try StoreRows(path: trial.directory.path("new.sqlite")).differences(
          from: StoreRows(path: trial.directory.path("whole.sqlite"))) == [])
    }
  }

  @Test(arguments: 1...60)
  func `a sealed step of other code is started again with all that came of it`(stop: Int) throws {
    var trial = try Self.trial([First.self])
    trial = try Trial(
      Self.source, Self.destination, between: [Self.middle],
      trial.mappings + [
        mapping(
          """
          {"type": "transform", "source": "Person", "destination": "Person",
           "attributes": {"label": "$source.name"}},
          {"type": "transform", "source": "Dog", "destination": "Dog",
           "attributes": {"label": "$source.name"}}
          """, named: "Last", from: "2", to: "3")
      ], policies: [First.self], fill: Self.fill)
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 2)
    do {
      try trial.run(options: options, control: StoppingControl(after: stop).control)
    } catch let error as MigrationError {
      #expect(error.kind == .cancelled)
      let hadWork = trial.directory.names.contains("new.sqlite.passage")
      let sealed = trial.directory.path("new.sqlite.passage/step-1/store.sqlite")
      let wasSealed = FileManager.default.fileExists(atPath: sealed)
      trial.policies = [Second.self]
      let report = try trial.run(options: options)
      #expect(try labels(trial) == ["two"])
      if wasSealed {
        #expect(hadWork)
        #expect(report.discardedWork?.contains("policy “Mark”") == true)
        #expect(!report.wasContinued)
      }
    }
  }

  @Test(arguments: [("1", "2"), (nil, nil)])
  func `another revision or build of a function starts its pass again`(
    before: String?, after: String?
  ) throws {
    var trial = try Self.trial([First.self])
    trial.mappings[1] = try mapping(
      """
      {"type": "transform", "source": "Person", "destination": "Person",
       "attributes": {"name": "mark:($source.name)"}}
      """, named: "People")
    trial.functions = [Self.function("one", revision: before)]
    try stop(trial, files: FileSystem(executable: { "a" }), when: isInPeople)
    trial.functions = [Self.function("two", revision: after)]
    let report = try trial.run(files: FileSystem(executable: { "b" }))
    #expect(report.wasContinued)
    #expect(report.discardedWork?.hasPrefix("function “mark:”") == true)
    #expect(try labels(trial) == ["two"])
  }

  @Test func `a function whose call is a constant counts too`() throws {
    var trial = try Self.trial([First.self])
    trial.mappings[1] = try mapping(
      """
      {"type": "transform", "source": "Person", "destination": "Person",
       "attributes": {"name": "mark:('x')"}}
      """, named: "People")
    trial.functions = [Self.function("one", revision: "1")]
    try stop(trial, when: isInPeople)
    trial.functions = [Self.function("two", revision: "2")]
    #expect(try trial.run().discardedWork != nil)
    #expect(try labels(trial) == ["two"])
  }

  @Test func `a finished store knows the revisions that made it`() throws {
    var trial = try Self.trial([First.self])
    try trial.run(files: FileSystem(executable: { "a" }))
    // Another build with the same revision is the same.
    #expect(try trial.run(files: FileSystem(executable: { "b" })).outcome == .upToDate)
    trial.policies = [Second.self]
    #expect(try trial.failure().codes == ["RUN-070"])
  }

  // MARK: Work that is thrown away

  @Test func `work of mapping models of more than a megabyte is continued`() throws {
    var trial = try Safety.trial()
    let long = String(repeating: "x", count: 3 << 20)
    trial.mappings[0].variables = ["unused": .string(long)]
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    _ = try trial.failure(options: options, control: StoppingControl(after: 8).control)
    let written = try #require(trial.directory.contents("new.sqlite.passage/run.json"))
    #expect(written.count < 2_000)
    let report = try trial.run(options: options)
    #expect(report.wasContinued)
    #expect(report.discardedWork == nil)
  }

  @Test(arguments: ["", "{}", "{\"source\": 1}", "\u{0}", "gone"])
  func `work whose record cannot be read is thrown away, and the report says so`(
    contents: String
  ) throws {
    let trial = try Safety.trial()
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    _ = try trial.failure(options: options, control: StoppingControl(after: 8).control)
    let path = trial.directory.path("new.sqlite.passage/run.json")
    try FileManager.default.removeItem(atPath: path)
    if contents != "gone" {
      try trial.directory.write(Array(contents.utf8), to: "new.sqlite.passage/run.json")
    }
    let report = try trial.run(options: options)
    #expect(report.discardedWork?.contains("which migration it belonged to") == true)
    #expect(!report.wasContinued)
  }
}

/// What a run was seen to do.
private final class Keeper: Sendable {
  private let seen = Mutex<[UInt64]>([])

  func keep(_ inode: UInt64?) {
    guard let inode else { return }
    seen.withLock { if !$0.contains(inode) { $0.append(inode) } }
  }

  var inodes: [UInt64] { seen.withLock { $0 } }
}

/// Inserts an object with a word added to its name.
private func mark(_ word: String, _ source: SourceObject, _ context: MigrationContext) throws {
  var person = try context.defaultDestination(for: source)
  try person.set("name", to: .text("\(source["name"]?.string ?? "") \(word)"))
  try context.insert(person, for: source)
}
