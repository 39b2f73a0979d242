/// Rows of one table that are copied from a source to a sink, in ascending key order. All texts and
/// blobs are in one buffer, which is reused for the next rows. A cell that is only copied is never
/// decoded.
package struct RowBatch {
  /// One cell: its kind, and its number or the position of its bytes.
  private struct Cell {
    enum Kind: UInt8 {
      case null
      case integer
      case real
      case text
      case blob
      /// A separate blob in ``RowBatch/lent``.
      case lent
    }

    var kind: Kind
    var word: UInt64 = 0
    var count = 0
  }

  /// Larger blobs are kept as separate arrays, so that they are in memory only once.
  private static let lentLimit = 1 << 20
  /// If the buffer has more bytes, the rows should be passed on.
  private static let byteLimit = 1 << 18

  /// The number of cells in each row, without the key.
  package let columnCount: Int
  /// The keys of the rows.
  package private(set) var keys: [Int64] = []
  private var cells: [Cell] = []
  private var bytes: [UInt8] = []
  private var lent: [[UInt8]] = []

  /// - Parameter columnCount: the number of cells in each row, without the key.
  package init(columnCount: Int) { self.columnCount = columnCount }

  /// The number of rows.
  package var count: Int { keys.count }

  /// Whether there are no rows.
  package var isEmpty: Bool { keys.isEmpty }

  /// The size of all texts and blobs in bytes.
  package var byteCount: Int { bytes.count + lent.reduce(0) { $0 + $1.count } }

  /// Whether the rows take so much memory that they should be passed on.
  package var isHeavy: Bool { bytes.count > Self.byteLimit || !lent.isEmpty }

  /// Begins a row. One cell for each column must follow.
  package mutating func begin(key: Int64) { keys.append(key) }

  /// Appends a cell to the last row.
  package mutating func append(_ cell: RawCell) {
    switch cell {
    case .null: cells.append(Cell(kind: .null))
    case .integer(let number): append(number)
    case .real(let number): cells.append(Cell(kind: .real, word: number.bitPattern))
    case .text(let text): append(.text, text)
    case .blob(let blob): append(.blob, blob)
    }
  }

  /// Appends a cell to the last row.
  package mutating func append(_ value: Value) {
    switch value {
    case .null: cells.append(Cell(kind: .null))
    case .integer(let number): append(number)
    case .real(let number): cells.append(Cell(kind: .real, word: number.bitPattern))
    case .text(var text): text.withUTF8 { append(.text, UnsafeRawBufferPointer($0)) }
    case .malformedText(let text): text.withUnsafeBytes { append(.text, $0) }
    case .blob(let blob):
      if blob.count > Self.lentLimit {
        cells.append(Cell(kind: .lent, word: UInt64(lent.count), count: blob.count))
        lent.append(blob)
      } else {
        blob.withUnsafeBytes { append(.blob, $0) }
      }
    }
  }

  private mutating func append(_ number: Int64) {
    cells.append(Cell(kind: .integer, word: UInt64(bitPattern: number)))
  }

  private mutating func append(_ kind: Cell.Kind, _ content: UnsafeRawBufferPointer) {
    cells.append(Cell(kind: kind, word: UInt64(bytes.count), count: content.count))
    bytes.append(contentsOf: content)
  }

  /// Removes the last row, which may be incomplete.
  package mutating func removeLast() {
    keys.removeLast()
    let first = keys.count * columnCount
    let start = cells[first...].first { $0.kind == .text || $0.kind == .blob }.map { Int($0.word) }
    lent.removeLast(cells[first...].count { $0.kind == .lent })
    cells.removeSubrange(first...)
    if let start { bytes.removeSubrange(start...) }
  }

  /// Removes all rows. Their memory is reused, unless it was large.
  package mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: bytes.capacity <= 4 * Self.byteLimit)
    lent.removeAll()
  }

  /// Calls `body` for each cell, row by row.
  ///
  /// - Parameters:
  ///   - body: receives the row, the column and the cell. The cell is valid only until `afterwards`
  ///     has returned.
  ///   - afterwards: called once, while every cell is still valid.
  package func forEachCell(
    _ body: (_ row: Int, _ column: Int, _ cell: RawCell) throws -> Void,
    afterwards: () throws -> Void
  ) throws {
    try bytes.withUnsafeBytes { base in
      guard !lent.isEmpty else { return try forEachCell(base, [], body, afterwards) }
      try borrow(lent[...], []) { try forEachCell(base, $0, body, afterwards) }
    }
  }

  /// Accesses the memory of the separate blobs, in nested calls. Most batches have none.
  private func borrow(
    _ rest: ArraySlice<[UInt8]>, _ borrowed: [UnsafeRawBufferPointer],
    _ body: ([UnsafeRawBufferPointer]) throws -> Void
  ) throws {
    guard let blob = rest.first else { return try body(borrowed) }
    try blob.withUnsafeBytes { try borrow(rest.dropFirst(), borrowed + [$0], body) }
  }

  private func forEachCell(
    _ base: UnsafeRawBufferPointer, _ borrowed: [UnsafeRawBufferPointer],
    _ body: (_ row: Int, _ column: Int, _ cell: RawCell) throws -> Void,
    _ afterwards: () throws -> Void
  ) throws {
    var position = 0
    for row in 0..<count {
      for column in 0..<columnCount {
        let cell = cells[position]
        position += 1
        let raw: RawCell =
          switch cell.kind {
          case .null: .null
          case .integer: .integer(Int64(bitPattern: cell.word))
          case .real: .real(Double(bitPattern: cell.word))
          case .text: .text(Self.part(base, cell))
          case .blob: .blob(Self.part(base, cell))
          case .lent: .blob(borrowed[Int(cell.word)])
          }
        try body(row, column, raw)
      }
    }
    try afterwards()
  }

  private static func part(_ base: UnsafeRawBufferPointer, _ cell: Cell) -> UnsafeRawBufferPointer {
    let start = Int(cell.word)
    return UnsafeRawBufferPointer(rebasing: base[start..<start + cell.count])
  }
}
