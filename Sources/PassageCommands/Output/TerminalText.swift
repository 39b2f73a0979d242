internal import PassagePlatform

/// Text for programs that goes to a terminal. Names in it may hold characters that would set the terminal's
/// title, move its cursor or have it answer.
enum TerminalText {
  /// The text with each control character escaped as in JSON (`\u001b`), but for line breaks and tabs.
  /// What is JSON is the same JSON then.
  static func harmless(_ text: String) -> String {
    text.replacingScalars { scalar in
      guard scalar.isControl, scalar != "\n", scalar != "\t" else { return nil }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
