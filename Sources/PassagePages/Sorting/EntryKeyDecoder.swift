internal import PassagePlatform

/// Makes the cells of an entry again from its ``EntryKey``.
///
/// The bytes may come from a file, so every length is checked.
final class EntryKeyDecoder {
  private let columnCount: Int
  private let inversions: UnsafePointer<UInt8>
  /// The cells of the entry and the row's key, until the next entry.
  let cells: UnsafeMutableBufferPointer<CellImage>
  /// The bytes of the key before the row's key.
  private(set) var columnBytes = 0
  /// Whether a column is NULL.
  private(set) var hasNull = false
  private(set) var row: Int64 = 0
  /// Texts and blobs that do not stand in the key as they are.
  private var scratch = RawMemory(byteCount: 1_024)
  private var scratchUsed = 0

  /// - Parameter inversions: for each column 255 where it is descending, else 0; they outlive this.
  init(columnCount: Int, inversions: UnsafePointer<UInt8>) {
    self.columnCount = columnCount
    self.inversions = inversions
    cells = .allocate(capacity: columnCount + 1)
    cells.initialize(repeating: .null)
  }

  deinit { cells.deallocate() }

  /// Decodes an entry. The cells refer to its bytes.
  func decode(_ key: UnsafeRawBufferPointer) throws(SpillDamage) {
    guard let base = key.baseAddress else { throw SpillDamage() }
    if scratch.byteCount < key.count { scratch = RawMemory(byteCount: 2 * key.count) }
    scratchUsed = 0
    hasNull = false
    var place = 0
    for column in 0..<columnCount {
      place = try decodeColumn(column, base, place, key.count)
    }
    columnBytes = place
    place = try decodeRow(base, place, key.count)
    if place < key.count {
      guard key.count - place == columnCount else { throw SpillDamage() }
      for column in 0..<columnCount { apply(form: key[place + column], to: column) }
    }
  }

  private func apply(form: UInt8, to column: Int) {
    if form == EntryKey.Form.negativeZero {
      cells[column] = .real(-0.0)
    } else if form == EntryKey.Form.integralReal, let value = cells[column].integerValue {
      cells[column] = .real(Double(value))
    }
  }

  @inline(__always)
  private func decodeRow(
    _ base: UnsafeRawPointer, _ start: Int, _ end: Int
  ) throws(SpillDamage) -> Int {
    guard start < end else { throw SpillDamage() }
    let length = base.load(fromByteOffset: start, as: UInt8.self)
    let count = length < 0x80 ? 0x7F - Int(length) : Int(length) - 0x80
    guard count <= 8, end - start > count else { throw SpillDamage() }
    var bits: UInt64 = length < 0x80 ? .max : 0
    for place in 1..<(count + 1) {
      bits = bits << 8 | UInt64(base.load(fromByteOffset: start + place, as: UInt8.self))
    }
    row = Int64(bitPattern: bits)
    cells[columnCount] = .integer(row)
    return start + 1 + count
  }

  @inline(__always)
  private func decodeColumn(
    _ column: Int, _ base: UnsafeRawPointer, _ start: Int, _ end: Int
  ) throws(SpillDamage) -> Int {
    guard start < end else { throw SpillDamage() }
    let inversion = inversions[column]
    switch base.load(fromByteOffset: start, as: UInt8.self) ^ inversion {
    case EntryKey.null:
      hasNull = true
      cells[column] = .null
      return start + 1
    case EntryKey.number: return try decodeNumber(column, base, start + 1, end)
    case EntryKey.text: return try decodeBytes(column, base, start + 1, end, isText: true)
    case EntryKey.blob: return try decodeBytes(column, base, start + 1, end, isText: false)
    default: throw SpillDamage()
    }
  }

  @inline(__always)
  private func decodeNumber(
    _ column: Int, _ base: UnsafeRawPointer, _ start: Int, _ end: Int
  ) throws(SpillDamage) -> Int {
    guard end - start >= 8 else { throw SpillDamage() }
    let inversion: UInt64 = inversions[column] == 0 ? 0 : .max
    let real = EntryKey.real(sortable: base.bigUInt64(at: start) ^ inversion)
    guard !real.isNaN else { throw SpillDamage() }
    guard real.magnitude >= EntryKey.denseEnd else {
      let whole = Int64(real)
      cells[column] = Double(whole) == real ? .integer(whole) : .real(real)
      return start + 8
    }
    guard end - start >= 10 else { throw SpillDamage() }
    let distance = (base.bigUInt16(at: start + 8) ^ Int(inversion & 0xFFFF)) - 0x8000
    if real >= -0x1p63, real < 0x1p63 {
      let (whole, overflow) = Int64(real).addingReportingOverflow(Int64(distance))
      guard !overflow else { throw SpillDamage() }
      cells[column] = .integer(whole)
    } else if real == 0x1p63, distance < 0 {
      cells[column] = .integer(.max + Int64(distance + 1))
    } else {
      cells[column] = .real(real)
    }
    return start + 10
  }

  private func decodeBytes(
    _ column: Int, _ base: UnsafeRawPointer, _ start: Int, _ end: Int, isText: Bool
  ) throws(SpillDamage) -> Int {
    let zero = inversions[column]
    let escape = EntryKey.escape ^ zero
    var place = start
    var escapes = 0
    while true {
      // The search reads what is left of the key, never beyond it.
      guard let found = memchr(base + place, Int32(zero), end - place) else { throw SpillDamage() }
      place = UnsafeRawPointer(found) - base
      guard end - place > 1 else { throw SpillDamage() }
      if base.load(fromByteOffset: place + 1, as: UInt8.self) != escape { break }
      escapes += 1
      place += 2
    }
    let count = place - start - escapes
    let bytes =
      escapes == 0 && zero == 0 ? base + start : plainBytes(base + start, place - start, zero)
    let value = UnsafeRawBufferPointer(start: bytes, count: count)
    cells[column] = isText ? .text(value) : .blob(value)
    return place + 1
  }

  /// The bytes of a value without inversion and escapes. They never take more room than the key.
  private func plainBytes(
    _ bytes: UnsafeRawPointer, _ count: Int, _ zero: UInt8
  ) -> UnsafeRawPointer {
    let start = scratch.bytes + scratchUsed
    var place = 0
    var index = 0
    while index < count {
      let byte = bytes.load(fromByteOffset: index, as: UInt8.self) ^ zero
      start.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
      place += 1
      index += byte == 0 ? 2 : 1
    }
    scratchUsed += place
    return UnsafeRawPointer(start)
  }
}
