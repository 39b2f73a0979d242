package import PassageSQLite
internal import PassageStores
internal import Synchronization

/// Observes and stops a run from outside: cancellation, the time budget, progress.
package final class RunControl: Sendable {
  private struct State {
    var isCancelled = false
    /// Whether the time budget does not count yet.
    var awaitsAdvance = false
    var progress: MigrationProgress
    /// When this process began to read objects.
    var workStarted: ContinuousClock.Instant?
    var lastReport: ContinuousClock.Instant?
    /// Objects that an interrupted run had processed; they do not count for the rate of this run.
    var resumed: Int64 = 0
    var clock = PassClock()
    var passes = FinishedPasses()
  }

  /// Seconds of work before the rate is used to estimate the remaining time.
  private static let measuredSeconds = 1.0

  private let state: Mutex<State>
  private let deadline: ContinuousClock.Instant?
  private let report: @Sendable (MigrationProgress) -> Void
  private let willContinue: @Sendable () -> Bool
  /// The control of the work that this is a part of.
  private let whole: RunControl?

  /// - Parameter willContinue: called wherever the run could stop; a test returns `false` to stop
  ///   it at a place of its choice.
  package convenience init(
    timeBudget: Duration? = nil, report: @escaping @Sendable (MigrationProgress) -> Void = { _ in },
    willContinue: @escaping @Sendable () -> Bool = { true }
  ) {
    self.init(
      timeBudget: timeBudget, whole: nil, report: report, willContinue: willContinue)
  }

  private init(
    timeBudget: Duration?, whole: RunControl?,
    report: @escaping @Sendable (MigrationProgress) -> Void,
    willContinue: @escaping @Sendable () -> Bool
  ) {
    self.whole = whole
    state = Mutex(State(progress: MigrationProgress()))
    deadline = timeBudget.map { ContinuousClock.now + $0 }
    self.report = report
    self.willContinue = willContinue
  }

  /// Asks the run to stop at its next batch.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  /// Whether the run should stop.
  package var shouldStop: Bool {
    let (isCancelled, awaitsAdvance) = state.withLock { ($0.isCancelled, $0.awaitsAdvance) }
    if isCancelled || !willContinue() { return true }
    guard !awaitsAdvance, let deadline else { return false }
    return ContinuousClock.now >= deadline
  }

  /// Whether the time budget is over, and nobody has asked the run to stop.
  var isOutOfTime: Bool {
    guard !state.withLock({ $0.isCancelled }), willContinue(), let deadline else { return false }
    return ContinuousClock.now >= deadline
  }

  /// Leaves the time budget out of account until ``noteAdvance()``.
  ///
  /// Some pieces of work cannot be continued, and may take longer than the budget: without this, a run that
  /// is continued again and again would never get beyond them.
  func awaitAdvance() {
    state.withLock { $0.awaitsAdvance = true }
    whole?.awaitAdvance()
  }

  /// Notes that a later run need not do again what this one has done since it was continued.
  func noteAdvance() {
    state.withLock { $0.awaitsAdvance = false }
    whole?.noteAdvance()
  }

  /// Throws when the run should stop.
  package func checkCancellation() throws(Cancellation) {
    if shouldStop { throw Cancellation() }
  }

  /// Makes the statements of a connection end soon after the run should stop: they fail with
  /// `SQLITE_INTERRUPT`.
  package func stopStatements(of connection: Connection) {
    connection.setProgressHandler(every: 200_000) { [self] in shouldStop }
  }

  /// Runs `body` so that every SQL statement in it ends soon after the run should stop, on any
  /// connection.
  ///
  /// - Parameter body: receives a function that another thread must call a few times per second
  ///   while `body` runs.
  package func watching<Result>(
    _ body: (_ check: @escaping @Sendable () -> Void) throws -> Result
  ) rethrows -> Result {
    let watch = StatementWatch { [self] in shouldStop }
    return try StatementWatch.$current.withValue(watch) { try body { watch.interruptIfAsked() } }
  }

  /// Changes the progress and reports it, at most about ten times per second unless it
  /// `isMilestone`.
  ///
  /// - Parameter now: the current time; a test passes its own.
  func update(
    isMilestone: Bool = false, now: ContinuousClock.Instant = .now,
    _ change: (inout MigrationProgress) -> Void
  ) {
    let due: MigrationProgress? = state.withLock { state in
      let before = state.progress
      change(&state.progress)
      state.progress.holdFraction()
      if state.passes.note(state.progress, after: before, at: now) {
        state.progress.finishedPasses = state.passes.all
      }
      state.clock.note(state.progress, at: now)
      if state.workStarted == nil, ![.prepare, .stage, .copy].contains(state.progress.phase) {
        state.workStarted = now
      }
      let elapsed = state.workStarted.map { $0.duration(to: now) / .seconds(1) } ?? 0
      let own = state.progress.completed - state.resumed
      if elapsed >= Self.measuredSeconds, own > 0 {
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

  /// The seconds that each pass of a step ran in this process, by name.
  ///
  /// - Parameter step: the number of the step, from 1.
  func passSeconds(ofStep step: Int) -> [String: Double] {
    state.withLock { $0.clock.seconds(ofStep: step) }
  }

  /// Reports that the work has entered a phase.
  package func enter(_ phase: MigrationProgress.Phase) {
    update(isMilestone: true) { $0.phase = phase }
  }

  /// The control of a migration that is part of this work. It stops with the work, and its progress
  /// is the work's progress, except that the work is not finished when the migration is.
  package func partial() -> RunControl {
    RunControl(
      timeBudget: nil, whole: self,
      report: { [self] progress in
        update(isMilestone: true) {
          $0 = progress
          if progress.phase == .finished { $0.phase = .cutOver }
        }
      },
      willContinue: { [self] in !shouldStop })
  }

  /// Corrects what was foreseen: a step reads what the one before has made, and a pass that begins
  /// again reads its objects again.
  ///
  /// - Parameters:
  ///   - completed: the source objects read so far that need not be read again.
  ///   - total: those, and what will be read as far as it is known now.
  ///   - change: what else changes.
  func correct(
    completed: Int64, total: Int64, _ change: (inout MigrationProgress) -> Void = { _ in }
  ) {
    state.withLock { $0.resumed = min($0.resumed, completed) }
    update(isMilestone: true) {
      $0.completed = completed
      $0.total = total
      change(&$0)
    }
  }

  /// Adds the objects that an interrupted run has processed to the progress.
  ///
  /// - Parameter isInPass: whether they belong to the pass that is shown.
  func resume(_ objects: Int64, isInPass: Bool = true) {
    guard objects > 0 else { return }
    state.withLock { $0.resumed = $0.resumed.saturatingAdd(objects) }
    update(isMilestone: true) {
      $0.completed = $0.completed.saturatingAdd(objects)
      if isInPass { $0.passCompleted = $0.passCompleted.saturatingAdd(objects) }
    }
  }
}

/// The run was asked to stop.
package struct Cancellation: Error {}
