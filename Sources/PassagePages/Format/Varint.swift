/// SQLite's integers of variable length, one to nine bytes
/// (https://www.sqlite.org/fileformat2.html#varint).
package enum Varint {
  /// The bytes that a number takes.
  @inline(__always)
  package static func byteCount(_ value: UInt64) -> Int {
    if value < 0x80 { return 1 }
    if value < 0x4000 { return 2 }
    // Seven bits a byte; the ninth byte holds eight.
    let bits = 64 - value.leadingZeroBitCount
    return bits > 56 ? 9 : (bits + 6) / 7
  }

  /// Writes a number.
  ///
  /// - Returns: the bytes it takes: ``byteCount(_:)``.
  @inline(__always)
  static func write(_ value: UInt64, to bytes: UnsafeMutableRawPointer) -> Int {
    if value < 0x80 {
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
      return 1
    }
    return writeLong(value, to: bytes)
  }

  /// Writes a number before other bytes.
  ///
  /// - Parameter end: where it ends.
  /// - Returns: where it begins.
  @inline(__always)
  static func write(
    _ value: UInt64, before end: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if value >= 1 << 56 {
      let start = end - 9
      _ = writeLong(value, to: start)
      return start
    }
    var place = end - 1
    place.storeBytes(of: UInt8(truncatingIfNeeded: value) & 0x7F, as: UInt8.self)
    var rest = value &>> 7
    while rest > 0 {
      place -= 1
      place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      rest &>>= 7
    }
    return place
  }

  private static func writeLong(_ value: UInt64, to bytes: UnsafeMutableRawPointer) -> Int {
    let count = byteCount(value)
    var rest = value
    var place = count - 1
    if count == 9 {
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: 8, as: UInt8.self)
      rest >>= 8
      place = 7
    }
    var more: UInt8 = count == 9 ? 0x80 : 0
    while place >= 0 {
      bytes.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) & 0x7F | more, toByteOffset: place, as: UInt8.self)
      rest >>= 7
      more = 0x80
      place -= 1
    }
    return count
  }

  /// Reads a number.
  ///
  /// - Parameters:
  ///   - bytes: where it begins.
  ///   - limit: the bytes from there that may be read.
  /// - Returns: the number and the bytes it takes; `nil` when it does not end before the limit.
  @inline(__always)
  static func read(
    _ bytes: UnsafeRawPointer, limit: Int
  ) -> (value: UInt64, byteCount: Int)? {
    guard limit > 0 else { return nil }
    let first = bytes.load(as: UInt8.self)
    if first < 0x80 { return (UInt64(first), 1) }
    if limit >= 3 {
      let high = UInt64(first & 0x7F)
      let second = bytes.load(fromByteOffset: 1, as: UInt8.self)
      if second < 0x80 { return (high &<< 7 | UInt64(second), 2) }
      let third = bytes.load(fromByteOffset: 2, as: UInt8.self)
      if third < 0x80 { return (high &<< 14 | UInt64(second & 0x7F) &<< 7 | UInt64(third), 3) }
    }
    return readLong(bytes, limit: limit)
  }

  private static func readLong(
    _ bytes: UnsafeRawPointer, limit: Int
  ) -> (value: UInt64, byteCount: Int)? {
    var value: UInt64 = 0
    for place in 0..<min(8, limit) {
      let byte = bytes.load(fromByteOffset: place, as: UInt8.self)
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return (value, place + 1) }
    }
    guard limit > 8 else { return nil }
    return (value << 8 | UInt64(bytes.load(fromByteOffset: 8, as: UInt8.self)), 9)
  }
}
