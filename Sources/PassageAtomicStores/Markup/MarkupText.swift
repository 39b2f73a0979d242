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
}
