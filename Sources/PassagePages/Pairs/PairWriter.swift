/// Writes pairs in the order of their keys as the rows of a join table, and as the entries of its
/// index.
final class PairWriter {
  private let cells: [PairCopier.Cell]
  private let table: TableTreeWriter
  private let index: IndexWriter
  private let types: RawMemory
  private let values: RawMemory
  private var row: Int64 = 0
  private var last: (first: UInt64, second: UInt64, places: (UInt64, UInt64)) = (0, 0, (0, 0))

  init(_ cells: [PairCopier.Cell], _ table: TableTreeWriter, _ index: IndexWriter) {
    self.cells = cells
    self.table = table
    self.index = index
    types = RawMemory(byteCount: RecordParts.typesMargin + cells.count + RecordView.slack)
    values = RawMemory(byteCount: 8 * cells.count + RecordView.slack)
  }

  /// Appends a pair unless it is equal to the one before. All parameters are words of ``SortWord``.
  ///
  /// - Throws: ``AmbiguousPair``, or an error of the file.
  @inline(__always)
  func append(_ first: UInt64, _ second: UInt64, _ places: (UInt64, UInt64)) throws {
    if first == last.first, second == last.second, row > 0 {
      guard places == last.places else { throw AmbiguousPair() }
      return
    }
    last = (first, second, places)
    row += 1
    var parts = RecordParts(types: types.bytes, values: values.bytes)
    var isSecondPlace = false
    for cell in cells {
      switch cell {
      case .end(let end): parts.append(UInt64.integer(of: end == 0 ? first : second))
      case .null: parts.appendNull()
      case .copy:
        let place = isSecondPlace ? places.1 : places.0
        isSecondPlace = true
        if place == 0 { parts.appendNull() } else { parts.append(UInt64.integer(of: place)) }
      }
    }
    try table.append(key: row, parts)
    try index.append(
      WordTriple(first: first, second: second, row: UInt64(ofRow: row)), inversions: (0, 0))
  }

  /// Completes both.
  ///
  /// - Returns: the digest of the table.
  func finish() throws -> PageDigest {
    try table.finish()
    try index.finish()
    return table.digest
  }
}
