internal import PassageDiagnostics

/// Text for a terminal. Names of files and stores may hold characters that would set its title, move its
/// cursor or have it answer.
enum TerminalText {
  /// The text as ``VisibleText`` has it, but for line breaks, tabs and the sequences that select colours.
  static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isShown) else { return text }
    var shown = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if let end = endOfColor(rest) {
        shown.unicodeScalars.append(contentsOf: rest[..<end])
        rest = rest[end...]
        continue
      }
      rest.removeFirst()
      if isShown(scalar) {
        shown += VisibleText.notation(of: scalar)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\n" && scalar != "\t"
      && (VisibleText.isControl(scalar) || VisibleText.isDirection(scalar))
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
