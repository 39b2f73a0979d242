#if os(Linux)
  internal import CLinux
#endif

/// The processors that this process may use, for threads that wake each other often.
///
/// Linux has a thread go on where it was before, or where the one runs that wakes it. In a virtual
/// machine it seems to take a processor that has nothing to do for one that the host has taken away, and
/// leaves it alone: with the stores of a fleet on two processors, one of them was idle for a quarter of the
/// run while threads waited for the other.
package struct Processors: Sendable {
  /// Their numbers; empty where threads cannot be bound to one.
  private let numbers: [Int32]

  /// - Parameter numbers: as the system numbers them; none to leave every thread where it is.
  package init(numbers: [Int32]) { self.numbers = numbers }

  /// Those that the running thread may use, as the system says. `sched_getaffinity(2)`.
  package static var usable: Processors {
    #if os(Linux)
      let room = Int(passage_processor_limit)
      let numbers = [Int32](unsafeUninitializedCapacity: room) { buffer, count in
        count = Int(passage_usable_processors(buffer.baseAddress))
      }
      return Processors(numbers: numbers)
    #else
      return Processors(numbers: [])
    #endif
  }

  /// How many there are; 0 where threads cannot be bound to one.
  package var count: Int { numbers.count }

  /// Runs a piece of work on one processor, where the system can do that. Threads that are begun
  /// meanwhile inherit it, and keep it. `sched_setaffinity(2)`.
  ///
  /// - Parameter index: from 0, and less than ``count``; with any other, and with `nil`, the work runs where
  ///   the system has it run.
  package func running<Result>(
    on index: Int?, _ body: () throws -> Result
  ) rethrows -> Result {
    #if os(Linux)
      guard let index, numbers.indices.contains(index) else { return try body() }
      passage_use_processors([numbers[index]], 1)
      // The thread may be given other work later.
      defer { passage_use_processors(numbers, Int32(numbers.count)) }
    #endif
    return try body()
  }
}
