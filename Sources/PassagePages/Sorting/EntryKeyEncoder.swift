internal import PassagePlatform

/// Writes ``EntryKey``s.
struct EntryKeyEncoder {
  private var place: UnsafeMutableRawPointer

  /// The most bytes that an entry takes.
  static func bound(of cells: UnsafeBufferPointer<CellImage>) -> Int {
    var bytes = EntryKey.longestRow + cells.count
    for cell in cells {
      guard cell.type >= 12, let start = cell.bytes else {
        bytes += EntryKey.longestNumber
        continue
      }
      let count = cell.byteCount
      // Long values are looked at rather than given twice their room.
      bytes += 2 + count + (count <= 128 ? count : zeros(start, count: count))
    }
    return bytes
  }

  private static func zeros(_ start: UnsafeRawPointer, count: Int) -> Int {
    var zeros = 0
    for byte in UnsafeRawBufferPointer(start: start, count: count) where byte == 0 { zeros &+= 1 }
    return zeros
  }

  /// Writes an entry.
  ///
  /// - Parameters:
  ///   - inversions: for each cell 255 where its column is descending, else 0.
  ///   - target: has room for ``bound(of:)``.
  /// - Returns: the bytes written.
  static func write(
    _ cells: UnsafeBufferPointer<CellImage>, row: Int64, inversions: UnsafePointer<UInt8>,
    to target: UnsafeMutableRawPointer
  ) -> Int {
    var encoder = EntryKeyEncoder(place: target)
    var isUsual = true
    for (index, cell) in cells.enumerated() {
      let start = encoder.place
      if encoder.append(cell) != EntryKey.Form.usual { isUsual = false }
      guard inversions[index] != 0 else { continue }
      for offset in 0..<(encoder.place - start) {
        let byte = start.load(fromByteOffset: offset, as: UInt8.self)
        start.storeBytes(of: ~byte, toByteOffset: offset, as: UInt8.self)
      }
    }
    encoder.append(row: row)
    if !isUsual { for cell in cells { encoder.append(byte: form(of: cell)) } }
    return encoder.place - target
  }

  private static func form(of cell: CellImage) -> UInt8 {
    guard let value = cell.realValue else { return EntryKey.Form.usual }
    return form(of: value)
  }

  @inline(__always)
  private static func form(of value: Double) -> UInt8 {
    if value == 0, value.sign == .minus { return EntryKey.Form.negativeZero }
    let isInteger = value >= -0x1p63 && value < 0x1p63 && value.rounded(.towardZero) == value
    return isInteger ? EntryKey.Form.integralReal : EntryKey.Form.usual
  }

  // MARK: Pieces

  @inline(__always)
  private mutating func append(byte: UInt8) {
    place.storeBytes(of: byte, as: UInt8.self)
    place += 1
  }

  @inline(__always)
  private mutating func append(_ cell: CellImage) -> UInt8 {
    if cell.type >= 12 {
      append(byte: cell.type & 1 == 0 ? EntryKey.blob : EntryKey.text)
      if let bytes = cell.bytes { append(bytes, count: cell.byteCount) }
      append(byte: 0)
    } else if let value = cell.integerValue {
      append(integer: value)
    } else if let value = cell.realValue {
      append(number: value == 0 ? 0 : value, distance: 0)
      return Self.form(of: value)
    } else {
      append(byte: EntryKey.null)
    }
    return EntryKey.Form.usual
  }

  @inline(__always)
  private mutating func append(integer value: Int64) {
    let nearest = Double(value)
    // The nearest of the largest integers is 2^63, which is not one.
    let distance = nearest == 0x1p63 ? value &- .max &- 1 : value &- Int64(nearest)
    append(number: nearest, distance: distance)
  }

  @inline(__always)
  private mutating func append(number: Double, distance: Int64) {
    append(byte: EntryKey.number)
    place.storeBytes(of: EntryKey.sortable(number).bigEndian, as: UInt64.self)
    place += 8
    if number.magnitude >= EntryKey.denseEnd {
      place.setBigUInt16(Int(distance) + 0x8000, at: 0)
      place += 2
    }
  }

  @inline(__always)
  private mutating func append(_ bytes: UnsafeRawPointer, count: Int) {
    place.copyMemory(from: bytes, byteCount: count)
    // The search reads the bytes of the value, never beyond them.
    guard memchr(bytes, 0, count) != nil else {
      place += count
      return
    }
    for byte in UnsafeRawBufferPointer(start: bytes, count: count) {
      append(byte: byte)
      if byte == 0 { append(byte: EntryKey.escape) }
    }
  }

  /// A length that compares like the key comes first: above 128 for positive keys, below for
  /// negative.
  @inline(__always)
  private mutating func append(row: Int64) {
    let magnitude = UInt64(bitPattern: row < 0 ? ~row : row)
    let count = (71 - magnitude.leadingZeroBitCount) / 8
    append(byte: UInt8(row < 0 ? 0x7F - count : 0x80 + count))
    let big = (UInt64(bitPattern: row) << UInt64(64 - 8 * count)).bigEndian
    // Eight bytes are in reach: the bound counts them.
    place.storeBytes(of: big, as: UInt64.self)
    place += count
  }
}
