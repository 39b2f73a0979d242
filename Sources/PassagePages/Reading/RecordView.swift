package import PassageValues

/// A record that has been parsed as far as it is needed
/// (https://www.sqlite.org/fileformat2.html#record_format): bare pointers, for inner loops.
///
/// It is valid until its ``TableSweep`` goes on. The values are those on disk: a column declared as
/// REAL may store a whole number as an integer, and the column with the row's key stores NULL.
package struct RecordView {
  /// Bytes after every record that may be read: a number of any size is read as eight bytes, and
  /// short records are copied in large parts.
  static let slack = 64

  let base: UnsafeRawPointer
  let columns: UnsafePointer<RecordColumn>
  /// The columns that can be read. The others are NULL: they are beyond the record, or have not
  /// been asked for.
  package let count: Int

  /// The bytes of a value of a known type code.
  @inline(__always)
  static func byteCount(_ type: UInt32) -> Int { RecordColumn.byteCount(type) }

  /// The type code of a column; that of NULL when it cannot be read.
  @inline(__always)
  func type(_ column: Int) -> UInt32 { column < count ? columns[column].type : 0 }

  /// Where the value of a column begins.
  @inline(__always)
  func bytes(_ column: Int) -> UnsafeRawPointer {
    column < count ? base + Int(columns[column].offset) : base
  }

  /// Whether a column is NULL.
  @inline(__always)
  package func isNull(_ column: Int) -> Bool {
    guard column < count else { return true }
    let place = columns[column]
    return place.type == 0 || place.type == 7 && real(at: place.offset).isNaN
  }

  /// A column's value.
  @inline(__always)
  package func cell(_ column: Int) -> RawCell {
    guard column < count else { return .null }
    let place = columns[column]
    switch place.type {
    case 0: return .null
    case 1...6, 8, 9: return .integer(integer(place))
    case 7:
      let value = real(at: place.offset)
      // SQLite reads what is not a number as NULL.
      return value.isNaN ? .null : .real(value)
    default:
      let bytes = UnsafeRawBufferPointer(
        start: base + Int(place.offset), count: Self.byteCount(place.type))
      return place.type & 1 == 1 ? .text(bytes) : .blob(bytes)
    }
  }

  /// A column's value as it goes into another record, not decoded.
  @inline(__always)
  package func image(_ column: Int) -> CellImage {
    guard column < count else { return .null }
    let place = columns[column]
    if place.type == 7, real(at: place.offset).isNaN { return .null }
    return CellImage(type: UInt64(place.type), bytes: base + Int(place.offset))
  }

  // The sizes have been checked when the record was parsed; a number is read with the slack.

  /// The value of a column that stores an integer.
  @inline(__always)
  func integer(_ place: RecordColumn) -> Int64 { place.integer(in: base) }

  @inline(__always)
  func real(at offset: UInt32) -> Double {
    Double(bitPattern: base.bigUInt64(at: Int(offset)))
  }
}
