import Passage
import TestSupport
import Testing

@testable import PassageCommands

/// What a command ends with that was asked to stop.
struct ReadingStopTests {
  private static let state = "the source is unchanged and nothing was left behind"

  private func failure(_ error: (any Error)?, isAnswer: Bool) -> MigrationError? {
    ReadingStop.failure(insteadOf: error, isAnswer: isAnswer) as? MigrationError
  }

  @Test func `a command that writes says what is on disk`() {
    let diagnostic = Diagnostic("STO-119", "reading the store was stopped")
    let stopped = MigrationError(.cancelled, diagnostic, diskState: Self.state)
    #expect(failure(stopped, isAnswer: false)?.diagnostics.first?.code == "STO-119")
    #expect(failure(stopped, isAnswer: false)?.diskState == Self.state)
    let failed = MigrationError(.inputOutput, diagnostic, diskState: Self.state)
    #expect(failure(failed, isAnswer: false)?.diskState == Self.state)
    let bare = failure(MigrationError(.cancelled, diagnostic), isAnswer: false)
    #expect(bare?.kind == .cancelled && bare?.diskState == "nothing was written")
  }

  @Test func `a command that only reads says nothing of the disk`() {
    for error in [nil, MigrationError(.cancelled, Diagnostic("STO-119", "stopped"))] {
      let found = failure(error, isAnswer: true)
      #expect(found?.diagnostics.first?.code == "RUN-013" && found?.diskState == nil)
    }
  }
}
