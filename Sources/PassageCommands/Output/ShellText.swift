/// Words as a shell takes them, to be pasted.
enum ShellText {
  /// A command of several words.
  static func command(_ words: [String]) -> String {
    words.map(word).joined(separator: " ")
  }

  /// One word; in single quotation marks, where nothing has a meaning, when it needs any.
  static func word(_ text: String) -> String {
    let plain = text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        || "_-./,:=+@%".unicodeScalars.contains($0)
    }
    return plain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
