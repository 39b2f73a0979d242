/// Rows that wait for the writer of their table, in ascending order of keys.
package struct RowBuffer: Sendable {
  private let cells: CellBuffer
  /// The first and the last key, if there are rows.
  private let keys: (first: Int64, last: Int64)

  package var byteCount: Int { cells.byteCount }
  package var rowCount: Int { cells.count }

  init(_ cells: CellBuffer, keys: (first: Int64, last: Int64)) {
    self.cells = cells
    self.keys = keys
  }

  /// Calls `body` with each row's key, and the position of the program that made it.
  func forEachKey(_ body: (_ program: Int, _ key: Int64) -> Void) {
    cells.withCells { cells in
      var rest = cells
      while rest.count > 0 {
        body(rest.program, TreePage.key(ofRow: rest.end - rest.byteCount, limit: rest.byteCount))
        rest.advance()
      }
    }
  }

  /// Calls `body` with all rows, unless there are none.
  func withRows<Failure>(
    _ body: (WaitingCells, _ keys: (first: Int64, last: Int64)) throws(Failure) -> Void
  ) throws(Failure) {
    guard rowCount > 0 else { return }
    try cells.withCells { cells throws(Failure) in try body(cells, keys) }
  }
}

/// A row does not fit a leaf, or the rows of a range are more than wait in memory.
struct RowTooLong: Error {}

/// Memory for the rows of a range.
final class RowMemory {
  /// A range with more is left to the writer's thread.
  private static let mostBytes = 4 << 20

  private let longestPayload: Int
  private let cells: CellMemory
  private var isEmpty = true
  private var keys: (first: Int64, last: Int64) = (0, 0)

  /// - Parameters:
  ///   - longestPayload: that fits the leaves of the table.
  init(longestPayload: Int) {
    self.longestPayload = longestPayload
    cells = CellMemory(mostBytes: Self.mostBytes)
  }

  /// Appends a row whose record has been put together.
  ///
  /// - Parameter program: the position of the program that made it.
  /// - Returns: false when it does not fit a leaf, its key is not larger than the one before, there are
  ///   too many programs for a head, or the rows are too many to wait.
  @inline(never)
  func append(key: Int64, program: Int, _ parts: RecordParts) -> Bool {
    let head = parts.head(key: key)
    let byteCount = max(
      TreePage.fewestCellBytes, parts.type - head.start + parts.valueBytes)
    guard head.payload <= longestPayload, program <= UInt16.max, key > keys.last || isEmpty,
      cells.reserve(WaitingCells.headBytes &+ byteCount)
    else { return false }
    parts.copyCell(from: head.start, to: cells.append(byteCount, program: program))
    if isEmpty { keys.first = key }
    keys.last = key
    isEmpty = false
    return true
  }

  /// Takes the rows out.
  func take() -> RowBuffer {
    defer { isEmpty = true }
    return RowBuffer(cells.take(), keys: keys)
  }

  func removeAll() {
    cells.removeAll()
    isEmpty = true
  }
}
