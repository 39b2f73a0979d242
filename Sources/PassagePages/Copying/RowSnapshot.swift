package import PassageValues

/// A row that was copied out of its page, undecoded. A cell is decoded when it is asked for.
// Unchecked: the memory changes only in `take`, which the caller calls while nobody else has the row.
package final class RowSnapshot: StoredRow, @unchecked Sendable {
  /// Which columns the cells are, and what their types mean.
  package struct Layout: Sendable {
    fileprivate let cells: [Int]
    fileprivate let table: TableColumns

    /// - Parameters:
    ///   - cells: by position of a cell, the column; -1 for one that is NULL in every row.
    ///   - table: the columns of the source table.
    package init(cells: [Int], of table: TableColumns) {
      self.cells = cells
      self.table = table
    }
  }

  /// Memory for longer rows is not kept for the next row.
  private static let keptBytes = 1 << 16

  private let layout: Layout
  /// The places of the columns, then the record.
  private var memory: RawMemory
  private var columnCount = 0
  private var key: Int64 = 0

  package init(_ layout: Layout) {
    self.layout = layout
    memory = RawMemory(byteCount: 256)
  }

  /// A row of the same table. It has no cells yet.
  package convenience init(like other: RowSnapshot) { self.init(other.layout) }

  /// The number of cells.
  package var count: Int { layout.cells.count }

  /// The cell at a position, as SQLite gives it; NULL when there is none.
  package func value(at position: Int) -> Value {
    guard layout.cells.indices.contains(position) else { return .null }
    let column = layout.cells[position]
    guard column >= 0 else { return .null }
    if column == layout.table.keyColumn { return .integer(key) }
    let cell = record.cell(column)
    if case .integer(let value) = cell, layout.table.affinities[column] == .real {
      return .real(Double(value))
    }
    return Value(cell)
  }

  private var record: RecordView {
    let columns = memory.bytes.assumingMemoryBound(to: RecordColumn.self)
    return RecordView(
      base: memory.bytes + columnCount * MemoryLayout<RecordColumn>.stride, columns: columns,
      count: columnCount)
  }

  /// Copies a row. Nobody else may have the snapshot.
  @inline(__always)
  func take(_ record: RecordView, key: Int64) {
    self.key = key
    let columnBytes = record.count * MemoryLayout<RecordColumn>.stride
    var end = 0
    if record.count > 0 {
      let last = record.columns[record.count - 1]
      end = Int(last.offset) + RecordView.byteCount(last.type)
    }
    let byteCount = columnBytes + end + RecordView.slack
    if byteCount > memory.byteCount || memory.byteCount > Self.keptBytes {
      memory = RawMemory(byteCount: max(byteCount, 256))
    }
    columnCount = record.count
    memory.bytes.copyMemory(from: record.columns, byteCount: columnBytes)
    (memory.bytes + columnBytes).copyMemory(from: record.base, byteCount: end)
  }
}
