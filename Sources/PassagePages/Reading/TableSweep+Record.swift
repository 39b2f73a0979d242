package import PassageValues

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
    let (record, columns, end) = (self.record, self.columns, headerBytes)
    var (index, place, body) = (parsedColumns, headerPlace, bodyPlace)
    while index <= column, place < end {
      var type = UInt64(record.load(fromByteOffset: place, as: UInt8.self))
      place += 1
      if type >= 0x80 {
        guard let long = Varint.read(record + place - 1, limit: end - place + 1),
          long.value <= UInt64(UInt32.max)
        else { throw damage("has a record with an invalid header") }
        type = long.value
        place += long.byteCount - 1
      }
      guard type &- 10 > 1 else { throw damage("has a record with an unknown type") }
      let code = UInt32(truncatingIfNeeded: type)
      // An offset that does not fit 32 bits is beyond the payload, which is found below.
      columns[index] = RecordColumn(type: code, offset: UInt32(truncatingIfNeeded: body))
      body += RecordView.byteCount(code)
      index += 1
    }
    // The bodies fill the payload to its end.
    guard body <= payloadBytes, place < end || body == payloadBytes else {
      throw damage("has a record whose values do not fit into it")
    }
    (parsedColumns, headerPlace, bodyPlace) = (index, place, body)
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
