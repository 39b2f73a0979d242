import Synchronization
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
}
