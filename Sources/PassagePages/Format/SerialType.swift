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
  static func integer(_ value: Int64) -> UInt64 {
    if value == 0 || value == 1 { return zero + UInt64(value) }
    let magnitude = UInt64(bitPattern: value < 0 ? ~value : value)
    if magnitude <= 0x7F { return 1 }
    if magnitude <= 0x7FFF { return 2 }
    if magnitude <= 0x7F_FFFF { return 3 }
    if magnitude <= 0x7FFF_FFFF { return 4 }
    if magnitude <= 0x7FFF_FFFF_FFFF { return 5 }
    return 6
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
