internal import PassageDiagnostics

/// Quotes words for a shell, so that commands can be pasted.
package enum ShellText {
  /// A command of several words, each quoted if necessary.
  package static func command(_ words: [String]) -> String {
    words.map(word).joined(separator: " ")
  }

  /// One word, quoted if it contains a character with a special meaning.
  package static func word(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        || "_-./,:=+@%".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty ? text : text.shellQuoted
  }
}
