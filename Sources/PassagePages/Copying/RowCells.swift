internal import PassageValues

/// The cells of a row, as SQLite gives them.
struct RowCells: CellReader {
  let key: Int64
  let record: RecordView
  let keyColumn: Int
  let affinities: UnsafePointer<Affinity>

  @inline(__always)
  func cell(_ column: Int) -> RawCell {
    if column == keyColumn { return .integer(key) }
    let cell = record.cell(column)
    if case .integer(let value) = cell, affinities[column] == .real {
      return .real(Double(value))
    }
    return cell
  }
}
