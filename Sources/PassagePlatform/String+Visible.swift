/// Text of others that is printed.
///
/// Names come from files. Printed as they are, they could begin a line that looks like a message, hide what
/// is printed beside them, or have a terminal answer.
extension String {
  /// The text as one line that shows itself and does nothing else. A character that would end the line,
  /// steer a terminal or change the direction of the text is written as in a literal of Swift's: `\n`,
  /// `\u{1B}`. What is visible already stays as it is.
  ///
  /// - Complexity: O(n) in the scalars.
  package var visibleLine: String { replacingScalars { $0.visibleForm } }

  /// The text in the same form, but with its line breaks, and spaces after each of them: no line of it
  /// looks like the beginning of something else.
  package func visibleLines(indentedBy spaces: Int) -> String {
    let lineBreak = "\n" + String(repeating: " ", count: spaces)
    return replacingScalars { $0 == "\n" ? lineBreak : $0.visibleForm }
  }
}

extension Unicode.Scalar {
  /// Whether the character shows nothing, and does something to a terminal or to the text around it: the
  /// control characters, the ends of lines and paragraphs, and the overrides of direction.
  package var isControl: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// What stands for the character in a text that does nothing; `nil` for one that shows itself.
  fileprivate var visibleForm: String? {
    switch self {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default: return isControl ? "\\u{\(String(value, radix: 16, uppercase: true))}" : nil
    }
  }
}
