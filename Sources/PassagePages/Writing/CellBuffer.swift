/// Short cells that wait for the writer of their tree: entries of an index, or rows of a table.
///
/// They lie as in a leaf, the last one first, so that a leaf takes over as many of them as it has room for
/// in one piece. A thread that does not have the writer fills it.
package struct CellBuffer: Sendable {
  private let memory: LentMemory
  /// Where the first cell ends.
  private let cellsEnd: Int
  private let count: Int

  /// - Parameters:
  ///   - memory: begins with a byte for each cell, in order: how many it has.
  ///   - cellsEnd: where the first cell ends.
  init(_ memory: LentMemory, cellsEnd: Int, count: Int) {
    self.memory = memory
    self.cellsEnd = cellsEnd
    self.count = count
  }

  /// Calls `body` with all cells.
  func withCells<Result, Failure>(
    _ body: (WaitingCells) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(memory) {} }
    return try body(
      WaitingCells(length: memory.bytes, cellEnd: memory.bytes + cellsEnd, count: count))
  }
}

/// The cells of a buffer that no page has taken yet.
struct WaitingCells {
  /// Where the length of the next cell is.
  var length: UnsafeRawPointer
  /// Where that cell ends.
  var cellEnd: UnsafeRawPointer
  var count: Int

  @inline(__always)
  var cellBytes: Int { Int(length.load(as: UInt8.self)) }

  /// Goes on to the next cell.
  @inline(__always)
  mutating func advance() {
    cellEnd -= cellBytes
    length += 1
    count &-= 1
  }
}

/// Memory for the cells of a range.
final class CellMemory {
  /// The bytes before a cell that writing it may change.
  static let margin = 8
  private static let firstBytes = 256 << 10

  private let longestCell: Int
  private let pool: RowMemoryPool
  private var memory: RawMemory
  /// Where ``memory`` is.
  private var bytes: UnsafeMutableRawPointer
  /// Where the last cell begins: the next one ends there.
  private(set) var start: UnsafeMutableRawPointer
  private var count = 0

  /// - Parameters:
  ///   - longestCell: the most bytes of a cell, at most 255.
  ///   - pool: threads may share it.
  init(longestCell: Int, pool: RowMemoryPool) {
    precondition(longestCell <= UInt8.max)
    self.longestCell = longestCell
    self.pool = pool
    memory = pool.take(byteCount: Self.firstBytes)
    bytes = memory.bytes
    start = bytes + memory.byteCount
  }

  /// Makes room for so many cells.
  func reserve(_ more: Int) {
    let needed = more * (1 + longestCell) + Self.margin
    guard start - (bytes + count) < needed else { return }
    let cellBytes = bytes + memory.byteCount - start
    let larger = RawMemory(byteCount: max(2 * memory.byteCount, count + cellBytes + needed))
    larger.bytes.copyMemory(from: bytes, byteCount: count)
    let moved = larger.bytes + larger.byteCount - cellBytes
    moved.copyMemory(from: start, byteCount: cellBytes)
    (memory, bytes, start) = (larger, larger.bytes, moved)
  }

  /// Notes the next cell, which has been written so that it ends at ``start``.
  ///
  /// - Parameter cell: where it begins.
  /// - Precondition: room has been made for it.
  @inline(__always)
  func append(_ cell: UnsafeMutableRawPointer) {
    (bytes + count).storeBytes(of: UInt8(truncatingIfNeeded: start - cell), as: UInt8.self)
    start = cell
    count &+= 1
  }

  /// Takes the cells out.
  func take() -> CellBuffer {
    let cells = CellBuffer(
      LentMemory(memory, of: pool), cellsEnd: memory.byteCount, count: count)
    memory = pool.take(byteCount: Self.firstBytes)
    bytes = memory.bytes
    removeAll()
    return cells
  }

  func removeAll() {
    count = 0
    start = bytes + memory.byteCount
  }
}
