internal import PassageSQLite
internal import Synchronization

/// How a run is watched and stopped from outside: cancellation, the time budget, progress.
package final class RunControl: Sendable {
  private struct State {
    var isCancelled = false
    var progress: MigrationProgress
    var started: ContinuousClock.Instant
    var lastReport: ContinuousClock.Instant?
    /// Objects done when this process began: a continued run counts only its own for the rate.
    var doneAtStart: Int64?
  }

  private let state: Mutex<State>
  private let deadline: ContinuousClock.Instant?
  private let report: @Sendable (MigrationProgress) -> Void
  private let willContinue: @Sendable () -> Bool

  /// - Parameter willContinue: asked wherever the run could stop; a test says `false` to stop it at a
  ///   place of its choice.
  package init(
    timeBudget: Duration? = nil, report: @escaping @Sendable (MigrationProgress) -> Void = { _ in },
    willContinue: @escaping @Sendable () -> Bool = { true }
  ) {
    let now = ContinuousClock.now
    state = Mutex(State(progress: MigrationProgress(), started: now))
    deadline = timeBudget.map { now + $0 }
    self.report = report
    self.willContinue = willContinue
  }

  /// Asks the run to stop at its next batch.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  /// Whether the run should stop.
  var shouldStop: Bool {
    if state.withLock({ $0.isCancelled }) || !willContinue() { return true }
    return deadline.map { ContinuousClock.now >= $0 } ?? false
  }

  /// Throws when the run should stop.
  func checkCancellation() throws(Cancellation) {
    if shouldStop { throw Cancellation() }
  }

  /// Makes statements of a connection end soon after the run should stop: they fail with
  /// `SQLITE_INTERRUPT`.
  func stopStatements(of connection: Connection) {
    connection.setProgressHandler(every: 200_000) { [self] in shouldStop }
  }

  /// Changes the progress and reports it, at most about ten times a second unless it `isMilestone`.
  func update(isMilestone: Bool = false, _ change: (inout MigrationProgress) -> Void) {
    let now = ContinuousClock.now
    let due: MigrationProgress? = state.withLock { state in
      change(&state.progress)
      if state.doneAtStart == nil, state.progress.total > 0 {
        state.doneAtStart = state.progress.completed
      }
      let elapsed = state.started.duration(to: now) / .seconds(1)
      let own = state.progress.completed - (state.doneAtStart ?? 0)
      if elapsed > 0.05, own > 0 {
        let rate = Double(own) / elapsed
        state.progress.objectsPerSecond = rate
        state.progress.secondsLeft =
          Double(max(0, state.progress.total - state.progress.completed)) / rate
      }
      if !isMilestone, let last = state.lastReport, last.duration(to: now) < .milliseconds(100) {
        return nil
      }
      state.lastReport = now
      return state.progress
    }
    if let due { report(due) }
  }
}

/// The run was asked to stop.
struct Cancellation: Error {}
