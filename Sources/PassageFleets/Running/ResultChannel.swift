internal import Dispatch
internal import Synchronization

/// Hands results of threads to one asynchronous reader. A thread that would fill it waits, so its
/// memory is bounded.
package final class ResultChannel<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    /// The place of the first element that was not read.
    var start = 0
    var isFinished = false
    var readers = 0
    /// Whether results are kept although nobody reads.
    var isKeeping = true
    /// Whether a full channel takes more: the last few results of a run that ends early.
    var isEnding = false
    /// Readers that wait for an element or the end.
    var sleepers: [CheckedContinuation<Void, Never>] = []
    var senders: [DispatchSemaphore] = []

    var count: Int { waiting.count - start }
  }

  private let limit: Int
  private let state = Mutex(State())

  package init(limit: Int = 1_000) { self.limit = limit }

  /// Whoever reads. When it is gone, results are no longer kept for it.
  package final class Reader: Sendable {
    private let channel: ResultChannel

    fileprivate init(_ channel: ResultChannel) { self.channel = channel }

    deinit { channel.leave() }

    /// The next element; `nil` at the end.
    package func next() async -> Element? { await channel.next() }
  }

  package func reader() -> Reader {
    state.withLock { $0.readers += 1 }
    return Reader(self)
  }

  /// Hands an element over; waits while the channel is full and somebody may still read it.
  package func send(_ element: Element) {
    while true {
      let wait: DispatchSemaphore? = state.withLock { state in
        if state.readers == 0, !state.isKeeping { return nil }
        if state.count < limit || state.isEnding {
          state.waiting.append(element)
          Self.wake(&state)
          return nil
        }
        let turn = DispatchSemaphore(value: 0)
        state.senders.append(turn)
        return turn
      }
      guard let wait else { return }
      wait.wait()
    }
  }

  /// Nothing follows.
  package func finish() {
    state.withLock { state in
      state.isFinished = true
      Self.wake(&state)
    }
  }

  /// Keeps nothing unless somebody reads.
  package func stopKeeping() {
    state.withLock { state in
      state.isKeeping = false
      if state.readers == 0 { Self.empty(&state) }
    }
  }

  /// Few results follow: nobody waits any more to hand one over.
  package func end() {
    state.withLock { state in
      state.isKeeping = false
      state.isEnding = true
      if state.readers == 0 { Self.empty(&state) } else { Self.wakeSenders(&state) }
    }
  }

  private func leave() {
    state.withLock { state in
      state.readers -= 1
      // Whoever stopped reading does not begin again.
      state.isKeeping = false
      if state.readers == 0 { Self.empty(&state) }
    }
  }

  private static func empty(_ state: inout State) {
    state.waiting = []
    state.start = 0
    wakeSenders(&state)
  }

  private static func wakeSenders(_ state: inout State) {
    for sender in state.senders { sender.signal() }
    state.senders = []
  }

  private static func wake(_ state: inout State) {
    for sleeper in state.sleepers { sleeper.resume() }
    state.sleepers = []
  }

  private func next() async -> Element? {
    while true {
      let (element, isAtEnd) = state.withLock { state -> (Element?, Bool) in
        guard state.count > 0 else { return (nil, state.isFinished) }
        let element = state.waiting[state.start]
        state.start += 1
        // What was read is removed now and then, not each time.
        if state.start >= limit {
          state.waiting.removeFirst(state.start)
          state.start = 0
        }
        Self.wakeSenders(&state)
        return (element, false)
      }
      if let element { return element }
      if isAtEnd { return nil }
      await withCheckedContinuation { reader in
        let isReady = state.withLock { state in
          if state.count > 0 || state.isFinished { return true }
          state.sleepers.append(reader)
          return false
        }
        if isReady { reader.resume() }
      }
    }
  }
}
