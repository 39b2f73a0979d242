internal import Synchronization

/// Adds up the memory that sorters have, for tests.
package final class MemoryMeter: Sendable {
  private let state = Mutex((now: 0, peak: 0))

  package init() {}

  /// The most bytes that all of them have had at a time.
  package var peak: Int { state.withLock { $0.peak } }

  func add(_ byteCount: Int) {
    state.withLock { state in
      state.now += byteCount
      state.peak = max(state.peak, state.now)
    }
  }
}
