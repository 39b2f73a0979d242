/// Text as Core Data's XML stores write it.
///
/// A character that XML keeps for itself is written as `\u` and four hexadecimal digits, the two
/// bytes of its UTF-16 unit swapped: `\u3c00` is `<`, `\u2600` is `&`.
package enum XMLStoreText {
  /// The text that is meant.
  ///
  /// What only looks like such an escape, or stands for half a character, is left as it is.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func decode(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(backslash) else { return text }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      if let (scalar, length) = scalar(in: bytes, at: position) {
        decoded.append(contentsOf: String(Character(scalar)).utf8)
        position += length
      } else {
        decoded.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static let backslash = UInt8(ascii: "\\")
  /// `\u` and four digits.
  private static let escapeBytes = 6

  /// The character that an escape, or two for the halves of one, stands for.
  private static func scalar(
    in bytes: [UInt8], at position: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let first = unit(in: bytes, at: position) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (scalar, escapeBytes) }
    guard UTF16.isLeadSurrogate(first),
      let second = unit(in: bytes, at: position + escapeBytes), UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(
        0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { return nil }
    return (scalar, escapeBytes * 2)
  }

  /// The UTF-16 unit an escape stands for, its bytes in the right order again.
  private static func unit(in bytes: [UInt8], at position: Int) -> UInt16? {
    guard bytes.count - position >= escapeBytes, bytes[position] == backslash,
      bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    var number: UInt16 = 0
    for byte in bytes[(position + 2)..<(position + escapeBytes)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        return nil
      }
      number = number << 4 | UInt16(digit)
    }
    return number.byteSwapped
  }
}
