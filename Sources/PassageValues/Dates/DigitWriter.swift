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
  package mutating func write(_ number: Int, _ digits: Int) {
    let width = digits == 1 && number >= 10 ? 2 : digits
    var rest = number
    for index in stride(from: count + width - 1, through: count, by: -1) {
      buffer[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    }
    count += width
  }
}
