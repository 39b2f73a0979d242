/// Text for a terminal. Names of files and stores may hold characters that would set its title, move its
/// cursor or have it answer.
enum TerminalText {
  /// The text with each control character in caret notation (`^[`), but for line breaks, tabs and the
  /// sequences that select colours.
  static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var shown = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if let end = endOfColor(rest) {
        shown.unicodeScalars.append(contentsOf: rest[..<end])
        rest = rest[end...]
        continue
      }
      rest.removeFirst()
      if isControl(scalar) {
        shown += "^"
        shown.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value & 0x7F) ^ 0x40))
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case ..<0x20, 0x7F...0x9F: true
    default: false
    }
  }

  /// Where a sequence that selects a colour ends: `ESC [`, digits and semicolons, `m`.
  private static func endOfColor(
    _ text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView.Index? {
    guard text.starts(with: ["\u{1B}", "["]) else { return nil }
    let inner = text.dropFirst(2)
    guard let end = inner.firstIndex(where: { !("0"..."9").contains($0) && $0 != ";" }),
      inner[end] == "m"
    else { return nil }
    return inner.index(after: end)
  }
}
