/// Texts of files, made harmless for HTML and SVG.
enum EscapedText {
  /// The text with everything escaped that could end a text or an attribute.
  ///
  /// What a page must not contain, or what would show another text than there is, becomes the
  /// replacement character: control characters, and marks that change the direction of the text
  /// after them (Unicode's explicit formatting of bidirectional text).
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { replacement(of: $0) != nil }) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if let replacement = replacement(of: scalar) {
        escaped += replacement
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The text in a form that the page can show, without escapes, for measuring and cutting.
  static func printable(_ text: String) -> String {
    var printable = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      printable.append(isUnprintable(scalar) ? "\u{FFFD}" : scalar)
    }
    return String(printable)
  }

  private static func replacement(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: isUnprintable(scalar) ? "\u{FFFD}" : nil
    }
  }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x061C: true
    // Lines of their own, and what no text may contain.
    case 0x2028, 0x2029, 0xFFFE, 0xFFFF, 0xFEFF: true
    default: false
    }
  }
}
