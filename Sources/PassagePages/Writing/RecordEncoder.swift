/// Lays cells out as a record (https://www.sqlite.org/fileformat2.html#record_format).
struct RecordEncoder {
  /// The bytes of the header, its own length included.
  private var headerBytes = 0
  /// The bytes of the whole record.
  private(set) var byteCount = 0

  /// Measures a record.
  @inline(__always)
  mutating func measure(_ cells: UnsafeBufferPointer<CellImage>) {
    var types = 0
    var bodies = 0
    for cell in cells {
      types += Varint.byteCount(cell.type)
      bodies += cell.byteCount
    }
    headerBytes = Self.headerBytes(ofTypes: types)
    byteCount = headerBytes + bodies
  }

  /// The bytes of a header with so many bytes of type codes. Its length counts itself.
  @inline(__always)
  static func headerBytes(ofTypes types: Int) -> Int {
    if types < 0x7F { return types + 1 }
    var length = 2
    while Varint.byteCount(UInt64(types + length)) > length { length += 1 }
    return types + length
  }

  /// Writes the measured record.
  @inline(__always)
  func write(_ cells: UnsafeBufferPointer<CellImage>, to target: UnsafeMutableRawPointer) {
    var place = Varint.write(UInt64(headerBytes), to: target)
    var body = headerBytes
    for cell in cells {
      place += Varint.write(cell.type, to: target + place)
      let count = cell.byteCount
      cell.write(to: target + body, byteCount: count)
      body += count
    }
  }

  /// Gives the measured record piece by piece, for records that are longer than a page.
  func forEachPiece(
    _ cells: UnsafeBufferPointer<CellImage>, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withUnsafeTemporaryAllocation(byteCount: headerBytes + 8, alignment: 8) { memory in
      // The header is not empty.
      guard let start = memory.baseAddress else { return }
      var place = Varint.write(UInt64(headerBytes), to: start)
      for cell in cells { place += Varint.write(cell.type, to: start + place) }
      try body(UnsafeRawBufferPointer(start: start, count: headerBytes))
      let number = start + headerBytes
      for cell in cells {
        let count = cell.byteCount
        if cell.bytes == nil { cell.write(to: number, byteCount: count) }
        let bytes = cell.bytes ?? UnsafeRawPointer(number)
        try body(UnsafeRawBufferPointer(start: bytes, count: count))
      }
    }
  }
}
