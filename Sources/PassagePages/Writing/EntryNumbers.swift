/// The record of an index entry of whole numbers and NULL: up to two values, and the row's key
/// (https://www.sqlite.org/fileformat2.html#record_format).
struct EntryNumbers {
  /// The bytes before the record that writing it may change.
  static let margin = 8
  /// The bytes of the longest record.
  static let longest = 4 + 3 * 8

  private var types: (UInt64, UInt64, UInt64)
  private var values: (UInt64, UInt64, UInt64)
  private let headerBytes: Int
  /// The bytes of the record.
  let byteCount: Int

  /// - Parameter inversions: as the words were made with.
  @inline(__always)
  init<Entry: WordEntry>(_ entry: Entry, inversions: (Entry.Word, Entry.Word)) {
    let row = Entry.Word.row(of: entry[Entry.wordCount - 1])
    let first = Entry.Word.number(of: entry[0], inversion: inversions.0)
    let second =
      Entry.wordCount == 3
      ? Entry.Word.number(of: entry[1], inversion: inversions.1) : (type: 0, value: 0)
    types = (first.type, second.type, SerialType.integer(row))
    values = (first.value, second.value, UInt64(bitPattern: row))
    headerBytes = 1 + Entry.wordCount
    byteCount =
      headerBytes &+ SerialType.numberByteCount(types.0) &+ SerialType.numberByteCount(types.1)
      &+ SerialType.numberByteCount(types.2)
  }

  /// The record of an entry with two values.
  @inline(__always)
  init(_ entry: PairEntry) {
    types = (
      UInt64(entry.types.first), UInt64(entry.types.second), UInt64(entry.types.row)
    )
    values = (
      UInt64(bitPattern: entry.first), UInt64(bitPattern: entry.second),
      UInt64(bitPattern: entry.row)
    )
    headerBytes = 4
    byteCount =
      4 &+ SerialType.numberByteCount(types.0) &+ SerialType.numberByteCount(types.1)
      &+ SerialType.numberByteCount(types.2)
  }

  /// Writes the record from its end to its beginning, so that each part covers what the one after
  /// it has written too much.
  @inline(__always)
  func write(before end: UnsafeMutableRawPointer) {
    var place = end
    Self.put(values.2, types.2, before: &place)
    if headerBytes == 4 { Self.put(values.1, types.1, before: &place) }
    Self.put(values.0, types.0, before: &place)
    place -= headerBytes
    place.storeBytes(of: UInt8(truncatingIfNeeded: headerBytes), as: UInt8.self)
    place.storeBytes(of: UInt8(truncatingIfNeeded: types.0), toByteOffset: 1, as: UInt8.self)
    if headerBytes == 4 {
      place.storeBytes(of: UInt8(truncatingIfNeeded: types.1), toByteOffset: 2, as: UInt8.self)
    }
    place.storeBytes(
      of: UInt8(truncatingIfNeeded: types.2), toByteOffset: headerBytes - 1, as: UInt8.self)
  }

  @inline(__always)
  private static func put(
    _ value: UInt64, _ type: UInt64, before place: inout UnsafeMutableRawPointer
  ) {
    (place - 8).storeBytes(of: value.bigEndian, as: UInt64.self)
    place -= SerialType.numberByteCount(type)
  }
}

extension SortWord {
  /// The number or NULL of a word, as a type code and bits.
  @inline(__always)
  static func number(of word: Self, inversion: Self) -> (type: UInt64, value: UInt64) {
    let plain = word ^ inversion
    guard plain != 0 else { return (SerialType.null, 0) }
    let value = integer(of: plain)
    return (SerialType.integer(value), UInt64(bitPattern: value))
  }
}
