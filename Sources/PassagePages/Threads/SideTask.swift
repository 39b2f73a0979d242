internal import Dispatch
internal import Synchronization

/// Work on a thread of its own, beside the thread that begins it.
///
/// Whoever begins the work keeps this object and waits for the work, at the latest when the object
/// goes: no thread outlives what it works for.
package final class SideTask<Output: Sendable>: Sendable {
  /// What the work gave. The work keeps this, and not the task, whose end waits for it.
  private final class Outcome: Sendable {
    let result = Mutex<Result<Output, any Error>?>(nil)
  }

  private let outcome = Outcome()
  private let group = DispatchGroup()

  /// Begins the work.
  package init(_ work: @escaping @Sendable () throws -> Output) {
    let outcome = outcome
    DispatchQueue(label: "passage.side", qos: .userInitiated).async(group: group) {
      let result = Result { try work() }
      outcome.result.withLock { $0 = result }
    }
  }

  deinit { wait() }

  /// Waits until the work is done.
  package func wait() { group.wait() }

  /// Waits until the work is done.
  ///
  /// - Returns: what it gave.
  /// - Throws: its error.
  package func value() throws -> Output {
    wait()
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
