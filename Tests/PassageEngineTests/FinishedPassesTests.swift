import Testing

@testable import PassageEngine

/// Which passes are finished, as the progress tells it.
final class FinishedPassesTests {
  private let start = ContinuousClock.now
  private var passes = FinishedPasses()
  private var before = MigrationProgress()
  private var seconds = 0

  private func progress(
    _ phase: MigrationProgress.Phase, step: Int = 1, pass: Int = 1, name: String = "",
    read: Int64 = 0
  ) -> MigrationProgress {
    var progress = MigrationProgress()
    (progress.phase, progress.step, progress.pass) = (phase, step, pass)
    (progress.passName, progress.passCompleted, progress.passCount) = (name, read, 2)
    return progress
  }

  /// Tells a change, one second after the last one.
  private func note(_ progress: MigrationProgress) -> Bool {
    seconds += 1
    defer { before = progress }
    return passes.note(progress, after: before, at: start + .seconds(seconds))
  }

  private var found: [String] {
    passes.all.map {
      "\($0.step).\($0.pass) of \($0.passCount) \($0.name) \($0.read) \($0.seconds)"
    }
  }

  @Test func `a pass ends where the next one begins or the passes end`() {
    #expect(!note(progress(.stage)))
    #expect(!note(progress(.create, name: "A")))
    #expect(!note(progress(.relate, name: "A", read: 7)))
    // Its pages are verified as a part of it.
    #expect(!note(progress(.verify, name: "A", read: 9)))
    #expect(note(progress(.create, pass: 2, name: "B")))
    #expect(!note(progress(.validate, pass: 2, name: "B", read: 4)))
    #expect(note(progress(.assemble, pass: 2)))
    #expect(!note(progress(.verify)))
    #expect(!note(progress(.finished)))
    #expect(found == ["1.1 of 2 A 9 3.0", "1.2 of 2 B 4 2.0"])
  }

  @Test func `a phase without a mapping model is no pass`() {
    #expect(!note(progress(.create)))
    #expect(!note(progress(.seal)))
    #expect(found == [])
  }

  @Test func `a step that begins again makes its passes again`() {
    _ = note(progress(.create, name: "A", read: 1))
    _ = note(progress(.create, pass: 2, name: "B", read: 2))
    // Begun again at its first pass: what was finished is not, and the pass that was running is none.
    #expect(note(progress(.create, name: "A")))
    #expect(found == [])
    _ = note(progress(.relate, name: "A", read: 5))
    #expect(note(progress(.seal)))
    #expect(found == ["1.1 of 2 A 5 2.0"])
    // The next step leaves the earlier ones as they are.
    _ = note(progress(.create, step: 2, name: "C", read: 3))
    #expect(note(progress(.finished, step: 2)))
    #expect(found == ["1.1 of 2 A 5 2.0", "2.1 of 2 C 3 1.0"])
  }
}
