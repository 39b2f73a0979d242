import Passage
import PassageTesting
import Synchronization
import TestSupport
import Testing

@testable import PassageEngine

/// Progress begins where the work is, and promises nothing before it knows.
struct ProgressTests {
  private final class Reports: Sendable {
    let all = Mutex<[MigrationProgress]>([])
    var last: MigrationProgress? { all.withLock { $0.last } }
  }

  private func control(_ reports: Reports) -> RunControl {
    RunControl(report: { progress in reports.all.withLock { $0.append(progress) } })
  }

  @Test func `a continued run begins at what is done and is measured by its own work`() {
    let reports = Reports()
    let control = control(reports)
    let start = ContinuousClock.now
    control.update(isMilestone: true, now: start) {
      $0.total = 1_000
      $0.phase = .create
    }
    control.resume(900)
    #expect(reports.last?.fraction == 0.9)
    #expect(reports.last?.secondsLeft == nil)
    control.update(isMilestone: true, now: start + .seconds(2)) { $0.completed += 20 }
    #expect(reports.last?.objectsPerSecond == 10)
    #expect(reports.last?.secondsLeft == 8)
  }

  @Test func `less than a second of work gives no estimate of the time left`() {
    let reports = Reports()
    let control = control(reports)
    let start = ContinuousClock.now
    // Planning is no work that says how fast objects are read.
    control.update(isMilestone: true, now: start) { $0.total = 1_000_000 }
    control.update(isMilestone: true, now: start + .seconds(60)) { $0.phase = .create }
    control.update(isMilestone: true, now: start + .milliseconds(60_900)) { $0.completed += 100 }
    #expect(reports.last?.secondsLeft == nil)
    control.update(isMilestone: true, now: start + .seconds(61)) { $0.completed += 100 }
    #expect(reports.last?.objectsPerSecond == 200)
  }

  // MARK: Corrections

  @Test func `a larger total holds the fraction until the work has caught up`() {
    let reports = Reports()
    let control = control(reports)
    control.correct(completed: 0, total: 100) { $0.phase = .create }
    control.update(isMilestone: true) { $0.completed = 50 }
    control.correct(completed: 50, total: 200)
    #expect(reports.last?.fraction == 0.5)
    // A pass that begins again.
    control.correct(completed: 10, total: 200)
    #expect(reports.last?.fraction == 0.5)
    control.update(isMilestone: true) { $0.completed = 120 }
    #expect(reports.last?.fraction == 0.6)
    control.update(isMilestone: true) { $0.completed = 200 }
    #expect(reports.last?.fraction == 0.999)
    control.enter(.finished)
    #expect(reports.last?.fraction == 1)
  }

  @Test func `the rate of a pass that begins again is that of its own work`() {
    let reports = Reports()
    let control = control(reports)
    let start = ContinuousClock.now
    control.update(isMilestone: true, now: start) {
      $0.total = 1_000
      $0.phase = .create
    }
    control.resume(900)
    control.correct(completed: 0, total: 520)
    control.update(isMilestone: true, now: start + .seconds(2)) { $0.completed += 20 }
    #expect(reports.last?.objectsPerSecond == 10)
    #expect(reports.last?.secondsLeft == 50)
  }

  /// Of 30 objects the first step makes 10 or 60, which the second one reads.
  @Test(arguments: ["filter", "two passes"], [false, true])
  func `the next step is to read what the one before has made`(
    first: String, isInMemory: Bool
  ) throws {
    func model(_ name: String) -> Model {
      Model(name, [Entity("Event", [.number("count"), .text("in\(name)")])])
    }
    func pass(
      _ name: String, _ source: String, _ destination: String, filter: String = ""
    ) throws -> MappingModel {
      try mapping(
        #"{"name": "\#(name)Event", "type": "copy", "source": "Event", "destination": "Event""#
          + "\(filter)}",
        named: name, from: source, to: destination)
    }
    let passes =
      try first == "filter"
      ? [pass("A", "1", "2", filter: #", "filter": "count < 10""#)]
      : [pass("A", "1", "2"), pass("B", "1", "2")]
    var trial = try Trial(
      model("1"), model("3"), between: [model("2")], passes + [pass("Last", "2", "3")]
    ) { store in
      for number in 0..<Int64(30) { try store.insert("Event", ["count": .integer(number)]) }
    }
    trial.worksInMemory = isInMemory
    let reports = Reports()
    try trial.run(control: control(reports))
    let all = reports.all.withLock { $0 }
    let total: Int64 = first == "filter" ? 40 : 120
    let last = all.filter { $0.step == 2 }
    #expect(!last.isEmpty)
    #expect(last.allSatisfy { $0.total == total })
    #expect(all.last?.completed == total)
    #expect(zip(all, all.dropFirst()).filter { $0.fraction > $1.fraction }.isEmpty)
    #expect(all.filter { $0.fraction == 1 }.map(\.phase) == [.finished])
  }
}
