internal import PassageDiagnostics

/// The encodings of files of text.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case latin1 = "iso-8859-1"

  private static let marks: [(encoding: TextEncoding, bytes: [UInt8])] = [
    (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, [0xFF, 0xFE]),
    (.utf16BigEndian, [0xFE, 0xFF]),
  ]

  /// The encoding that a byte-order mark tells.
  static func marked(_ bytes: [UInt8]) -> TextEncoding? {
    marks.first { bytes.starts(with: $0.bytes) }?.encoding
  }

  /// The mark of the encoding; none for one that has none.
  var mark: [UInt8] { Self.marks.first { $0.encoding == self }?.bytes ?? [] }

  /// The text in UTF-8, without a byte-order mark.
  ///
  /// - Throws: `ATM-002` with each place where the bytes are no text.
  static func decode(
    _ bytes: [UInt8], as named: TextEncoding?, path: String
  ) throws(Diagnostics) -> [UInt8] {
    let marked = marked(bytes)
    let encoding = named ?? marked ?? .utf8
    let start = marked == encoding ? encoding.mark.count : 0
    switch encoding {
    case .utf8:
      let text = start == 0 ? bytes : Array(bytes[start...])
      if String(validating: text, as: UTF8.self) != nil { return text }
      throw badBytes(text, path)
    case .latin1:
      var text: [UInt8] = []
      text.reserveCapacity(bytes.count)
      for byte in bytes {
        if byte < 0x80 {
          text.append(byte)
        } else {
          text += [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
        }
      }
      return text
    case .utf16LittleEndian, .utf16BigEndian:
      return try utf16(bytes, start, isLittle: encoding == .utf16LittleEndian, path)
    }
  }

  private static func badBytes(_ text: [UInt8], _ path: String) -> Diagnostics {
    var places = TextPlaces(text, path: path)
    var found: [Diagnostic] = []
    var position = 0
    var decoder = UTF8.ForwardParser()
    var iterator = text.makeIterator()
    loop: while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): position += scalar.count
      case .error(let length):
        found.append(badPlace(places.location(of: position), "UTF-8"))
        // A file of another kind is bad from end to end.
        if found.count > ObjectGraph.listedMistakes { break loop }
        position += max(1, length)
      case .emptyInput: break loop
      }
    }
    return Mistakes.listed(found, path: path)
  }

  private static func badPlace(_ location: SourceLocation, _ name: String) -> Diagnostic {
    Diagnostic(
      "ATM-002", "the bytes here are no text", at: location, reason: "the file is read as \(name)",
      remedy: "name the encoding in the settings beside the file, or correct the bytes")
  }

  private static func utf16(
    _ bytes: [UInt8], _ start: Int, isLittle: Bool, _ path: String
  ) throws(Diagnostics) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var found: [Int] = []
    var position = start
    func unit(at position: Int) -> UInt16? {
      guard position + 1 < bytes.count else { return nil }
      let (a, b) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
      return isLittle ? b << 8 | a : a << 8 | b
    }
    while position < bytes.count {
      guard let first = unit(at: position) else {
        found.append(text.count)
        break
      }
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
        found.append(text.count)
      }
    }
    guard found.isEmpty else {
      var places = TextPlaces(text, path: path)
      throw Mistakes.listed(
        found.map { badPlace(places.location(of: $0), "UTF-16") }, path: path)
    }
    return text
  }

  /// Whether the encoding has every character of a text.
  func canHold(_ text: String) -> Bool {
    self != .latin1 || text.unicodeScalars.allSatisfy { $0.value < 0x100 }
  }

  /// The bytes of a text that ``canHold(_:)``.
  func encode(_ text: [UInt8], withMark: Bool) -> [UInt8] {
    let string = String(decoding: text, as: UTF8.self)
    switch self {
    case .utf8: return (withMark ? mark : []) + text
    case .latin1: return string.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    case .utf16LittleEndian, .utf16BigEndian:
      var bytes = withMark ? mark : []
      for unit in string.utf16 {
        let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
        bytes += self == .utf16LittleEndian ? [low, high] : [high, low]
      }
      return bytes
    }
  }
}
