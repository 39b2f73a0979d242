import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// A run that is stopped continues where it was, and ends with the store of an undisturbed run.
@Suite struct InterruptionTests {
  /// Two steps: the store of the first feeds the second.
  static func chain() throws -> Trial {
    let last = Model(
      "3",
      [
        Entity("Person", [.text("label")], [.many("cars", "Car", inverse: "owner")]),
        Entity("Car", [.text("plate"), .real("age")], [.one("owner", "Person", inverse: "cars")]),
      ])
    let second = try mapping(
      """
      {"type": "copy", "source": "Car", "destination": "Car",
       "attributes": {"age": "$source.age * 1.5"}},
      {"type": "copy", "source": "Person", "destination": "Person",
       "attributes": {"label": "$source.name"}}
      """, named: "Second", from: "2", to: "3")
    return try Trial(
      Safety.source, last, between: [Safety.destination], Safety.mappings() + [second],
      fill: Safety.fill)
  }

  @Test func `a chain of two steps gives each from the last`() throws {
    let (found, report) = try Self.chain().migrate()
    #expect(report.steps.map(\.source) == ["1", "2"])
    #expect(report.steps.map(\.destination) == ["2", "3"])
    #expect(found["Car"].map { $0["age"].double } == Array(repeating: 4.5, count: 6))
    #expect(found["Person"].map { $0["label"] } == ["p1", "p2", "p3", "p4"])
    #expect(found["Person"].map { $0.keys("cars") } == [[4], [1], [2, 6], [3, 7]])
  }

  @Test(arguments: ["two passes", "chain", "school"], [MigrationOptions.Lane.automatic, .page])
  func `stopped at any place and continued, the store is the same`(
    which: String, lane: MigrationOptions.Lane
  ) throws {
    let trial =
      switch which {
      case "chain": try Self.chain()
      case "school": try SchoolTests.trial()
      default: try Safety.trial()
      }
    try trial.run(to: "whole.sqlite")
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    // The school has some hundred places to stop at.
    let (places, longest) = which == "school" ? (70, 30) : (10, 9)
    let names = try Interruptions.anyBatches(
      of: trial, places: places, longest: longest, lane: lane)
    for name in names {
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [])
    }
    #expect(trial.directory.names.filter { $0.hasSuffix(".passage") } == [])
  }

  /// A program that is killed in the middle of a transaction leaves a journal to roll back: here in
  /// the last ones, which write Core Data's bookkeeping.
  @Test func `a transaction that was killed while the store was sealed is rolled back`() throws {
    let trial = try Safety.trial()
    try trial.run(to: "whole.sqlite")
    let failing = FileSystem(willPerform: { operation, path in
      if operation == .rename, path.hasSuffix("/store.sqlite") {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
      }
    })
    #expect(try trial.failure(files: failing).kind == .inputOutput)
    let folder = "new.sqlite.passage/step-1"
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: trial.directory.path(folder))
        .first { $0.hasPrefix("pass-") && $0.hasSuffix(".sqlite") })
    let path = "\(folder)/\(name)"
    // A copy taken in the middle of a transaction is what a kill leaves.
    let files: [(String, [UInt8])]
    do {
      let connection = try Connection(path: trial.directory.path(path), mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1")
      try connection.execute("BEGIN IMMEDIATE; UPDATE ZCAR SET ZPLATE = hex(zeroblob(2000))")
      files = try ["", "-journal"].map {
        (path + $0, try #require(trial.directory.contents(path + $0)))
      }
      try connection.execute("ROLLBACK")
    }
    for (name, bytes) in files { try trial.directory.write(bytes, to: name) }
    #expect(try trial.run().wasContinued)
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    #expect(
      try StoreRows(path: trial.directory.path("new.sqlite")).differences(from: whole) == [])
  }

  @Test func `stopped again and again, it still ends`() throws {
    let trial = try Self.chain()
    try trial.run(to: "whole.sqlite")
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    var stops = 0
    while true {
      do {
        // Some questions are asked before there is anything to continue with.
        try trial.run(options: options, control: StoppingControl(after: 12).control)
        break
      } catch let error as MigrationError where error.kind == .cancelled {
        stops += 1
        try #require(stops < 100)
      }
    }
    #expect(stops > 1)
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    #expect(
      try StoreRows(path: trial.directory.path("new.sqlite")).differences(from: whole) == [])
  }

  @Test func `a time budget that is used up stops the run, and the same call continues`() throws {
    let trial = try Safety.trial()
    let error = try trial.failure(control: RunControl(timeBudget: .zero))
    #expect(error.kind.rawValue == 33)
    #expect(error.description.contains("run the same command again"))
    #expect(try trial.run().outcome == .migrated)
  }

  /// A power failure may leave the file that names the migration, and no folder of a step.
  @Test func `after a restart of the machine, work without any step's folder is started again`()
    throws
  {
    let trial = try Safety.trial()
    _ = try trial.failure(control: StoppingControl(after: 12).control)
    try FileManager.default.removeItem(
      atPath: trial.directory.path("new.sqlite.passage/step-1"))
    let name = "new.sqlite.passage/run.json"
    let identity = String(decoding: try #require(trial.directory.contents(name)), as: UTF8.self)
    let boot = try #require(FileSystem().bootIdentity).prefix { $0 != "\n" }
    #expect(identity.contains(boot))
    try trial.directory.write(Array(identity.replacing(boot, with: "before").utf8), to: name)
    #expect(try trial.run().outcome == .migrated)
  }

  // MARK: Accounts

  /// Changes a pass store between two runs, as a fault of the disk or of Passage would.
  private func tamper(_ sql: String) throws -> (trial: Trial, error: MigrationError) {
    let trial = try Safety.trial()
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 2)
    try trial.finishPass(options: options, then: sql)
    return (trial, try trial.failure(options: options))
  }

  @Test(arguments: [
    ("DELETE FROM ZCAR WHERE Z_PK = 2", "RUN-033"),
    ("INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT) VALUES (99, 1, 1)", "RUN-033"),
    (
      "UPDATE journal.progress SET account = replace(account, '\"read\":7', '\"read\":6')",
      "RUN-031"
    ),
  ])
  func `objects that are not accounted for end the migration before the cut-over`(
    sql: String, code: String
  ) throws {
    let (trial, error) = try tamper(sql)
    #expect(error.kind.rawValue == 42)
    #expect(error.codes.contains(code))
    #expect(trial.directory.contents("new.sqlite") == nil)
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
