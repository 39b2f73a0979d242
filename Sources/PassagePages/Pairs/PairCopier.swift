internal import PassageValues

/// Copies the pairs of a join table: one sweep, in which the keys of both ends are moved.
///
/// ```swift
/// let copier = PairCopier(job)
/// while let pairs = try copier.copyNext(rows: 10_000, index: nil) { try writer.append(pairs.rows) }
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

  /// The most columns of a join table: so many type codes are in a word.
  package static let mostColumns = 8
  private static let reservedRows = 256

  /// What the copiers of a table have in common.
  package struct Job: Sendable {
    let reader: PageReader
    let root: UInt32
    let columnCount: Int
    let columns: (Int, Int)
    let shifts: (PairShift, PairShift)
    let cells: [Cell]
    /// The pages that all sweeps of the table have come to.
    fileprivate let seen: SharedPages

    /// - Parameters:
    ///   - root: the source table's root page.
    ///   - columnCount: the columns of the source.
    ///   - columns: those of them with the keys.
    ///   - shifts: how the keys are moved. A pair with one that is not is left out.
    ///   - cells: for each column of the destination, at most ``mostColumns``; all of them store
    ///     numbers.
    package init(
      _ reader: PageReader, root: UInt32, columnCount: Int, columns: (Int, Int),
      shifts: (CopyProgram.Shift, CopyProgram.Shift), cells: [Cell]
    ) {
      precondition(cells.count <= PairCopier.mostColumns)
      self.reader = reader
      self.root = root
      self.columnCount = columnCount
      self.columns = columns
      self.shifts = (PairShift(shifts.0), PairShift(shifts.1))
      self.cells = cells
      seen = SharedPages(pageCount: reader.pageCount)
    }

    /// The pages of the source.
    package var pageCount: UInt32 { reader.pageCount }

    /// The ranges of the table's leaves.
    package func makeRanges() -> LeafRanges { LeafRanges(reader, root: root, after: nil) }
  }

  private let sweep: TableSweep
  private let columns: (Int, Int)
  private let shifts: (PairShift, PairShift)
  private let cells: UnsafeMutableBufferPointer<Cell>
  private let lastColumn: Int
  private let hasTwoColumns: Bool
  private let memory: CellMemory
  /// The bytes of the lengths of payload and header, of the key, and of the columns.
  private let longestCell: Int

  /// A copier of the whole table.
  package convenience init(_ job: Job) {
    self.init(
      job, TableSweep(job.reader, root: job.root, columnCount: job.columnCount))
  }

  /// A copier of ranges of the table's leaves, for a thread of its own.
  package convenience init(ofRanges job: Job) {
    self.init(
      job,
      TableSweep(
        job.reader, root: job.root, columnCount: job.columnCount,
        seen: SeenPages(of: job.seen)))
  }

  private init(_ job: Job, _ sweep: TableSweep) {
    self.sweep = sweep
    columns = job.columns
    shifts = job.shifts
    cells = .allocate(capacity: job.cells.count)
    _ = cells.initialize(from: job.cells)
    let copied = job.cells.map { if case .copy(let column) = $0 { column } else { 0 } }
    lastColumn = max(columns.0, columns.1, copied.max() ?? 0)
    hasTwoColumns = job.columnCount == 2
    longestCell = 2 + 9 + 9 * job.cells.count
    memory = CellMemory()
  }

  deinit { cells.deallocate() }

  /// Leaves out the rows up to a key.
  package func seek(after key: Int64) throws { try sweep.seek(after: key) }

  // MARK: Copying

  /// Copies the pairs of a range.
  ///
  /// - Throws: ``PageDamage``, ``ConvertedValue``, or an error of the file.
  package func copy(_ range: LeafRange) throws -> CopiedPairs {
    try sweep.begin(range)
    return try copy(rows: .max, index: nil)
  }

  /// Copies the pairs that follow.
  ///
  /// - Parameters:
  ///   - rows: so many are read at most.
  ///   - index: gets the keys of both ends.
  /// - Returns: `nil` when there are no more.
  /// - Throws: ``PageDamage``, ``ConvertedValue``, or an error of a file.
  package func copyNext(rows: Int, index: IndexBuilder?) throws -> CopiedPairs? {
    let copied = try copy(rows: rows, index: index)
    return copied.counts.readCount > 0 ? copied : nil
  }

  private func copy(rows: Int, index: IndexBuilder?) throws -> CopiedPairs {
    memory.removeAll()
    var counts = PairCounts()
    var keys = (first: Int64(0), last: Int64(0))
    var reserved = 0
    for _ in 0..<rows {
      guard try sweep.next() else { break }
      guard let (first, second) = try ends() else {
        counts.leftOut &+= 1
        continue
      }
      let key = sweep.key
      if reserved == 0 {
        reserved = Self.reservedRows
        let bytes = longestCell + WaitingCells.headBytes
        guard memory.reserve(reserved * bytes + CellMemory.margin) else { throw RowTooLong() }
      }
      reserved &-= 1
      try write(key, first, second)
      try index?.add(key: key, first, second)
      if counts.copied.count == 0 { keys.first = key }
      keys.last = key
      counts.copied.add(first, second, row: key)
    }
    return CopiedPairs(rows: RowBuffer(memory.take(), keys: keys), counts: counts)
  }

  /// The moved keys of the row's ends; `nil` when one of them leads to no object.
  @inline(__always)
  private func ends() throws -> (Int64, Int64)? {
    if let (first, second) = plainEnds() {
      guard let one = shifts.0.key(first), let other = shifts.1.key(second) else { return nil }
      return (one, other)
    }
    let record = try sweep.record(through: lastColumn)
    guard let one = try shifts.0.key(record.cell(columns.0), end: 0),
      let other = try shifts.1.key(record.cell(columns.1), end: 1)
    else { return nil }
    return (one, other)
  }

  /// The keys of a row that has nothing but two whole numbers, as most join tables do.
  @inline(__always)
  private func plainEnds() -> (Int64, Int64)? {
    guard hasTwoColumns, sweep.payloadBytes >= 3, !sweep.hasOverflow else { return nil }
    let record = sweep.record
    guard record.load(as: UInt8.self) == 3 else { return nil }
    let one = RecordColumn(type: UInt32(record.load(fromByteOffset: 1, as: UInt8.self)), offset: 3)
    let bytes = RecordColumn.byteCount(one.type)
    let other = RecordColumn(
      type: UInt32(record.load(fromByteOffset: 2, as: UInt8.self)),
      offset: UInt32(truncatingIfNeeded: 3 &+ bytes))
    guard one.isInteger, other.isInteger,
      3 &+ bytes &+ RecordColumn.byteCount(other.type) <= sweep.payloadBytes
    else { return nil }
    let (first, second) = (one.integer(in: record), other.integer(in: record))
    return columns.0 == 0 ? (first, second) : (second, first)
  }

  /// Writes the cell of a row, from its end to its beginning: each part covers what the one after it
  /// has written too much.
  @inline(__always)
  private func write(_ key: Int64, _ first: Int64, _ second: Int64) throws {
    var place = memory.start
    // A type code of a number takes a byte.
    var types: UInt64 = 0
    var column = cells.count
    while column > 0 {
      column &-= 1
      types &<<= 8
      let number: Int64
      switch cells[column] {
      case .end(let end): number = end == 0 ? first : second
      case .null: continue
      case .copy(let source):
        switch try sweep.cell(source) {
        case .integer(let place): number = place
        case .null: continue
        default: throw ConvertedValue(column: column)
        }
      }
      let (type, byteCount) = SerialType.sizedInteger(number)
      types |= type
      (place - 8).storeBytes(of: UInt64(bitPattern: number).bigEndian, as: UInt64.self)
      place -= byteCount
    }
    let end = memory.start
    place -= cells.count
    for column in 0..<cells.count {
      place.storeBytes(
        of: UInt8(truncatingIfNeeded: types &>> UInt64(8 &* column)), toByteOffset: column,
        as: UInt8.self)
    }
    place -= 1
    place.storeBytes(of: UInt8(truncatingIfNeeded: cells.count &+ 1), as: UInt8.self)
    let payload = end - place
    place = Varint.write(UInt64(bitPattern: key), before: place) - 1
    place.storeBytes(of: UInt8(truncatingIfNeeded: payload), as: UInt8.self)
    memory.append(end - place)
  }
}

/// Pairs that wait for the writer of their table.
package struct CopiedPairs: Sendable {
  package let rows: RowBuffer
  package let counts: PairCounts
}

/// How the keys of an end of pairs are moved.
struct PairShift: Sendable {
  private let offset: Int64
  private let keys: CopyProgram.KeyBounds

  init(_ shift: CopyProgram.Shift) {
    // Without bounds every key is kept.
    offset = shift.keys == nil ? 0 : shift.offset
    keys = shift.keys ?? .all
  }

  /// Moves the key of an entry.
  ///
  /// - Parameter type: the type code of the key.
  /// - Returns: false when it leads to no object.
  @inline(__always)
  func move(_ key: inout Int64, _ type: inout UInt8) -> Bool {
    guard keys.contain(key) else { return false }
    if offset != 0 {
      key &+= offset
      type = UInt8(truncatingIfNeeded: SerialType.integer(key))
    }
    return true
  }

  /// The key of the destination.
  ///
  /// - Returns: `nil` when it leads to no object.
  @inline(__always)
  func key(_ key: Int64) -> Int64? {
    // The key is at most the largest one, so the sum does not overflow.
    keys.contain(key) ? key &+ offset : nil
  }

  /// The key of the destination that a value of the source becomes.
  ///
  /// - Parameter end: for the error, the position of the end.
  /// - Returns: `nil` when it leads to no object.
  @inline(__always)
  func key(_ cell: RawCell, end: Int) throws(ConvertedValue) -> Int64? {
    switch cell {
    case .integer(let number): key(number)
    case .real: throw ConvertedValue(column: end)
    default: nil
    }
  }
}
