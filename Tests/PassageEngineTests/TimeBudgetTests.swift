import Foundation
import Passage
@testable import PassageEngine
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Runs that have less time than a batch takes.
@Suite struct TimeBudgetTests {
  /// Takes two milliseconds for each object that it makes.
  struct SlowMaking: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      Thread.sleep(forTimeInterval: 0.002)
      try context.insert(context.defaultDestination(for: source), for: source)
    }
  }

  /// Takes as long for each object that it relates.
  struct SlowRelating: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createRelationships(
      for destination: DestinationObject, in context: MigrationContext
    ) throws {
      Thread.sleep(forTimeInterval: 0.002)
    }
  }

  private static func trial(_ policy: String) throws -> Trial {
    let model = { (name: String) in Model(name, [Entity("Note", [.text("text")])]) }
    return try Trial(
      model("1"), model("2"),
      [
        mapping(
          """
          {"type": "custom", "source": "Note", "destination": "Note", "policy": {"name": "\(policy)"},
           "attributes": {"text": {"value": "uppercase:($source.text)"}}}
          """)
      ], policies: [SlowMaking.self, SlowRelating.self]
    ) { store in
      for number in 1...500 { try store.insert("Note", ["text": .text("note \(number)")]) }
    }
  }

  private static func options(_ lane: MigrationOptions.Lane) -> MigrationOptions {
    var options = MigrationOptions()
    options.limits.workMemoryBytes = 0
    options.lane = lane
    return options
  }

  /// Runs with 0.3 seconds at a time until a run comes to its end.
  private static func runAgainAndAgain(
    _ trial: Trial, _ options: MigrationOptions
  ) -> (report: MigrationReport?, runs: Int) {
    let migration = trial.migration(
      to: .file(trial.directory.path("new.sqlite")), options: options)
    var report: MigrationReport?
    var runs = 0
    while report == nil, runs < 40 {
      runs += 1
      let control = RunControl(timeBudget: .milliseconds(300))
      // Asks from another thread whether statements are to end, as what runs a migration in the background.
      let asking = Asking()
      report = try? control.watching { ask in
        Thread.detachNewThread {
          while !asking.isOver.load(ordering: .relaxed) {
            ask()
            Thread.sleep(forTimeInterval: 0.05)
          }
        }
        return try migration.run(control: control)
      }
      asking.isOver.store(true, ordering: .relaxed)
    }
    return (report, runs)
  }

  @Test(arguments: ["SlowMaking", "SlowRelating"], [MigrationOptions.Lane.automatic, .row])
  func `a run with less time than a batch takes advances`(
    policy: String, lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.trial(policy)
    let (report, runs) = Self.runAgainAndAgain(trial, Self.options(lane))
    #expect(report?.steps.first?.mappings.first?.migrated == 500)
    // 500 objects take at least a second.
    #expect(runs > 2)
  }

  /// Equal values are looked for at once, in more time than there is.
  @Test(arguments: [MigrationOptions.Lane.automatic, .set, .row])
  func `what cannot be divided is done by a run that is continued`(
    lane: MigrationOptions.Lane
  ) throws {
    let slowly = ValueFunction("slowly:", takes: [.string], gives: .string) { values in
      Thread.sleep(forTimeInterval: 0.002)
      return values[0]
    }
    var trial = try Self.trial("SlowMaking")
    trial.functions = [slowly]
    trial.mappings = [
      try mapping(
        """
        {"type": "copy", "source": "Note", "destination": "Note",
         "mergeBy": "slowly:($source.text)"}
        """)
    ]
    let (report, runs) = Self.runAgainAndAgain(trial, Self.options(lane))
    #expect(report?.steps.first?.mappings.first?.migrated == 500)
    #expect(1 < runs && runs < 10)
  }

  @Test func `the time budget counts again once something is done`() {
    let whole = RunControl(timeBudget: .zero)
    #expect(whole.shouldStop)
    let part = whole.partial()
    part.awaitAdvance()
    #expect(!part.shouldStop && !whole.shouldStop)
    part.noteAdvance()
    #expect(part.shouldStop && whole.shouldStop)
    // Who cancels does not wait.
    part.awaitAdvance()
    part.cancel()
    #expect(part.shouldStop && !whole.shouldStop)
    whole.cancel()
    #expect(whole.shouldStop)
  }

  @Test(arguments: ["SlowMaking", "SlowRelating"], [MigrationOptions.Lane.automatic, .row])
  func `progress is told within a batch`(policy: String, lane: MigrationOptions.Lane) throws {
    let trial = try Self.trial(policy)
    let told = Told()
    try trial.run(
      options: Self.options(lane),
      control: RunControl(report: { progress in told.times.withLock { $0 += 1 } }))
    // Milestones are about ten, and the policy takes at least a second.
    #expect(told.times.withLock { $0 } > 14)
  }

  private final class Told: Sendable {
    let times = Mutex(0)
  }

  private final class Asking: Sendable {
    let isOver = Atomic(false)
  }
}
