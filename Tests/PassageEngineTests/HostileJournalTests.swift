import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

/// Numbers in the work of a stopped run that no run can have written: they never trap, and never reach the
/// store.
@Suite struct HostileJournalTests {
  /// A run that was stopped when its passes were finished, and whose journal was then changed.
  private static func stopped(
    _ lane: MigrationOptions.Lane, then sql: String
  ) throws -> (trial: Trial, options: MigrationOptions) {
    let trial = try Safety.trial()
    var options = MigrationOptions()
    options.lane = lane
    options.limits.batch = BatchLimits(rows: 2)
    try trial.finishPass(options: options, then: sql)
    return (trial, options)
  }

  private static func replacing(_ name: String, with number: Int64) -> String {
    "UPDATE journal.progress SET account = json_set(account, '$.\(name)', \(number))"
  }

  private static func expectRefused(_ trial: Trial, _ options: MigrationOptions) throws {
    let error = try trial.failure(options: options)
    #expect(error.codes == ["RUN-063"] && error.kind == .inputOutput, "\(error)")
    #expect(error.diskState?.contains("was removed") == true)
    #expect(trial.directory.contents("new.sqlite") == nil)
    let again = try trial.run(options: options)
    #expect(again.outcome == .migrated && !again.wasContinued)
  }

  @Test(
    arguments: [MigrationOptions.Lane.row, .set, .page],
    ["read", "filtered", "migrated", "made.Car", "becameNil.plate"])
  func `an account of more objects than there can be is refused`(
    lane: MigrationOptions.Lane, name: String
  ) throws {
    for number in [Int64.max, Int64.max - 6, -1] as [Int64] {
      let (trial, options) = try Self.stopped(lane, then: Self.replacing(name, with: number))
      try Self.expectRefused(trial, options)
    }
  }

  @Test(arguments: [
    "UPDATE journal.progress SET account = '[]'", "UPDATE journal.progress SET account = NULL",
    "UPDATE journal.progress SET phase = 99", "UPDATE journal.progress SET cursor = 'x'",
  ])
  func `a mapping's progress that no run has written is refused`(sql: String) throws {
    let (trial, options) = try Self.stopped(.set, then: sql)
    try Self.expectRefused(trial, options)
  }

  @Test func `the account of a finished step with such numbers is refused`() throws {
    var trial = try ChainedMemoryTests.trial()
    trial.worksInMemory = false
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .makeDirectory, path.hasSuffix("/step-2") else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    })
    _ = try trial.failure(files: files)
    let path = "new.sqlite.passage/step-1/account.json"
    let text = String(decoding: try #require(trial.directory.contents(path)), as: UTF8.self)
    let changed = text.replacing(#""read":40"#, with: #""read":9223372036854775807"#)
    #expect(changed != text)
    try trial.directory.write(Array(changed.utf8), to: path)
    try Self.expectRefused(trial, MigrationOptions())
  }

  /// The step cannot be made again either: the store that it was made from is removed once it is sealed.
  @Test func `a missing account of a finished last step is told, with a way out`() throws {
    var trial = try ChainedMemoryTests.trial()
    trial.worksInMemory = false
    let files = FileSystem(willPerform: { operation, path in
      guard [.rename, .link].contains(operation), path.hasSuffix("/new.sqlite") else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    })
    _ = try trial.failure(files: files)
    for name in ["step-2/account.json", "step-1/store.sqlite"] {
      try? FileManager.default.removeItem(
        atPath: trial.directory.path("new.sqlite.passage/\(name)"))
    }
    try Self.expectRefused(trial, MigrationOptions())
  }

  @Test(arguments: ["pages:swept", "pages:tables"], [Int64.min, -1, 9, .max])
  func `a part by pages that stands nowhere starts again without pages`(
    name: String, number: Int64
  ) throws {
    var trial = try ChainedMemoryTests.trial(persons: 2_000)
    trial.worksInMemory = false
    let pages = MigrationOptions.pages(jobs: 1, batch: 200)
    try trial.run(to: "whole.sqlite", options: pages)
    let path = trial.directory.path("new.sqlite.passage/step-1/journal.sqlite")
    var isMarked = false
    for stop in 1...200 where !isMarked {
      _ = try trial.failure(options: pages, control: StoppingControl(after: stop).control)
      guard let journal = try? Connection(path: path, mode: .readWrite),
        try journal.integer("SELECT count(*) FROM sqlite_master WHERE name = 'state'") > 0,
        try journal.integer("SELECT count(*) FROM state WHERE name = 'pages:mark'") > 0
      else { continue }
      try journal.execute(
        "UPDATE state SET value = ? WHERE name = ?", [.integer(number), .text(name)])
      isMarked = true
    }
    try #require(isMarked)
    let report = try trial.run(options: pages)
    #expect(report.warnings.all.map(\.code).contains("RUN-048"))
    let rows = try ["whole.sqlite", "new.sqlite"].map {
      try StoreRows(path: trial.directory.path($0))
    }
    #expect(rows[1].differences(from: rows[0]) == [])
  }
}
