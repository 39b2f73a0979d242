internal import Dispatch
internal import PassagePages
internal import Synchronization

/// Copies ranges of a source table's rows on several threads, and hands them over in order.
///
/// The thread that asks for the next range copies ranges too, instead of waiting. The ranges are the
/// same for any number of threads, and so is what is made of them.
final class RangeWorkers: Sendable {
  /// A range, and its rows; `nil` where the thread that writes must copy them itself.
  typealias Result = (range: LeafRange, rows: CopiedRange?)

  private struct State {
    var ranges: LeafRanges
    /// How many ranges have been given to a thread.
    var begunCount = 0
    var isAtEnd = false
    var isStopped = false
    /// Copied ranges that are not next.
    var waiting: [Int: Result] = [:]
  }

  /// Copied ranges that may wait, for each thread.
  private static let waitingPerThread = 2

  private let state: Mutex<State>
  private let makeCopier: @Sendable () -> RangeCopier?
  /// Has a unit for each range that may be begun.
  private let room: DispatchSemaphore
  /// Is signalled when a thread has copied a range.
  private let copied = DispatchSemaphore(value: 0)
  private let threads = DispatchGroup()
  private let threadCount: Int

  /// - Parameters:
  ///   - threadCount: the threads, the one that takes the ranges included; at least 2.
  ///   - makeCopier: makes a thread's own; `nil` when the rows cannot be copied so.
  init(
    _ ranges: sending LeafRanges, threadCount: Int,
    makeCopier: @escaping @Sendable () -> RangeCopier?
  ) {
    state = Mutex(State(ranges: ranges))
    self.threadCount = threadCount
    self.makeCopier = makeCopier
    // A semaphore must not be released below the value it began with.
    room = DispatchSemaphore(value: 0)
    for _ in 0..<threadCount * Self.waitingPerThread { room.signal() }
    for number in 1..<threadCount {
      let queue = DispatchQueue(label: "passage.range.\(number)", qos: .userInitiated)
      queue.async(group: threads) { self.work() }
    }
  }

  /// What the thread that takes the ranges keeps from one to the next.
  struct Taker {
    fileprivate var copier: RangeCopier?
    fileprivate var nextIndex = 0
  }

  // MARK: Taking

  /// The next range in order.
  ///
  /// - Returns: `nil` after the last one, and where the pages above the leaves are damaged: the rest
  ///   is then swept by who asks, who finds the damage.
  func next(_ taker: inout Taker) -> Result? {
    defer { taker.nextIndex += 1 }
    while true {
      let wanted = taker.nextIndex
      if let result = state.withLock({ $0.waiting.removeValue(forKey: wanted) }) {
        room.signal()
        return result
      }
      if state.withLock({ $0.isAtEnd && wanted >= $0.begunCount }) { return nil }
      guard room.wait(timeout: .now()) == .success else {
        copied.wait()
        continue
      }
      guard let (index, range) = begin() else {
        room.signal()
        if state.withLock({ wanted >= $0.begunCount }) { return nil }
        copied.wait()
        continue
      }
      if taker.copier == nil { taker.copier = makeCopier() }
      let result = (range, taker.copier?.copy(range))
      if index == wanted {
        room.signal()
        return result
      }
      state.withLock { $0.waiting[index] = result }
    }
  }

  /// Ends the threads.
  func stop() {
    state.withLock { $0.isStopped = true }
    for _ in 1..<threadCount { room.signal() }
    threads.wait()
  }

  // MARK: The threads

  private func begin() -> (index: Int, range: LeafRange)? {
    state.withLock { state in
      guard !state.isStopped, !state.isAtEnd else { return nil }
      guard let range = try? state.ranges.next() else {
        state.isAtEnd = true
        return nil
      }
      defer { state.begunCount += 1 }
      return (state.begunCount, range)
    }
  }

  private func work() {
    let copier = makeCopier()
    while true {
      room.wait()
      guard let (index, range) = begin() else { break }
      let result = (range, copier?.copy(range))
      state.withLock { $0.waiting[index] = result }
      copied.signal()
    }
    // Who waits for a range looks again.
    room.signal()
    copied.signal()
  }
}
