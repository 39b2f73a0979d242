///
/// Their cells lie as in a leaf, the last one first, so that a leaf takes over as many of them as it has
/// room for in one piece. A thread that does not have the writer fills it.
package struct RowBuffer: Sendable {
  /// What is known of each row, in order: the number of bytes of its cell, the position of the program
  /// that made it, and its key.
  static let headBytes = 16

  private let memory: LentMemory
  /// Where the first row's cell ends.
  private let cellsEnd: Int
  package let byteCount: Int
  package let rowCount: Int

  /// - Parameters:
  ///   - memory: begins with the heads; nobody writes to it any more.
  ///   - cellsEnd: where the first row's cell ends.
  ///   - byteCount: of heads and cells.
  init(_ memory: LentMemory, cellsEnd: Int, byteCount: Int, rowCount: Int) {
    self.memory = memory
    self.cellsEnd = cellsEnd
    self.byteCount = byteCount
    self.rowCount = rowCount
  }

  /// Calls `body` with each row's key, and the position of the program that made it.
  func forEachKey(_ body: (_ program: Int, _ key: Int64) -> Void) {
    withRows { rows in
      var head = rows.head
      for _ in 0..<rows.count {
        body(
          Int(head.load(fromByteOffset: 4, as: UInt32.self)),
          head.load(fromByteOffset: 8, as: Int64.self))
        head += Self.headBytes
      }
    }
  }

  /// Calls `body` with all rows.
  func withRows<Result, Failure>(
    _ body: (WaitingRows) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(memory) {} }
    return try body(
      WaitingRows(head: memory.bytes, cellEnd: memory.bytes + cellsEnd, count: rowCount))
  }
}

/// The rows of a buffer that no leaf has taken yet.
struct WaitingRows {
  /// The next row's head.
  var head: UnsafeRawPointer
  /// Where its cell ends.
  var cellEnd: UnsafeRawPointer
  var count: Int

  @inline(__always)
  var cellBytes: Int { Int(head.load(as: UInt32.self)) }

  @inline(__always)
  var key: Int64 { head.load(fromByteOffset: 8, as: Int64.self) }

  /// Goes on to the next row.
  @inline(__always)
  mutating func advance() {
    cellEnd -= cellBytes
    head += RowBuffer.headBytes
    count &-= 1
  }
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
  /// Where the next row's head goes, and where its cell ends.
  private var headsEnd = 0
  private var cellsStart: Int
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
    cellsStart = memory.byteCount
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
    let byteCount = max(TreePage.fewestCellBytes, cellBytes)
    let needed = RowBuffer.headBytes &+ byteCount
    if cellsStart &- headsEnd < needed, !grow(by: needed) { return nil }
    let head = bytes + headsEnd
    head.storeBytes(of: UInt32(truncatingIfNeeded: byteCount), as: UInt32.self)
    head.storeBytes(of: UInt32(truncatingIfNeeded: program), toByteOffset: 4, as: UInt32.self)
    head.storeBytes(of: key, toByteOffset: 8, as: Int64.self)
    headsEnd &+= RowBuffer.headBytes
    cellsStart &-= byteCount
    rowCount &+= 1
    return bytes + cellsStart
  }

  @inline(never)
  private func grow(by needed: Int) -> Bool {
    let cellBytes = capacity - cellsStart
    let byteCount = headsEnd + cellBytes + needed
    guard byteCount <= Self.mostBytes else { return false }
    let larger = RawMemory(byteCount: min(Self.mostBytes, max(byteCount, 2 * capacity)))
    let start = larger.byteCount - cellBytes
    larger.bytes.copyMemory(from: bytes, byteCount: headsEnd)
    (larger.bytes + start).copyMemory(from: bytes + cellsStart, byteCount: cellBytes)
    replace(with: larger)
    cellsStart = start
    return true
  }

  private func replace(with other: RawMemory) {
    memory = other
    bytes = other.bytes
    capacity = other.byteCount
  }

  /// Takes the rows out.
  func take() -> RowBuffer {
    let rows = RowBuffer(
      LentMemory(memory, of: pool), cellsEnd: capacity,
      byteCount: headsEnd + capacity - cellsStart, rowCount: rowCount)
    replace(with: pool.take(byteCount: Self.firstBytes))
    removeAll()
    return rows
  }

  func removeAll() {
    headsEnd = 0
    cellsStart = capacity
    rowCount = 0
  }
}
