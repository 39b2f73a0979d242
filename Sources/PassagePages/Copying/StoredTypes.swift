/// How values are stored in records (https://www.sqlite.org/fileformat2.html#record_format): bits 0 to
/// 9 by type code, 12 for blobs, 13 for texts.
package struct StoredTypes: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let null = StoredTypes(rawValue: 1)
  /// Integers in one or two bytes, and the numbers 0 and 1 in none.
  package static let integers16: StoredTypes = [StoredTypes(rawValue: 0b110), .zeroAndOne]
  /// Those, and integers in three or four bytes.
  package static let integers32: StoredTypes = [.integers16, StoredTypes(rawValue: 0b1_1000)]
  /// All integers.
  package static let integers: StoredTypes = [.integers32, StoredTypes(rawValue: 0b110_0000)]
  package static let real = StoredTypes(rawValue: 1 << 7)
  /// The numbers 0 and 1 where they take no bytes.
  package static let zeroAndOne = StoredTypes(rawValue: 0b11 << 8)
  package static let blob = StoredTypes(rawValue: 1 << 12)
  package static let text = StoredTypes(rawValue: 1 << 13)
  /// A column that was added to the table later and is not in the record.
  package static let absent = StoredTypes(rawValue: 1 << 14)

  /// Whether a column of a record is stored as one of these types. What is not a number is not a
  /// real one: SQLite reads it as NULL.
  @inline(__always)
  func contain(_ column: Int, of record: RecordView) -> Bool {
    guard column < record.count else { return contains(.absent) }
    let type = record.type(column)
    return rawValue >> UInt16(min(type, 12 | (type & 1))) & 1 == 1
      && (type == 0 || !record.isNull(column))
  }
}
