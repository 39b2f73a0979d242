internal import PassageValues

/// Reads the entries of pages of an index over two columns.
///
/// Every place is checked before it is read.
struct PairEntryReader {
  let reader: PageReader

  private var pageBytes: Int { reader.geometry.pageBytes }

  /// Reads an entry.
  ///
  /// - Parameters:
  ///   - page: with ``RecordView/slack`` readable bytes behind it.
  ///   - place: where its length is.
  /// - Returns: `nil` when it has an end that is no whole number: then the pair leads to no object.
  /// - Throws: ``PageDamage``; ``ConvertedValue`` for a number that is not whole.
  @inline(__always)
  func entry(_ page: UnsafeRawPointer, at place: Int, number: UInt32) throws -> PairEntry? {
    // Nearly all entries are whole numbers with a header of four bytes.
    let cell = page + place
    let payload = Int(cell.load(as: UInt8.self))
    guard payload >= 4, payload < 0x80, place + 1 + payload <= pageBytes,
      cell.load(fromByteOffset: 1, as: UInt8.self) == 4
    else { return try unusualEntry(page, at: place, number: number) }
    let types = (
      UInt32(cell.load(fromByteOffset: 2, as: UInt8.self)),
      UInt32(cell.load(fromByteOffset: 3, as: UInt8.self)),
      UInt32(cell.load(fromByteOffset: 4, as: UInt8.self))
    )
    let first = RecordColumn(type: types.0, offset: 5)
    guard first.isInteger else { return try unusualEntry(page, at: place, number: number) }
    let second = RecordColumn(
      type: types.1, offset: 5 &+ UInt32(RecordColumn.byteCount(types.0)))
    guard second.isInteger else { return try unusualEntry(page, at: place, number: number) }
    let row = RecordColumn(
      type: types.2, offset: second.offset &+ UInt32(RecordColumn.byteCount(types.1)))
    guard row.isInteger, Int(row.offset) + RecordColumn.byteCount(types.2) <= 1 + payload else {
      throw PageDamage(page: number, "has an entry without a row")
    }
    return Self.entry(first, second, row, in: cell)
  }

  /// Reads an entry whose length or header takes more bytes, or that has a value that is no whole number.
  @inline(never)
  private func unusualEntry(
    _ page: UnsafeRawPointer, at place: Int, number: UInt32
  ) throws -> PairEntry? {
    let problem = PageDamage(page: number, "has an entry beyond its end")
    guard let size = Varint.read(page + place, limit: pageBytes - place),
      size.value <= UInt64(TableSweep.longestPayload)
    else { throw problem }
    let start = place + size.byteCount
    let geometry = reader.geometry
    let local = geometry.localBytes(
      ofPayload: Int(size.value), longest: geometry.longestIndexPayload)
    guard start + local <= pageBytes else { throw problem }
    let record = page + start
    guard let header = Varint.read(record, limit: local), header.value <= UInt64(local) else {
      throw problem
    }
    var columns: [RecordColumn] = []
    var typePlace = header.byteCount
    var body = Int(header.value)
    for _ in 0..<3 {
      guard let type = Varint.read(record + typePlace, limit: Int(header.value) - typePlace),
        let code = UInt32(exactly: type.value), code != 10, code != 11
      else { throw PageDamage(page: number, "has an entry with an invalid header") }
      columns.append(RecordColumn(type: code, offset: UInt32(clamping: body)))
      body += RecordColumn.byteCount(code)
      typePlace += type.byteCount
    }
    for (end, column) in columns.prefix(2).enumerated() where column.type == 7 {
      throw ConvertedValue(column: end)
    }
    guard columns[0].isInteger, columns[1].isInteger else { return nil }
    guard columns[2].isInteger, body <= local else {
      throw PageDamage(page: number, "has an entry without a row")
    }
    return Self.entry(columns[0], columns[1], columns[2], in: record)
  }

  /// - Parameter record: where the columns' offsets begin.
  @inline(__always)
  private static func entry(
    _ first: RecordColumn, _ second: RecordColumn, _ row: RecordColumn, in record: UnsafeRawPointer
  ) -> PairEntry {
    PairEntry(
      first: first.integer(in: record), second: second.integer(in: record),
      row: row.integer(in: record),
      types: PairEntry.Types(
        first: UInt8(truncatingIfNeeded: first.type),
        second: UInt8(truncatingIfNeeded: second.type),
        row: UInt8(truncatingIfNeeded: row.type)))
  }
}
