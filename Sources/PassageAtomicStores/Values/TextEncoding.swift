/// The encodings of text files.
package enum TextEncoding: String, Sendable, Hashable, CaseIterable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case latin1 = "iso-8859-1"

  private static let marks: [(encoding: TextEncoding, bytes: [UInt8])] = [
    (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, [0xFF, 0xFE]),
    (.utf16BigEndian, [0xFE, 0xFF]),
  ]

  /// The encoding that a byte-order mark indicates.
  static func marked(_ bytes: [UInt8]) -> TextEncoding? {
    marks.first { bytes.starts(with: $0.bytes) }?.encoding
  }

  /// The byte-order mark of the encoding; empty if it has none.
  var mark: [UInt8] { Self.marks.first { $0.encoding == self }?.bytes ?? [] }

  /// Whether the encoding can represent every character of a text.
  func canHold(_ text: String) -> Bool {
    self != .latin1 || text.unicodeScalars.allSatisfy { $0.value < 0x100 }
  }

  /// Encodes a text for which ``canHold(_:)`` is true.
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
