internal import Synchronization

/// Memory that a thread writes cells to again when another thread has read them: the system clears what
/// it has not given before.
final class CellMemoryPool: Sendable {
  /// Memory that goes from one thread to another.
  // Unchecked: the thread that took it out of the pool is the only one that writes to it, and it is read
  // when that is done, as a ``LentMemory``, until it is back in the pool.
  struct Passed: @unchecked Sendable {
    let memory: RawMemory
  }

  private let spare = Mutex<[Passed]>([])

  /// Memory of at least so many bytes.
  func take(byteCount: Int) -> RawMemory {
    let kept = spare.withLock { $0.popLast() }?.memory
    if let kept, kept.byteCount >= byteCount { return kept }
    return RawMemory(byteCount: byteCount)
  }

  func giveBack(_ passed: Passed) { spare.withLock { $0.append(passed) } }
}

/// Memory that nobody writes to any more, and that goes back to its pool when nobody reads it.
final class LentMemory: Sendable {
  private let passed: CellMemoryPool.Passed
  private let pool: CellMemoryPool

  init(_ memory: RawMemory, of pool: CellMemoryPool) {
    passed = CellMemoryPool.Passed(memory: memory)
    self.pool = pool
  }

  deinit { pool.giveBack(passed) }

  var bytes: UnsafeRawPointer { UnsafeRawPointer(passed.memory.bytes) }
}
