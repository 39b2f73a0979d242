internal import PassagePages
internal import PassageSQLite
internal import Synchronization

/// What threads have in common that make the objects of a sweep's ranges.
final class SharedMaking: Sendable {
  private struct State {
    var isOver = false
    var madeCount = 0
    var leftCount = 0
  }

  /// More ranges than were made may be left before no more are tried.
  private static let mostLeft = 8

  let job: RangeCopier.Job
  let makings: [PageMaking]
  /// The rows after which a policy has a new instance.
  let rowsOfBatch: Int
  private let control: RunControl
  /// Ends the statements with which policies read the source.
  let watch = StatementWatch.current
  private let state = Mutex(State())

  init(
    _ job: RangeCopier.Job, _ makings: [PageMaking], rowsOfBatch: Int, _ control: RunControl
  ) {
    self.job = job
    self.makings = makings
    self.rowsOfBatch = rowsOfBatch
    self.control = control
  }

  /// Whether no more ranges are to be made.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Leaves what has not been made to the thread that writes.
  func stop() { state.withLock { $0.isOver = true } }

  /// Whether the objects of a range need not be finished.
  var shouldStop: Bool { isOver || control.shouldStop }

  /// Counts a range. When most are left, they cost twice, and no more are tried.
  func count(isMade: Bool) {
    state.withLock { state in
      if isMade { state.madeCount += 1 } else { state.leftCount += 1 }
      if state.leftCount > state.madeCount + Self.mostLeft { state.isOver = true }
    }
  }
}
