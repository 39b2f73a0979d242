/// Finds out which passes are finished, by what the progress says.
struct FinishedPasses: Sendable {
  private(set) var all: [MigrationProgress.FinishedPass] = []
  private var current: Place?
  private var started: ContinuousClock.Instant?

  /// Takes note of a change of the progress.
  ///
  /// - Parameters:
  ///   - before: the progress before the change, whose numbers are those of the pass that it ended.
  ///   - now: the time of the change.
  /// - Returns: whether the list has changed.
  mutating func note(
    _ progress: MigrationProgress, after before: MigrationProgress, at now: ContinuousClock.Instant
  ) -> Bool {
    let (old, new) = (current, place(progress))
    guard old != new else { return false }
    current = new
    let since = started
    started = now
    var isChanged = false
    if let new {
      // A step that starts again, without pages for instance, makes its passes again.
      let count = all.count
      all.removeAll { $0.step == new.step && $0.pass >= new.pass }
      isChanged = all.count != count
      if let old, old.step == new.step, new.pass <= old.pass { return isChanged }
    }
    guard let old, let since else { return isChanged }
    all.append(
      MigrationProgress.FinishedPass(
        step: old.step, pass: old.pass, passCount: before.passCount, name: before.passName,
        read: before.passCompleted, seconds: since.duration(to: now) / .seconds(1)))
    return true
  }

  private struct Place: Equatable {
    var step: Int
    var pass: Int
  }

  /// The pass that is running. The pages that it has written are verified as a part of it; what is
  /// verified after the passes of a step is not.
  private func place(_ progress: MigrationProgress) -> Place? {
    switch progress.phase {
    case .create, .relate, .validate:
      progress.passName.isEmpty ? nil : Place(step: progress.step, pass: progress.pass)
    case .verify: current
    case .prepare, .stage, .copy, .assemble, .seal, .cutOver, .finished: nil
    }
  }
}
