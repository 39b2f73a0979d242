/// Text for a person or a log, in which names from files may hold characters that would look like other text:
/// line breaks, colours, what moves a cursor, and marks that change the direction of what comes after them.
package enum VisibleText {
  /// The text in one line: every such character is shown, line breaks and tabs too.
  package static func line(_ text: String) -> String {
    shown(text) { isControl($0) || isDirection($0) }
  }

  /// The text in as many lines as it has: line feeds and tabs stay, all others are shown.
  package static func lines(_ text: String) -> String {
    shown(text) { $0 != "\n" && $0 != "\t" && (isControl($0) || isDirection($0)) }
  }

  /// How a character is shown: in caret notation (`^[`) or by its number (`\u{202E}`).
  package static func notation(of scalar: Unicode.Scalar) -> String {
    isControl(scalar)
      ? "^" + String(Unicode.Scalar(UInt8(scalar.value & 0x7F) ^ 0x40))
      : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  /// Whether it changes the direction of text, or begins a line of its own.
  package static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
    default: false
    }
  }

  private static func shown(_ text: String, _ isShown: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: isShown) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isShown(scalar) {
        shown += notation(of: scalar)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
