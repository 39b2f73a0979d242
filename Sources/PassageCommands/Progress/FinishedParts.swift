internal import Passage
internal import PassagePlatform

/// A line for each finished pass and, if wanted, for each phase outside the passes.
struct FinishedParts: ProgressShowing {
  private let console: Console
  private let withPhases: Bool
  private var told: [MigrationProgress.FinishedPass] = []
  private var phase: MigrationProgress.Phase?
  private var since = ContinuousClock.now

  init(console: Console, withPhases: Bool) {
    self.console = console
    self.withPhases = withPhases
  }

  mutating func show(_ progress: MigrationProgress) {
    for line in lines(progress) { console.printMessage(line) }
  }

  mutating func finish() {}

  /// The lines that a progress adds.
  ///
  /// - Parameter now: the current time; a test passes its own.
  mutating func lines(
    _ progress: MigrationProgress, now: ContinuousClock.Instant = .now
  ) -> [String] {
    var lines = progress.finishedPasses.filter { !told.contains($0) }
      .map { Self.line($0, stepCount: progress.stepCount) }
    told = progress.finishedPasses
    guard progress.phase != phase else { return lines }
    let isPass = phase.map { [.create, .relate, .validate].contains($0) } ?? false
    if withPhases, let phase, !isPass {
      let seconds = since.duration(to: now) / .seconds(1)
      lines.append("\(ProgressText.name(of: phase)): \(NumberText.duration(seconds))")
    }
    phase = progress.phase
    since = now
    return lines
  }

  /// `pass 1 of 2 StepOne: 2,000 objects read, 0.12 s`
  private static func line(_ pass: MigrationProgress.FinishedPass, stepCount: Int) -> String {
    let step = stepCount > 1 ? "step \(pass.step) of \(stepCount), " : ""
    return "\(step)pass \(pass.pass) of \(pass.passCount) \(pass.name.visibleLine): "
      + "\(NumberText.count(pass.read, "object")) read, \(NumberText.duration(pass.seconds))"
  }
}
