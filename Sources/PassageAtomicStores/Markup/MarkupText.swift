internal import PassagePlatform

/// Text in XML.
enum MarkupText {
  /// The text with entities for characters that have a meaning in XML.
  static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\r": "&#13;"
      default: nil
      }
    }
  }

  /// Whether XML can hold the text (https://www.w3.org/TR/xml/#charsets).
  static func holds(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x9, 0xA, 0xD: true
      case 0..<0x20, 0xFFFE, 0xFFFF: false
      default: true
      }
    }
  }
}
