/// Writes the bytes of a short text into memory that has room for them: a string's own, so that the
/// text of every row is made without an array.
package struct DigitWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  /// The bytes written so far.
  package private(set) var count = 0

  package init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  /// Writes one byte.
  package mutating func write(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  /// Writes a number that is not negative in so many digits; a number of two digits where one is
  /// the fewest.
  @inline(__always)
  package mutating func write(_ number: Int, _ digits: Int) {
    if digits == 4, number < 10_000 {
      let rest = UInt32(truncatingIfNeeded: number)
      writePair(rest / 100)
      writePair(rest % 100)
    } else if digits == 1, number < 10 {
      write(UInt8(truncatingIfNeeded: 0x30 &+ number))
    } else if digits <= 2, number < 100 {
      writePair(UInt32(truncatingIfNeeded: number))
    } else {
      writeEach(number, digits)
    }
  }

  /// Writes a number below 100 in two digits.
  @inline(__always)
  private mutating func writePair(_ number: UInt32) {
    let tens = number / 10
    buffer[count] = UInt8(truncatingIfNeeded: 0x30 &+ tens)
    buffer[count &+ 1] = UInt8(truncatingIfNeeded: 0x30 &+ number &- tens &* 10)
    count += 2
  }

  @inline(never)
  private mutating func writeEach(_ number: Int, _ digits: Int) {
    let width = digits == 1 && number >= 10 ? 2 : digits
    var rest = number
    for index in stride(from: count + width - 1, through: count, by: -1) {
      buffer[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    }
    count += width
  }
}
