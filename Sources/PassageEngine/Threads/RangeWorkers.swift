internal import Dispatch
internal import PassagePages
internal import Synchronization

/// Works on ranges of a table's leaves on several threads, and hands over in order what becomes of
/// them: rows that were copied, counts, digests.
///
/// The thread that asks for the next range works on ranges too, instead of waiting. The ranges are
/// the same for any number of threads, and so is what is made of them.
final class RangeWorkers<Output: Sendable>: Sendable {
  /// What a thread does with a range; it gives `nil` where the thread that takes must do it itself.
  typealias Work = (LeafRange) -> Output?
  typealias Result = (range: LeafRange, output: Output?)

  private struct State {
    var ranges: LeafRanges
    /// How many ranges have been given to a thread.
    var begunCount = 0
    var isAtEnd = false
    var isStopped = false
    /// Ranges that are done and not next.
    var waiting: [Int: Result] = [:]
  }

  /// Ranges that are done and may wait, for each thread.
  private static var waitingPerThread: Int { 2 }

  private let state: Mutex<State>
  private let makeWork: @Sendable () -> Work?
  /// Has a unit for each range that may be begun.
  private let room: DispatchSemaphore
  /// Is signalled when a thread has done a range.
  private let done = DispatchSemaphore(value: 0)
  private let threads = DispatchGroup()
  private let threadCount: Int

  /// - Parameters:
  ///   - threadCount: the threads, the one that takes the ranges included; at least 2.
  ///   - makeWork: makes a thread's own; `nil` when the thread that takes must do everything.
  init(
    _ ranges: sending LeafRanges, threadCount: Int,
    makeWork: @escaping @Sendable () -> Work?
  ) {
    state = Mutex(State(ranges: ranges))
    self.threadCount = threadCount
    self.makeWork = makeWork
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
    fileprivate var work: Work?
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
        done.wait()
        continue
      }
      guard let (index, range) = begin() else {
        room.signal()
        if state.withLock({ wanted >= $0.begunCount }) { return nil }
        done.wait()
        continue
      }
      if taker.work == nil { taker.work = makeWork() }
      let result = (range, taker.work?(range))
      if index == wanted {
        room.signal()
        return result
      }
      state.withLock { $0.waiting[index] = result }
    }
  }

  /// Whether threads have begun the last range.
  var isAllBegun: Bool { state.withLock { $0.isAtEnd } }

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
    let work = makeWork()
    while true {
      room.wait()
      guard let (index, range) = begin() else { break }
      let result = (range, work?(range))
      state.withLock { $0.waiting[index] = result }
      done.signal()
    }
    // Who waits for a range looks again.
    room.signal()
    done.signal()
  }
}
