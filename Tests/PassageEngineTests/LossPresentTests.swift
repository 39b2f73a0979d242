import Foundation
import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import Testing

/// What is lost is counted for the time of the migration, which is that of its filters: the first run's, or one
/// that is given.
@Suite struct LossPresentTests {
  private static func trial() throws -> Trial {
    try Trial(
      Model("1", [Entity("Note", [.text("name"), .text("unread"), .date("day")])]),
      Model("2", [Entity("Note", [.text("name"), .date("day")])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Note", "destination": "Note", "filter": "day < now()",
           "attributes": {"name": {}, "day": {}}}
          """)
      ]
    ) { store in
      // Two days of the past, and one of 2048.
      for (number, seconds) in [1e8, 2e8, 1.5e9].enumerated() {
        try store.insert(
          "Note",
          ["name": .text("n\(number)"), "unread": .text("u"), "day": .real(seconds)])
      }
    }
  }

  private static func options(
    _ lane: MigrationOptions.Lane, seconds: Double? = 2e9
  ) -> MigrationOptions {
    var options = MigrationOptions()
    options.lane = lane
    options.limits.batch = BatchLimits(rows: 1)
    options.present = seconds.map { FrozenPresent(Date(timeIntervalSinceReferenceDate: $0)) }
    return options
  }

  private static func lost(_ report: MigrationReport) -> [Int64?] {
    let account = report.steps[0].mappings[0]
    return [account.migrated, account.unread["unread"]]
  }

  @Test(arguments: [MigrationOptions.Lane.row, .set, .page], [true, false])
  func `a given time counts`(lane: MigrationOptions.Lane, worksInMemory: Bool) throws {
    var trial = try Self.trial()
    trial.worksInMemory = worksInMemory
    #expect(try Self.lost(trial.run(options: Self.options(lane))) == [3, 3])
    #expect(
      try Self.lost(trial.run(to: "now.sqlite", options: Self.options(lane, seconds: nil)))
        == [2, 2])
  }

  @Test(arguments: [MigrationOptions.Lane.row, .set])
  func `a continued run counts for the time of the first`(lane: MigrationOptions.Lane) throws {
    let trial = try Self.trial()
    for stop in [3, 6, 9] {
      let name = "\(stop).sqlite"
      _ = try trial.failure(
        to: name, options: Self.options(lane), control: StoppingControl(after: stop).control)
      let report = try trial.run(to: name, options: Self.options(lane, seconds: nil))
      #expect(Self.lost(report) == (report.wasContinued ? [3, 3] : [2, 2]))
      if stop > 4 { #expect(report.wasContinued) }
    }
  }

  /// The time of the work that is there is not the migration's then.
  @Test func `a run that starts over counts for its own time`() throws {
    let trial = try Self.trial()
    _ = try trial.failure(
      options: Self.options(.row), control: StoppingControl(after: 9).control)
    // Work of another lane is not continued.
    let report = try trial.run(options: Self.options(.set, seconds: nil))
    #expect(report.discardedWork != nil && !report.wasContinued)
    #expect(Self.lost(report) == [2, 2])
  }

  // MARK: Refusing

  /// The third note alone has a value that nothing reads, and only the given time lets it through.
  private static func timelyTrial() throws -> Trial {
    let trial = try trial()
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZNOTE SET ZUNREAD = NULL WHERE Z_PK < 3; PRAGMA wal_checkpoint(TRUNCATE)")
    return trial
  }

  private static func refusing(
    _ lane: MigrationOptions.Lane, seconds: Double? = nil
  ) -> MigrationOptions {
    var options = options(lane, seconds: seconds)
    options.allowed.losses = .none
    return options
  }

  enum Change: CaseIterable {
    case source
    case lane
  }

  /// The values were lost at the time of the work that is there, and are not lost now.
  @Test(arguments: Change.allCases)
  func `work that is not continued refuses nothing`(change: Change) throws {
    let trial = try Self.timelyTrial()
    _ = try trial.failure(
      options: Self.options(.row), control: StoppingControl(after: 9).control)
    if change == .source {
      try Connection(path: trial.sourcePath, mode: .readWrite).execute(
        "UPDATE ZNOTE SET ZNAME = 'other' WHERE Z_PK = 1")
    }
    let report = try trial.run(options: Self.refusing(change == .lane ? .set : .row))
    #expect(report.discardedWork != nil && !report.wasContinued)
    #expect(Self.lost(report) == [2, 0] || Self.lost(report) == [2, nil])
  }

  @Test(arguments: [MigrationOptions.Lane.row, .set])
  func `a continued run refuses what is lost at its own time`(lane: MigrationOptions.Lane) throws {
    let trial = try Self.timelyTrial()
    _ = try trial.failure(
      options: Self.options(lane), control: StoppingControl(after: 9).control)
    for _ in 0..<2 {
      #expect(try trial.failure(options: Self.refusing(lane)).codes == ["RUN-083"])
    }
    let report = try trial.run(options: Self.options(lane, seconds: nil))
    #expect(report.wasContinued && Self.lost(report) == [3, 1])
  }

  /// What is lost at each time that the migration may have is refused before anything is written.
  @Test func `what is lost in any case leaves the work as it is`() throws {
    let trial = try Self.trial()
    _ = try trial.failure(
      options: Self.options(.row), control: StoppingControl(after: 9).control)
    #expect(try trial.failure(options: Self.refusing(.set)).codes == ["RUN-083"])
    #expect(try trial.run(options: Self.options(.row, seconds: nil)).wasContinued)
  }
}
