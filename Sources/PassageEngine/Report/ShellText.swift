/// Words as a shell takes them, to be pasted.
package enum ShellText {
  /// A command of several words.
  package static func command(_ words: [String]) -> String {
    words.map(word).joined(separator: " ")
  }

  /// One word; in single quotation marks, where nothing has a meaning, when it needs any.
  package static func word(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        || "_-./,:=+@%".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
