internal import Synchronization

/// Rows that wait for the writer of their table: each as the cell of a leaf.
///
/// A thread that does not have the writer fills it.
package struct RowBuffer: Sendable {
  /// The bytes before each cell: its own number of bytes, the position of the program that made the
  /// row, and the row's key.
  static let headBytes = 16

  /// The rows, one after the other.
  private let rows: LentMemory
  package let byteCount: Int
  package let rowCount: Int

  /// - Parameters:
  ///   - rows: nobody writes to it any more.
  ///   - byteCount: of the rows in it.
  init(_ rows: LentMemory, byteCount: Int, rowCount: Int) {
    self.rows = rows
    self.byteCount = byteCount
    self.rowCount = rowCount
  }

  /// Calls `body` with each row's key, and the position of the program that made it.
  func forEachKey(_ body: (_ program: Int, _ key: Int64) -> Void) {
    forEachRow { program, key, _ in body(program, key) }
  }

  /// Calls `body` with each row: the position of the program that made it, its key and its cell.
  @inline(__always)
  func forEachRow<Failure>(
    _ body: (_ program: Int, _ key: Int64, _ cell: UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    defer { withExtendedLifetime(rows) {} }
    let start = rows.bytes
    var place = 0
    while place + Self.headBytes <= byteCount {
      let cellBytes = Int(start.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      try body(
        Int(start.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)),
        start.loadUnaligned(fromByteOffset: place + 8, as: Int64.self),
        UnsafeRawBufferPointer(start: start + place + Self.headBytes, count: cellBytes))
      place += Self.headBytes + cellBytes
    }
  }
}

/// Memory for rows that threads use in turns: the system clears what it has not given before.
final class RowMemoryPool: Sendable {
  /// Memory that goes from one thread to another.
  // Unchecked: the thread that took it out of the pool is the only one that writes to it, and it is read
  // when that is done, as a ``LentMemory``, until it is back in the pool.
  fileprivate struct Passed: @unchecked Sendable {
    let memory: RawMemory
  }

  private let spare = Mutex<[Passed]>([])

  /// Memory of at least so many bytes.
  func take(byteCount: Int) -> RawMemory {
    let kept = spare.withLock { $0.popLast() }?.memory
    if let kept, kept.byteCount >= byteCount { return kept }
    return RawMemory(byteCount: byteCount)
  }

  fileprivate func giveBack(_ passed: Passed) { spare.withLock { $0.append(passed) } }
}

/// Memory that nobody writes to any more, and that goes back to its pool when nobody reads it.
final class LentMemory: Sendable {
  private let passed: RowMemoryPool.Passed
  private let pool: RowMemoryPool

  init(_ memory: RawMemory, of pool: RowMemoryPool) {
    passed = RowMemoryPool.Passed(memory: memory)
    self.pool = pool
  }

  deinit { pool.giveBack(passed) }

  var bytes: UnsafeRawPointer { UnsafeRawPointer(passed.memory.bytes) }
}

/// A row does not fit a leaf, or the rows of a range are more than wait in memory.
struct RowTooLong: Error {}

/// Memory for the rows of a range.
final class RowMemory {
  /// A range with more is left to the writer's thread.
  private static let mostBytes = 4 << 20
  private static let firstBytes = 256 << 10

  private let longestPayload: Int
  private let pool: RowMemoryPool
  private var memory: RawMemory
  /// Where ``memory`` is, and how much it is.
  private var bytes: UnsafeMutableRawPointer
  private var capacity: Int
  private var used = 0
  private var rowCount = 0

  /// - Parameters:
  ///   - longestPayload: that fits the leaves of the table.
  ///   - pool: threads may share it.
  init(longestPayload: Int, pool: RowMemoryPool) {
    self.longestPayload = longestPayload
    self.pool = pool
    memory = pool.take(byteCount: Self.firstBytes)
    bytes = memory.bytes
    capacity = memory.byteCount
  }

  /// Appends a row whose record has been put together.
  ///
  /// - Parameter program: the position of the program that made it.
  /// - Returns: false when it does not fit a leaf, or the rows are too many to wait.
  @inline(never)
  func append(key: Int64, program: Int, _ parts: RecordParts) -> Bool {
    let head = parts.head(key: key)
    let before = parts.type - head.start
    guard head.payload <= longestPayload,
      let cell = makeRoom(key: key, program: program, cellBytes: before + parts.valueBytes)
    else { return false }
    parts.copyCell(from: head.start, to: cell)
    return true
  }

  /// Makes room for a row.
  ///
  /// - Returns: where its cell goes; `nil` when the rows are too long to wait.
  @inline(__always)
  private func makeRoom(
    key: Int64, program: Int, cellBytes: Int
  ) -> UnsafeMutableRawPointer? {
    let end = used &+ RowBuffer.headBytes &+ cellBytes
    if end > capacity, !grow(to: end) { return nil }
    let place = bytes + used
    // Cells of any length follow each other, so nothing is aligned.
    place.storeBytes(of: UInt32(truncatingIfNeeded: cellBytes), as: UInt32.self)
    place.storeBytes(of: UInt32(truncatingIfNeeded: program), toByteOffset: 4, as: UInt32.self)
    place.storeBytes(of: key, toByteOffset: 8, as: Int64.self)
    used = end
    rowCount &+= 1
    return place + RowBuffer.headBytes
  }

  @inline(never)
  private func grow(to byteCount: Int) -> Bool {
    guard byteCount <= Self.mostBytes else { return false }
    let larger = RawMemory(byteCount: min(Self.mostBytes, max(byteCount, 2 * capacity)))
    larger.bytes.copyMemory(from: bytes, byteCount: used)
    replace(with: larger)
    return true
  }

  private func replace(with other: RawMemory) {
    memory = other
    bytes = other.bytes
    capacity = other.byteCount
  }

  /// Takes the rows out.
  func take() -> RowBuffer {
    let rows = RowBuffer(LentMemory(memory, of: pool), byteCount: used, rowCount: rowCount)
    replace(with: pool.take(byteCount: Self.firstBytes))
    removeAll()
    return rows
  }

  func removeAll() {
    used = 0
    rowCount = 0
  }
}

extension TableTreeWriter {
  /// Appends rows.
  ///
  /// - Throws: ``KeyOutOfOrder``, or an error of the file.
  package func append(_ rows: RowBuffer) throws {
    try rows.forEachRow { _, key, cell in try append(key: key, cell: cell) }
  }
}
