/// A record that is being put together: the type codes and the values of its columns, one after the
/// other (https://www.sqlite.org/fileformat2.html#record_format).
///
/// Both are in memory with room for the longest record that consists of short values, and with
/// ``RecordView/slack`` bytes behind it: short values are copied sixteen bytes at a time.
struct RecordParts {
  /// Longer values are not put together here.
  static let longestValue = 4_096
  /// Bytes before the type codes: for the length of the header, the key and the length of the
  /// payload.
  static let typesMargin = 32

  let firstType: UnsafeMutableRawPointer
  let firstValue: UnsafeMutableRawPointer
  /// Where the next type code goes.
  private(set) var type: UnsafeMutableRawPointer
  /// Where the next value goes.
  private(set) var value: UnsafeMutableRawPointer

  @inline(__always)
  init(types: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer) {
    firstType = types + Self.typesMargin
    firstValue = values
    type = firstType
    value = firstValue
  }

  @inline(__always)
  var typeBytes: Int { type - firstType }

  @inline(__always)
  var valueBytes: Int { value - firstValue }

  @inline(__always)
  mutating func append(type code: UInt64) {
    if code < 0x80 {
      type.storeBytes(of: UInt8(truncatingIfNeeded: code), as: UInt8.self)
      type += 1
    } else {
      type += Varint.write(code, to: type)
    }
  }

  @inline(__always)
  mutating func appendNull() { append(type: SerialType.null) }

  @inline(__always)
  mutating func append(_ number: Int64) {
    let (code, count) = SerialType.sizedInteger(number)
    type.storeBytes(of: UInt8(truncatingIfNeeded: code), as: UInt8.self)
    type += 1
    append(bitsOfNumber: UInt64(bitPattern: number), count: count)
  }

  /// Appends the low bytes of a number, the most significant of them first.
  @inline(__always)
  mutating func append(bitsOfNumber bits: UInt64, count: Int) {
    let high = bits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    value.storeBytes(of: high.bigEndian, as: UInt64.self)
    value += count
  }

  @inline(__always)
  mutating func append(_ number: Double) {
    type.storeBytes(of: UInt8(truncatingIfNeeded: SerialType.real), as: UInt8.self)
    type += 1
    value.storeBytes(of: number.bitPattern.bigEndian, as: UInt64.self)
    value += 8
  }

  /// Appends a value as it is stored elsewhere.
  ///
  /// - Parameters:
  ///   - bytes: with ``RecordView/slack`` readable bytes behind them.
  ///   - count: at most ``longestValue``.
  @inline(__always)
  mutating func append(type code: UInt64, _ bytes: UnsafeRawPointer, count: Int) {
    append(type: code)
    Self.copy(bytes, to: value, count: count)
    value += count
  }

  /// Appends type codes and values that are put together already.
  @inline(__always)
  mutating func append(
    types: UnsafeRawPointer, typeBytes: Int, values: UnsafeRawPointer, valueBytes: Int
  ) {
    Self.copy(types, to: type, count: typeBytes)
    type += typeBytes
    Self.copy(values, to: value, count: valueBytes)
    value += valueBytes
  }

  /// Writes what comes before the type codes in a row's cell, backwards.
  ///
  /// - Returns: where the cell begins, where the record's header begins, and the bytes of the record.
  @inline(__always)
  func head(
    key: Int64
  ) -> (start: UnsafeMutableRawPointer, header: UnsafeMutableRawPointer, payload: Int) {
    let headerBytes = RecordEncoder.headerBytes(ofTypes: typeBytes)
    let payload = headerBytes + valueBytes
    let header = Varint.write(UInt64(headerBytes), before: firstType)
    let keyStart = Varint.write(UInt64(bitPattern: key), before: header)
    let start = Varint.write(UInt64(payload), before: keyStart)
    return (start, header, payload)
  }

  /// Copies the cell of a row.
  ///
  /// - Parameters:
  ///   - start: where it begins, as ``head(key:)`` tells.
  ///   - target: room for the cell, and for nothing behind it.
  @inline(__always)
  func copyCell(from start: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
    let before = type - start
    let count = valueBytes
    guard count >= 16 else {
      target.copyMemory(from: start, byteCount: before)
      (target + before).copyMemory(from: firstValue, byteCount: count)
      return
    }
    // What is copied behind the type codes is where the values go.
    Self.copy(start, to: target, count: before)
    Self.copyExactly(firstValue, to: target + before, count: count)
  }

  /// Copies bytes, and nothing behind them.
  @inline(__always)
  static func copyExactly(
    _ bytes: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
  ) {
    guard count >= 16 else { return target.copyMemory(from: bytes, byteCount: count) }
    let last = count &- 16
    copy(bytes, to: target, count: last)
    copy(bytes + last, to: target + last, count: 16)
  }

  /// Notes bytes that were written where ``value`` points.
  @inline(__always)
  mutating func advance(_ count: Int) { value += count }

  /// Copies bytes, sixteen at a time, and at least as many.
  ///
  /// - Parameters:
  ///   - bytes: with ``RecordView/slack`` readable bytes behind them.
  ///   - target: with as many bytes that may be written.
  @inline(__always)
  static func copy(
    _ bytes: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
  ) {
    // Most values are short: they need no loop.
    target.storeBytes(of: bytes.loadUnaligned(as: SIMD2<UInt64>.self), as: SIMD2<UInt64>.self)
    var place = 16
    while place < count {
      let pair = bytes.loadUnaligned(fromByteOffset: place, as: SIMD2<UInt64>.self)
      target.storeBytes(of: pair, toByteOffset: place, as: SIMD2<UInt64>.self)
      place &+= 16
    }
  }
}
