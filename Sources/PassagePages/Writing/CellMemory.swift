internal import CMemory

/// Memory for the cells of a range.
final class CellMemory {
  /// The bytes before a cell that writing it may change.
  static let margin = 8
  private static let firstBytes = 256 << 10
  /// So far before it is written to, memory is taken from the cache of the core that has read it.
  private static let preparedBytes: UInt = 2_048
  private static let lineBytes: UInt = 64

  private let mostBytes: Int
  /// Memory that was taken out comes back to the thread that wrote it, so that cores exchange less of it.
  private let pool = CellMemoryPool()
  private var memory: RawMemory
  /// Where ``memory`` is, and how much it is.
  private var bytes: UnsafeMutableRawPointer
  private var capacity: Int
  /// Where the next head goes.
  private var headsEnd = 0
  /// Where the last cell begins: the next one ends there.
  private(set) var start: UnsafeMutableRawPointer
  private var count = 0

  /// - Parameters:
  ///   - mostBytes: that heads and cells may take.
  init(mostBytes: Int = .max) {
    self.mostBytes = mostBytes
    memory = pool.take(byteCount: Self.firstBytes)
    bytes = memory.bytes
    capacity = memory.byteCount
    start = bytes + capacity
  }

  /// Makes room for so many bytes of heads and cells.
  ///
  /// - Returns: false when they would be too many.
  @inline(__always)
  func reserve(_ needed: Int) -> Bool {
    (start - bytes) &- headsEnd >= needed || grow(by: needed)
  }

  @inline(never)
  private func grow(by needed: Int) -> Bool {
    let cellBytes = bytes + capacity - start
    let byteCount = headsEnd + cellBytes + needed
    guard byteCount <= mostBytes else { return false }
    let larger = RawMemory(byteCount: min(mostBytes, max(byteCount, 2 * capacity)))
    let moved = larger.bytes + larger.byteCount - cellBytes
    larger.bytes.copyMemory(from: bytes, byteCount: headsEnd)
    moved.copyMemory(from: start, byteCount: cellBytes)
    (memory, bytes, capacity, start) = (larger, larger.bytes, larger.byteCount, moved)
    return true
  }

  /// Adds a cell that ends at ``start``, and has been written or will be.
  ///
  /// - Parameters:
  ///   - byteCount: of the cell.
  ///   - program: the position of what made it.
  /// - Returns: where it begins.
  /// - Precondition: room has been made for it.
  @inline(__always)
  @discardableResult
  func append(_ byteCount: Int, program: Int = 0) -> UnsafeMutableRawPointer {
    let head = UInt32(truncatingIfNeeded: program &<< 16 | byteCount)
    (bytes + headsEnd).storeBytes(of: head.littleEndian, as: UInt32.self)
    headsEnd &+= WaitingCells.headBytes
    let end = start
    start -= byteCount
    count &+= 1
    prepareWriting(from: start, to: end)
    return start
  }

  /// Prepares the lines that cells come to some time after those between two places. Without it a core
  /// waits for each line that another one has read.
  @inline(__always)
  private func prepareWriting(from start: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer)
  {
    var line = (UInt(bitPattern: start) &- Self.preparedBytes) & ~(Self.lineBytes - 1)
    let last = (UInt(bitPattern: end) &- Self.preparedBytes) & ~(Self.lineBytes - 1)
    while line != last {
      passage_prepare_writing(line)
      line &+= Self.lineBytes
    }
  }

  /// Takes the cells out.
  func take() -> CellBuffer {
    let cells = CellBuffer(
      LentMemory(memory, of: pool), cellsEnd: capacity,
      byteCount: headsEnd + (bytes + capacity - start), count: count)
    memory = pool.take(byteCount: Self.firstBytes)
    bytes = memory.bytes
    capacity = memory.byteCount
    removeAll()
    return cells
  }

  func removeAll() {
    headsEnd = 0
    start = bytes + capacity
    count = 0
  }
}
