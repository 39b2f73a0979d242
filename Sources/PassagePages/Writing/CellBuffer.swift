/// Cells that wait for the writer of their tree: rows of a table, or entries of an index.
///
/// They lie as in a leaf, the last one first, so that a leaf takes over as many of them as it has room for
/// in one piece. A thread that does not have the writer fills it.
package struct CellBuffer: Sendable {
  private let memory: LentMemory
  /// Where the first cell ends.
  private let cellsEnd: Int
  /// Of heads and cells.
  let byteCount: Int
  let count: Int

  /// - Parameters:
  ///   - memory: begins with the heads; nobody writes to it any more.
  ///   - cellsEnd: where the first cell ends.
  init(_ memory: LentMemory, cellsEnd: Int, byteCount: Int, count: Int) {
    self.memory = memory
    self.cellsEnd = cellsEnd
    self.byteCount = byteCount
    self.count = count
  }

  /// Calls `body` with all cells.
  func withCells<Result, Failure>(
    _ body: (WaitingCells) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(memory) {} }
    return try body(
      WaitingCells(head: memory.bytes, end: memory.bytes + cellsEnd, count: count))
  }
}

/// The cells of a buffer that no page has taken yet.
struct WaitingCells {
  /// What is known of each cell, in order: how many bytes it has, and the position of the program that
  /// made it, in 16 bits each.
  static let headBytes = 4

  /// The next cell's head.
  private(set) var head: UnsafeRawPointer
  /// Where that cell ends.
  private(set) var end: UnsafeRawPointer
  private(set) var count: Int

  init(head: UnsafeRawPointer, end: UnsafeRawPointer, count: Int) {
    self.head = head
    self.end = end
    self.count = count
  }

  @inline(__always)
  var byteCount: Int { Int(head.load(as: UInt16.self)) }

  @inline(__always)
  var program: Int { Int(head.load(fromByteOffset: 2, as: UInt16.self)) }

  /// Goes on to the next cell.
  @inline(__always)
  mutating func advance() {
    end -= byteCount
    head += Self.headBytes
    count &-= 1
  }
}
