/// Converts the pieces of a file from any encoding to UTF-8. A piece may end inside a character.
struct TextDecoder {
  private let encoding: TextEncoding
  /// The bytes of an incomplete character at the end of the last piece.
  private var rest: [UInt8] = []

  init(_ encoding: TextEncoding) { self.encoding = encoding }

  /// The text of the next piece, and the positions of invalid bytes in it.
  ///
  /// - Parameters:
  ///   - piece: bytes of the file, without a byte-order mark.
  ///   - isLast: whether this is the last piece.
  mutating func decode(_ piece: [UInt8], isLast: Bool) -> (text: [UInt8], mistakes: [Int]) {
    switch encoding {
    case .utf8: return utf8(piece, isLast)
    case .latin1:
      var text: [UInt8] = []
      text.reserveCapacity(piece.count)
      for byte in piece {
        if byte < 0x80 {
          text.append(byte)
        } else {
          text += [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
        }
      }
      return (text, [])
    case .utf16LittleEndian, .utf16BigEndian: return utf16(piece, isLast)
    }
  }

  private mutating func utf8(_ piece: [UInt8], _ isLast: Bool) -> ([UInt8], [Int]) {
    var text = rest + piece
    rest = []
    if !isLast {
      rest = Array(text.suffix(Self.unfinishedBytes(text)))
      text.removeLast(rest.count)
    }
    // Fast path: validating a whole text is fast, and nearly every piece is valid.
    if String(validating: text, as: UTF8.self) != nil { return (text, []) }
    var mistakes: [Int] = []
    var position = 0
    var decoder = UTF8.ForwardParser()
    var iterator = text.makeIterator()
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): position += scalar.count
      case .error(let length):
        mistakes.append(position)
        position += max(1, length)
      case .emptyInput: return (text, mistakes)
      }
    }
  }

  /// The number of bytes at the end that begin an incomplete character.
  private static func unfinishedBytes(_ text: [UInt8]) -> Int {
    for back in 1...3 where text.count >= back {
      let byte = text[text.count - back]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > back ? back : 0
    }
    return 0
  }

  private mutating func utf16(_ piece: [UInt8], _ isLast: Bool) -> ([UInt8], [Int]) {
    let bytes = rest + piece
    rest = []
    let isLittle = encoding == .utf16LittleEndian
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var mistakes: [Int] = []
    var position = 0
    func unit(at position: Int) -> UInt16? {
      guard position + 1 < bytes.count else { return nil }
      let (a, b) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
      return isLittle ? b << 8 | a : a << 8 | b
    }
    while position < bytes.count {
      guard let first = unit(at: position) else {
        if !isLast { break }
        mistakes.append(text.count)
        return (text, mistakes)
      }
      if UTF16.isLeadSurrogate(first), !isLast, position + 3 >= bytes.count { break }
      position += 2
      if let scalar = Unicode.Scalar(first) {
        text += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else if UTF16.isLeadSurrogate(first), let second = unit(at: position),
        UTF16.isTrailSurrogate(second),
        let scalar = Unicode.Scalar(
          0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
      {
        position += 2
        text += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        mistakes.append(text.count)
      }
    }
    rest = Array(bytes[position...])
    return (text, mistakes)
  }
}
