/// Text in the notation of Core Data's XML stores.
///
/// A character that has a meaning in XML is written as `\u` and four hexadecimal digits, with the
/// two bytes of its UTF-16 unit swapped: `\u3c00` is `<`, `\u2600` is `&`.
package enum XMLStoreText {
  /// Decodes the text.
  ///
  /// A sequence that only looks like an escape, or that stands for half a character, is left as it
  /// is.
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
  /// The length of `\u` and four digits.
  private static let escapeBytes = 6

  /// The character for an escape, or for two escapes that are a surrogate pair.
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

  /// The UTF-16 unit for an escape, with its bytes in the right order.
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
