package import PassageValues

/// Rows that are copied out of their pages, undecoded. A cell is decoded when it is asked for.
package final class RowSnapshots: RowDecoder {
  /// Memory for longer rows is not kept for the next row.
  private static let keptBytes = 1 << 16
  private static let leastBytes = 256
  /// Longer records are copied by the system.
  private static let shortBytes = 256

  private let cells: [Int]
  private let table: TableColumns

  /// - Parameters:
  ///   - cells: by position of a cell, the column; -1 for one that is NULL in every row.
  ///   - table: the columns of the source table.
  package init(cells: [Int], of table: TableColumns) {
    self.cells = cells
    self.table = table
  }

  /// A row that has no columns yet.
  package func makeRow() -> StoredRow { StoredRow(self, byteCount: Self.leastBytes) }

  package var count: Int { cells.count }

  /// The cell at a position, as SQLite gives it.
  package func value(at position: Int, of row: UnsafePointer<StoredRow.Content>) -> Value {
    Value(cell(at: position, of: row))
  }

  package func number(at position: Int, of row: UnsafePointer<StoredRow.Content>) -> Number {
    guard cells.indices.contains(position) else { return .null }
    let column = cells[position]
    guard column >= 0 else { return .null }
    return Self.record(row).number(column, key: row.pointee.key, of: table)
  }

  @inline(__always)
  private func cell(at position: Int, of row: UnsafePointer<StoredRow.Content>) -> RawCell {
    guard cells.indices.contains(position) else { return .null }
    let column = cells[position]
    guard column >= 0 else { return .null }
    return Self.record(row).cell(column, key: row.pointee.key, of: table)
  }

  /// The places of the columns come first, then the record.
  @inline(__always)
  private static func record(_ row: UnsafePointer<StoredRow.Content>) -> RecordView {
    let count = row.pointee.columnCount
    let columns = row.pointee.bytes.assumingMemoryBound(to: RecordColumn.self)
    return RecordView(base: UnsafeRawPointer(columns + count), columns: columns, count: count)
  }

  /// Copies a row.
  ///
  /// - Parameter content: of a row that nobody else has.
  @inline(__always)
  static func copy(
    _ record: RecordView, key: Int64, to content: UnsafeMutablePointer<StoredRow.Content>
  ) {
    // The record has been checked: no sum overflows.
    let columnBytes = record.count &* MemoryLayout<RecordColumn>.stride
    var end = 0
    if record.count > 0 {
      let last = record.columns[record.count &- 1]
      end = Int(last.offset) &+ RecordView.byteCount(last.type)
    }
    let byteCount = columnBytes &+ end &+ RecordView.slack
    let present = content.pointee.byteCount
    if byteCount > present || present > keptBytes {
      content.pointee.reallocate(byteCount: max(byteCount, leastBytes))
    }
    content.pointee.key = key
    content.pointee.columnCount = record.count
    let bytes = content.pointee.bytes
    if end <= shortBytes {
      RecordParts.copy(record.base, to: bytes + columnBytes, count: end)
    } else {
      (bytes + columnBytes).copyMemory(from: record.base, byteCount: end)
    }
    // The places have just been stored, and are loaded in larger parts when they have arrived.
    bytes.copyMemory(from: record.columns, byteCount: columnBytes)
  }
}
