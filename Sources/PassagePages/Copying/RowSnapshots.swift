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
  /// As a ``StoredRow`` needs them.
  private let integerColumns: [Int]

  /// - Parameters:
  ///   - cells: by position of a cell, the column; -1 for one that is NULL in every row.
  ///   - table: the columns of the source table.
  package init(cells: [Int], of table: TableColumns) {
    self.cells = cells
    self.table = table
    integerColumns = cells.map { column in
      // Whole numbers of a column of reals are stored as integers.
      column >= 0 && column != table.keyColumn && table.affinities[column] != .real ? column : -1
    }
  }

  /// A row that has no columns yet.
  package func makeRow() -> StoredRow {
    StoredRow(
      self, integerColumns: integerColumns, columnCapacity: max(1, table.affinities.count),
      byteCount: Self.leastBytes)
  }

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

  @inline(__always)
  private static func record(_ row: UnsafePointer<StoredRow.Content>) -> RecordView {
    RecordView(
      base: UnsafeRawPointer(row.pointee.bytes), columns: UnsafePointer(row.pointee.columns),
      count: row.pointee.columnCount)
  }

  /// Copies a row.
  ///
  /// - Parameter content: of a row that nobody else has. Its columns may be those of the record.
  @inline(__always)
  static func copy(
    _ record: RecordView, key: Int64, to content: UnsafeMutablePointer<StoredRow.Content>
  ) {
    // The record has been checked: no sum overflows.
    var end = 0
    if record.count > 0 {
      let last = record.columns[record.count &- 1]
      end = Int(last.offset) &+ RecordView.byteCount(last.type)
    }
    let byteCount = end &+ RecordView.slack
    let present = content.pointee.byteCount
    if byteCount > present || present > keptBytes {
      content.pointee.reallocate(byteCount: max(byteCount, leastBytes))
    }
    content.pointee.key = key
    content.pointee.columnCount = record.count
    let bytes = content.pointee.bytes
    if end <= shortBytes {
      var place = 0
      repeat {
        let part = record.base.loadUnaligned(fromByteOffset: place, as: SIMD8<UInt64>.self)
        bytes.storeBytes(of: part, toByteOffset: place, as: SIMD8<UInt64>.self)
        place &+= MemoryLayout<SIMD8<UInt64>>.size
      } while place < end
    } else {
      bytes.copyMemory(from: record.base, byteCount: end)
    }
    if record.columns != UnsafePointer(content.pointee.columns) {
      content.pointee.reserveColumns(record.count)
      content.pointee.columns.update(from: record.columns, count: record.count)
    }
  }
}
