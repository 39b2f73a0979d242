internal import PassageValues

/// Copies the pairs of a join table: one sweep, in which the keys of both ends are moved and become
/// the entries of an index.
///
/// ```swift
/// let copier = PairCopier(
///   sweep, writer, index, columns: (0, 1), shifts: shifts, cells: [.end(0), .end(1)])
/// while try copier.run(rows: 100_000) { … }
/// ```
///
/// All values are whole numbers: with any other the pair is not one that can be copied.
package final class PairCopier {
  /// Where a column of the destination comes from.
  package enum Cell: Sendable {
    /// The moved key of the first or the second end.
    case end(Int)
    /// A column of the source: a place in an order.
    case copy(Int)
    case null
  }

  private let sweep: TableSweep
  private let writer: TableTreeWriter
  private let index: IndexBuilder
  /// The rows that were read, those that are left out included.
  package private(set) var readCount: Int64 = 0
  /// Those of them that are left out, because an end leads to no object.
  package private(set) var leftOutCount: Int64 = 0
  private let columns: (Int, Int)
  private let shifts: (CopyProgram.Shift, CopyProgram.Shift)
  private let cells: UnsafeMutableBufferPointer<Cell>
  private let lastColumn: Int
  private let types: RawMemory
  private let values: RawMemory

  /// - Parameters:
  ///   - index: of the keys of both ends.
  ///   - columns: the columns of the source with the keys.
  ///   - shifts: how the keys are moved. A pair with a larger one is left out.
  ///   - cells: for each column of the destination; all of them store numbers.
  package init(
    _ sweep: TableSweep, _ writer: TableTreeWriter, _ index: IndexBuilder, columns: (Int, Int),
    shifts: (CopyProgram.Shift, CopyProgram.Shift), cells list: [Cell]
  ) {
    self.sweep = sweep
    self.writer = writer
    self.index = index
    self.columns = columns
    self.shifts = shifts
    cells = .allocate(capacity: list.count)
    _ = cells.initialize(from: list)
    let copied = list.map { if case .copy(let column) = $0 { column } else { 0 } }
    lastColumn = max(columns.0, columns.1, copied.max() ?? 0)
    types = RawMemory(byteCount: RecordParts.typesMargin + list.count + RecordView.slack)
    values = RawMemory(byteCount: 8 * list.count + RecordView.slack)
  }

  deinit { cells.deallocate() }

  /// Copies pairs until so many rows are read.
  ///
  /// - Returns: whether there are more.
  /// - Throws: ``PageDamage``, ``ConvertedValue``, or an error of a file.
  package func run(rows: Int) throws -> Bool {
    for _ in 0..<rows {
      guard try sweep.next() else { return false }
      readCount &+= 1
      let record = try sweep.record(through: lastColumn)
      guard let first = try key(record.cell(columns.0), shifts.0, 0),
        let second = try key(record.cell(columns.1), shifts.1, 1)
      else {
        leftOutCount &+= 1
        continue
      }
      try append(first, second, record)
      try index.add(key: sweep.key, first, second)
    }
    return true
  }

  /// A key of the destination; `nil` when it leads to no object.
  @inline(__always)
  private func key(
    _ cell: RawCell, _ shift: CopyProgram.Shift, _ end: Int
  ) throws(ConvertedValue) -> Int64? {
    switch cell {
    case .integer(let key):
      guard let largest = shift.largest else { return key }
      // The key is at most the largest one, so the sum does not overflow.
      return key > largest ? nil : key &+ shift.offset
    case .real: throw ConvertedValue(column: end)
    default: return nil
    }
  }

  @inline(__always)
  private func append(_ first: Int64, _ second: Int64, _ record: RecordView) throws {
    var parts = RecordParts(types: types.bytes, values: values.bytes)
    for column in 0..<cells.count {
      switch cells[column] {
      case .end(let end): parts.append(end == 0 ? first : second)
      case .null: parts.appendNull()
      case .copy(let source):
        switch record.cell(source) {
        case .integer(let place): parts.append(place)
        case .null: parts.appendNull()
        default: throw ConvertedValue(column: column)
        }
      }
    }
    try writer.append(key: sweep.key, parts)
  }
}
