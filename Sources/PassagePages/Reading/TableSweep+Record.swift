package import PassageValues

/// The bytes of the values whose type code is a byte.
enum TypeSizes {
  /// A bit that no size has, in the place of the codes that SQLite keeps for itself.
  static let unknown: UInt8 = 0x80

  static func make() -> UnsafeMutablePointer<UInt8> {
    let sizes = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
    for type in 0..<128 {
      let size = SerialType.byteCount(UInt64(type)).map { UInt8($0) } ?? unknown
      (sizes + type).initialize(to: size)
    }
    return sizes
  }
}

extension TableSweep {
  /// A column of the row. It is NULL when the record ends before it.
  ///
  /// - Parameter column: less than the count given at the beginning.
  /// - Returns: the value on disk, valid until ``next()``; see ``RecordView``.
  /// - Throws: ``PageDamage``, or an error of the file.
  package func cell(_ column: Int) throws -> RawCell { try record(through: column).cell(column) }

  /// A column of the row as it goes into another record, not decoded; see ``cell(_:)``.
  package func image(_ column: Int) throws -> CellImage {
    try record(through: column).image(column)
  }

  /// The row, parsed as far as a column. A payload that does not fit its page is read as far as
  /// that column takes.
  ///
  /// - Parameter column: less than the count given at the beginning.
  /// - Throws: ``PageDamage``, or an error of the file.
  @inline(__always)
  package func record(through column: Int) throws -> RecordView {
    if column >= parsedColumns { try parse(through: column) }
    if hasOverflow { try load(through: column) }
    return RecordView(base: record, columns: columns, count: min(parsedColumns, column + 1))
  }

  /// Whether the row has a value in a column: what it stores is not NULL. The value itself is not read
  /// where it does not fit the page.
  ///
  /// - Parameter column: less than the count given at the beginning.
  /// - Throws: ``PageDamage``, or an error of the file.
  @inline(__always)
  func hasValue(_ column: Int) throws -> Bool {
    if column >= parsedColumns { try parse(through: column) }
    guard column < parsedColumns else { return false }
    let type = columns[column].type
    // SQLite reads what is not a number as NULL.
    return type == 7 ? try !record(through: column).isNull(column) : type != 0
  }

  /// The number in the second column of a record that begins as those of objects do: the first column is
  /// the key's own, and the number is less than 128. Nothing else of the record is looked at.
  ///
  /// - Returns: `nil` where it begins otherwise.
  @inline(__always)
  var smallNumberAfterKey: Int64? {
    guard availableBytes >= 4 else { return nil }
    let header = Int(record.load(as: UInt8.self))
    guard header >= 3, header < 0x80, header < availableBytes,
      record.load(fromByteOffset: 1, as: UInt8.self) == 0
    else { return nil }
    switch record.load(fromByteOffset: 2, as: UInt8.self) {
    case 1:
      let number = record.load(fromByteOffset: header, as: Int8.self)
      return number >= 0 ? Int64(number) : nil
    case 8: return 0
    case 9: return 1
    default: return nil
    }
  }

  /// The columns of the record. Those that were added to the table later are not in it.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  package var columnCount: Int {
    get throws {
      if headerPlace == 0 { try beginRecord() }
      var count = parsedColumns
      var place = headerPlace
      while place < headerBytes {
        guard let type = Varint.read(record + place, limit: headerBytes - place) else {
          throw damage("has a record with an invalid header")
        }
        place += type.byteCount
        count += 1
      }
      return count
    }
  }

  /// Parses the record's header as far as a column, or to its end.
  @inline(never)
  private func parse(through column: Int) throws {
    precondition(column < columnCapacity)
    if headerPlace == 0 {
      // Most headers are short and on the page.
      let length = availableBytes > 0 ? Int(record.load(as: UInt8.self)) : 0
      if length > 0, length < 0x80, length <= availableBytes {
        (headerBytes, headerPlace, bodyPlace) = (length, 1, length)
      } else {
        try beginRecord()
      }
    }
    let (record, columns, end, sizes) = (self.record, self.columns, headerBytes, sizes)
    var (index, place, body) = (parsedColumns, headerPlace, bodyPlace)
    var sizeBits: UInt8 = 0
    // A type takes at least a byte.
    var stop = min(column &+ 1, index &+ (end &- place))
    while index < stop {
      var type = UInt32(record.load(fromByteOffset: place, as: UInt8.self))
      // An offset that does not fit 32 bits is beyond the payload, which is found below.
      let offset = UInt32(truncatingIfNeeded: body)
      place &+= 1
      if type < 0x80 {
        let size = sizes[Int(type)]
        sizeBits |= size
        body &+= Int(size)
      } else {
        try checkSizes(sizeBits)
        let long = try longType(record + (place &- 1), limit: end &- place &+ 1)
        type = long.type
        place &+= long.byteCount &- 1
        body &+= RecordView.byteCount(type)
        stop = min(column &+ 1, index &+ 1 &+ (end &- place))
      }
      columns[index] = RecordColumn(type: type, offset: offset)
      index &+= 1
    }
    try checkSizes(sizeBits)
    // The bodies fill the payload to its end.
    guard body <= payloadBytes, place < end || body == payloadBytes else {
      throw damage("has a record whose values do not fit into it")
    }
    (parsedColumns, headerPlace, bodyPlace) = (index, place, body)
  }

  /// - Parameter bits: those of all sizes together.
  @inline(__always)
  private func checkSizes(_ bits: UInt8) throws {
    guard bits & TypeSizes.unknown == 0 else { throw damage("has a record with an unknown type") }
  }

  /// A type code of several bytes.
  private func longType(
    _ bytes: UnsafeRawPointer, limit: Int
  ) throws -> (type: UInt32, byteCount: Int) {
    guard let long = Varint.read(bytes, limit: limit), let type = UInt32(exactly: long.value) else {
      throw damage("has a record with an invalid header")
    }
    guard type &- 10 > 1 else { throw damage("has a record with an unknown type") }
    return (type, long.byteCount)
  }

  /// Reads the length of the record's header, and the header itself where it is not on the page.
  private func beginRecord() throws {
    // The length of a header is short: SQLite has at most 32,767 columns.
    guard let length = Varint.read(record, limit: min(availableBytes, 9)),
      length.value >= UInt64(length.byteCount), length.value <= UInt64(payloadBytes)
    else { throw damage("has a record with an invalid header") }
    headerBytes = Int(length.value)
    if headerBytes > availableBytes { try load(bytes: headerBytes) }
    headerPlace = length.byteCount
    bodyPlace = headerBytes
  }

  /// Reads the payload to the end of a column that has been parsed.
  @inline(never)
  private func load(through column: Int) throws {
    guard parsedColumns > 0 else { return }
    let next = min(column, parsedColumns - 1) + 1
    let end = next < parsedColumns ? Int(columns[next].offset) : bodyPlace
    if end > availableBytes { try load(bytes: end) }
  }

  /// Reads the whole payload of a row that does not fit its page.
  func loadAll() throws { try load(bytes: payloadBytes) }

  /// Reads the payload's beginning, of so many bytes.
  private func load(bytes end: Int) throws {
    if !isOverflowBegun {
      record = try overflow.begin(
        record, localBytes: availableBytes, byteCount: payloadBytes, leaf: leafPage)
      isOverflowBegun = true
    }
    availableBytes = try overflow.load(through: end)
  }
}
