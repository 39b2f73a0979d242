internal import Dispatch
internal import PassagePages
internal import Synchronization

/// Pieces of work in the order in which their results are wanted.
protocol WorkSource: SendableMetatype {
  associatedtype Piece: Sendable

  /// The next piece.
  ///
  /// - Returns: `nil` when there is none.
  /// - Throws: an error that who takes the results finds too.
  mutating func next() throws -> Piece?
}

extension LeafRanges: WorkSource {}

/// Works on ranges of a table's leaves: rows that are copied, counts, digests.
typealias RangeWorkers<Output: Sendable> = OrderedWorkers<LeafRanges, Output>

/// Works on pieces on several threads, and hands over in order what becomes of them.
///
/// The thread that asks for the next result works on pieces too, instead of waiting. The pieces are
/// the same for any number of threads, and so is what is made of them.
final class OrderedWorkers<Source: WorkSource, Output: Sendable>: Sendable {
  /// What a thread does with a piece; it gives `nil` where the thread that takes must do it itself.
  typealias Work = (Source.Piece) -> Output?
  typealias Result = (piece: Source.Piece, output: Output?)

  private struct State {
    var source: Source
    /// How many pieces have been given to a thread.
    var begunCount = 0
    var isAtEnd = false
    var isStopped = false
    /// Pieces that are done and not next.
    var waiting: [Int: Result] = [:]
  }

  private let state: Mutex<State>
  private let makeWork: @Sendable () -> Work?
  /// Has a unit for each piece that may be begun.
  private let room: DispatchSemaphore
  /// Is signalled when a thread has done a piece.
  private let done = DispatchSemaphore(value: 0)
  private let threads = DispatchGroup()
  private let threadCount: Int

  /// - Parameters:
  ///   - threadCount: the threads, the one that takes the results included; at least 2.
  ///   - piecesPerThread: so many pieces for each thread are begun and not taken at most.
  ///   - makeWork: makes a thread's own; `nil` when the thread that takes must do everything.
  init(
    _ source: sending Source, threadCount: Int, piecesPerThread: Int = 2,
    makeWork: @escaping @Sendable () -> Work?
  ) {
    state = Mutex(State(source: source))
    self.threadCount = threadCount
    self.makeWork = makeWork
    // A semaphore must not be released below the value it began with.
    room = DispatchSemaphore(value: 0)
    for _ in 0..<threadCount * piecesPerThread { room.signal() }
    for number in 1..<threadCount {
      let queue = DispatchQueue(label: "passage.worker.\(number)", qos: .userInitiated)
      queue.async(group: threads) { self.work() }
    }
  }

  /// What the thread that takes the results keeps from one to the next.
  struct Taker {
    fileprivate var work: Work?
    fileprivate var nextIndex = 0

    /// - Parameter work: what the thread that takes does with a piece; `nil` for what the others do.
    init(work: Work? = nil) { self.work = work }
  }

  // MARK: Taking

  /// The next piece in order, and what became of it.
  ///
  /// - Returns: `nil` after the last one, and where the source has failed: as where the pages above
  ///   leaves are damaged. The rest is then done by who asks, who finds the error.
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
      guard let (index, piece) = begin() else {
        room.signal()
        if state.withLock({ wanted >= $0.begunCount }) { return nil }
        done.wait()
        continue
      }
      if taker.work == nil { taker.work = makeWork() }
      let result = (piece, taker.work?(piece))
      if index == wanted {
        room.signal()
        return result
      }
      state.withLock { $0.waiting[index] = result }
    }
  }

  /// Whether threads have begun the last piece.
  var isAllBegun: Bool { state.withLock { $0.isAtEnd } }

  /// Ends the threads.
  func stop() {
    state.withLock { $0.isStopped = true }
    for _ in 1..<threadCount { room.signal() }
    threads.wait()
  }

  // MARK: The threads

  private func begin() -> (index: Int, piece: Source.Piece)? {
    state.withLock { state in
      guard !state.isStopped, !state.isAtEnd else { return nil }
      guard let piece = try? state.source.next() else {
        state.isAtEnd = true
        return nil
      }
      defer { state.begunCount += 1 }
      return (state.begunCount, piece)
    }
  }

  private func work() {
    let work = makeWork()
    while true {
      room.wait()
      guard let (index, piece) = begin() else { break }
      let result = (piece, work?(piece))
      state.withLock { $0.waiting[index] = result }
      done.signal()
    }
    // Who waits for a piece looks again.
    room.signal()
    done.signal()
  }
}
