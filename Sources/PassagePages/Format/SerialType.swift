/// The type code of a value in a record (https://www.sqlite.org/fileformat2.html#record_format).
enum SerialType {
  static let null: UInt64 = 0
  static let real: UInt64 = 7
  static let zero: UInt64 = 8
  static let one: UInt64 = 9

  static func text(_ byteCount: Int) -> UInt64 { UInt64(byteCount) * 2 + 13 }
  static func blob(_ byteCount: Int) -> UInt64 { UInt64(byteCount) * 2 + 12 }

  /// The shortest type that holds an integer.
  @inline(__always)
  static func integer(_ value: Int64) -> UInt64 { sizedInteger(value).type }

  /// The shortest type that holds an integer, and its bytes.
  @inline(__always)
  static func sizedInteger(_ value: Int64) -> (type: UInt64, byteCount: Int) {
    let bits = UInt64(bitPattern: value)
    if bits < 2 { return (zero &+ bits, 0) }
    let magnitude = UInt64(bitPattern: value ^ (value &>> 63))
    // The sign takes a bit too.
    let bytes = UInt64(truncatingIfNeeded: (64 &- magnitude.leadingZeroBitCount) &>> 3 &+ 1)
    // A digit for each number of bytes.
    let place = bytes &* 4
    return (
      0x6_6554_3210 &>> place & 0xF, Int(truncatingIfNeeded: 0x8_8664_3210 &>> place & 0xF)
    )
  }

  /// The bytes of a number or NULL.
  ///
  /// - Parameter type: at most 9.
  @inline(__always)
  static func numberByteCount(_ type: UInt64) -> Int {
    // A digit for each code.
    Int(truncatingIfNeeded: 0x00_8864_3210 &>> (type &* 4) & 0xF)
  }

  /// The bytes of a value; `nil` for the two codes that SQLite keeps for itself.
  @inline(__always)
  static func byteCount(_ type: UInt64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1, 2, 3, 4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 10, 11: nil
    // A payload is shorter than 2 GiB, so a longer value is found out when it does not fit into it.
    default: Int(truncatingIfNeeded: min((type - 12) / 2, UInt64(Int32.max)))
    }
  }

  /// The bytes of a value of a type that is known to be one.
  @inline(__always)
  static func knownByteCount(_ type: UInt64) -> Int { byteCount(type) ?? 0 }
}
