import Passage
import PassageSQLite
import PassageTesting
import PassageValues
import Synchronization
import Testing

@testable import PassageEngine

/// A run that is killed loses a second of work where it goes page by page, or what cannot be divided.
@Suite struct MarkTests {
  /// A clock that goes on when it is told to.
  private final class Clock: Sendable {
    private let state = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { state.withLock { $0 } }
    func goOn(_ duration: Duration) { state.withLock { $0 += duration } }

    func measuring<Result>(_ body: () throws -> Result) rethrows -> Result {
      try MarkClock.$time.withValue({ [self] in now }) { try body() }
    }
  }

  private static func model(_ name: String) -> Model {
    func indexed(_ name: String, _ type: AttributeType) -> Attribute {
      Attribute(name: name, type: type, isIndexed: true)
    }
    return Model(
      name,
      [
        Entity("Book", [indexed("title", .string), indexed("pages", .integer64), .text("code")]),
        Entity("Reader", [indexed("name", .string), indexed("count", .integer64)]),
      ])
  }

  /// The indexes of the model.
  private static let indexCount = 4

  private static func trial(objectCount: Int64 = 900) throws -> Trial {
    try Trial(
      model("1"), model("2"),
      [
        try mapping(
          ["Book", "Reader"].map {
            #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
          }.joined(separator: ", "))
      ]
    ) { store in
      for number in 1...objectCount {
        _ = try store.insert(
          "Book", ["title": .text("title \(number % 77)"), "pages": .integer(number % 9)])
        _ = try store.insert(
          "Reader", ["name": .text("name \(number)"), "count": .integer(number)])
      }
    }
  }

  // MARK: Sweeps

  /// When the journal got a new mark, each question whether to stop taking some time.
  private static func marks(
    of trial: Trial, to name: String, jobs: Int, perQuestion: Duration
  ) throws -> [Duration] {
    let directory = trial.directory
    let clock = Clock()
    let start = clock.now
    let seen = Mutex<(mark: [UInt8], moments: [Duration])>(([], []))
    let control = RunControl(willContinue: {
      clock.goOn(perQuestion)
      // The run keeps the journal locked. What is committed is in the file, and is looked at in a copy.
      seen.withLock { seen in
        guard let bytes = directory.contents("\(name).passage/step-1/journal.sqlite"),
          (try? directory.write(bytes, to: "journal-copy.sqlite")) != nil,
          let copy = try? Connection(path: directory.path("journal-copy.sqlite"), mode: .immutable),
          let mark = try? copy.value("SELECT value FROM state WHERE name = 'pages:mark'")?.bytes,
          mark != seen.mark
        else { return }
        seen = (mark, seen.moments + [start.duration(to: clock.now)])
      }
      return true
    })
    try clock.measuring {
      _ = try trial.run(to: name, options: .pages(jobs: jobs, batch: 50), control: control)
    }
    return seen.withLock { $0.moments }
  }

  @Test(arguments: [1, 3]) func `the sweeps of a pass record a mark each second`(jobs: Int) throws {
    let trial = try Self.trial()
    let slow = try Self.marks(
      of: trial, to: "slow.sqlite", jobs: jobs, perQuestion: .milliseconds(400))
    // 36 batches, each with two questions or more. Threads ask, too.
    #expect(slow.count > 15)
    let gaps = zip(slow, slow.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 < .seconds(jobs == 1 ? 3 : 6) }, "\(slow)")
    // In no time there is only the one with all pages.
    #expect(
      try Self.marks(of: trial, to: "quick.sqlite", jobs: jobs, perQuestion: .zero).count <= 1)
    try trial.expectSameAsInSets("slow.sqlite")
  }

  // MARK: Indexes

  /// The indexes of the model in a pass store.
  private static func indexCount(_ path: String) -> Int {
    guard let store = try? Connection(path: path, mode: .readOnly, busyTimeout: 0) else { return 0 }
    let count = try? store.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('ZBOOK', 'ZREADER')"
    )
    return Int(count ?? 0)
  }

  /// Runs until one index is in place.
  private static func runToFirstIndex(of trial: Trial, jobs: Int, perQuestion: Duration) throws {
    let path = trial.directory.path("new.sqlite.passage/step-1/pass-1.sqlite")
    let clock = Clock()
    let control = RunControl(willContinue: {
      clock.goOn(perQuestion)
      return indexCount(path) == 0
    })
    let stopped = try clock.measuring {
      try trial.failure(options: .pages(jobs: jobs), control: control)
    }
    #expect(stopped.kind == .cancelled)
  }

  @Test(arguments: [1, 2, 3]) func `indexes that are in place are not built again`(jobs: Int) throws
  {
    let trial = try Self.trial()
    try Self.runToFirstIndex(of: trial, jobs: jobs, perQuestion: .seconds(1))
    let path = trial.directory.path("new.sqlite.passage/step-1/pass-1.sqlite")
    let made = Self.indexCount(path)
    #expect(made > 0 && made < Self.indexCount)
    let count = StatementCount()
    let report = try StatementCount.$current.withValue(count) {
      try trial.run(options: .pages(jobs: jobs))
    }
    #expect(report.wasContinued && report.discardedWork == nil)
    #expect(report.warnings.all.map(\.code) == [])
    let reserved = count.counts.statements.filter {
      $0.hasPrefix("CREATE TABLE IF NOT EXISTS main.\"passage index ")
    }
    #expect(reserved.count == Self.indexCount - made)
    #expect(!count.counts.statements.contains { $0.hasPrefix("CREATE INDEX") })
    try trial.expectSameAsInSets()
    let store = try Connection(path: trial.directory.path("new.sqlite"), mode: .readOnly)
    #expect(try store.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(Self.indexCount(trial.directory.path("new.sqlite")) == Self.indexCount)
  }

  @Test func `within a second, indexes are put in place at one moment`() throws {
    let trial = try Self.trial()
    try Self.runToFirstIndex(of: trial, jobs: 1, perQuestion: .zero)
    let path = trial.directory.path("new.sqlite.passage/step-1/pass-1.sqlite")
    #expect(Self.indexCount(path) == Self.indexCount)
    #expect(try trial.run(options: .pages(jobs: 1)).wasContinued)
    try trial.expectSameAsInSets()
  }

  /// Each run is stopped once it has put one index in place, however many are left.
  @Test func `a run that is stopped after each index comes to its end`() throws {
    let trial = try Self.trial()
    let path = trial.directory.path("new.sqlite.passage/step-1/pass-1.sqlite")
    var counts: [Int] = []
    for _ in 0..<Self.indexCount {
      let before = Self.indexCount(path)
      let clock = Clock()
      let control = RunControl(willContinue: {
        clock.goOn(.seconds(1))
        return Self.indexCount(path) == before
      })
      _ = clock.measuring { try? trial.run(options: .pages(jobs: 1), control: control) }
      counts.append(Self.indexCount(path))
    }
    #expect(counts == [1, 2, 3, 4])
    #expect(try trial.run(options: .pages(jobs: 1)).discardedWork == nil)
    try trial.expectSameAsInSets()
  }
}
