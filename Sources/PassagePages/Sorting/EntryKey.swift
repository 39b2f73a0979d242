/// The bytes that stand for an entry of any values while it is sorted. They compare as SQLite
/// compares the entries, and the entry can be made from them again, bit by bit.
///
/// A column is a tag and what follows it, all inverted where the column is descending:
///
/// - NULL: nothing.
/// - Number: the nearest real in eight bytes that compare without a sign. Where reals are not dense
///   enough for all integers, two bytes with the integer's distance from it.
/// - Text and blob: the bytes and a zero. A zero among them is followed by 255, which begins
///   nothing else.
///
/// Then come the row's key, its length first, and, when a number is not stored as one would expect,
/// how each column is stored.
enum EntryKey {
  static let null: UInt8 = 0x10
  static let number: UInt8 = 0x20
  static let text: UInt8 = 0x30
  static let blob: UInt8 = 0x40

  /// After a zero that belongs to the value.
  static let escape: UInt8 = 0xFF

  /// How a number is stored.
  enum Form {
    /// As an integer if it is one, else as a real.
    static let usual: UInt8 = 0
    /// As a real, though it is an integer.
    static let integralReal: UInt8 = 1
    static let negativeZero: UInt8 = 2
  }

  /// From here on there are integers between the reals.
  static let denseEnd = 0x1p53

  /// The longest number, with its tag.
  static let longestNumber = 11
  /// The longest key of a row.
  static let longestRow = 9

  /// The bits of a real, changed so that they compare without a sign.
  @inline(__always)
  static func sortable(_ value: Double) -> UInt64 {
    let bits = value.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  @inline(__always)
  static func real(sortable bits: UInt64) -> Double {
    Double(bitPattern: bits >> 63 == 0 ? ~bits : bits & ~(1 << 63))
  }
}
