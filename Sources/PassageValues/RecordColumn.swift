/// Where a column is in a record of a database.
@usableFromInline
package struct RecordColumn {
  /// The type code (https://www.sqlite.org/fileformat2.html#record_format). Those of values that fit
  /// a payload fit 32 bits.
  @usableFromInline package var type: UInt32
  /// Where the value begins, from the record's beginning.
  @usableFromInline package var offset: UInt32

  @inlinable @inline(__always)
  package init(type: UInt32, offset: UInt32) {
    self.type = type
    self.offset = offset
  }

  /// Whether an integer is stored.
  @inlinable @inline(__always)
  package var isInteger: Bool { type &- 1 < 9 && type != 7 }

  /// The bytes of a value of a known type code.
  @inlinable @inline(__always)
  package static func byteCount(_ type: UInt32) -> Int {
    // The sizes of the codes below 12, four bits each.
    let number = Int(truncatingIfNeeded: 0x88_6432_10 &>> UInt64(type &* 4)) & 0xF
    return type < 12 ? number : Int(type &- 12) &>> 1
  }

  /// The integer that is stored.
  ///
  /// - Parameter record: with eight bytes that may be read where the value begins.
  @inlinable @inline(__always)
  package func integer(in record: UnsafeRawPointer) -> Int64 {
    if type >= 8 { return Int64(type) &- 8 }
    let word = record.loadUnaligned(fromByteOffset: Int(offset), as: UInt64.self).bigEndian
    return Int64(bitPattern: word) &>> Int64(64 &- 8 &* Self.byteCount(type))
  }
}
