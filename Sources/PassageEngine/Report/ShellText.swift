internal import PassageDiagnostics

/// Quotes words for a shell, so that commands can be pasted.
package enum ShellText {
  /// A command of several words, each quoted if necessary.
  package static func command(_ words: [String]) -> String {
    words.map(word).joined(separator: " ")
  }

  /// An option with its value. A value that begins with `-` is one word with the option, or it would be
  /// read as an option itself.
  package static func words(_ option: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value]
  }

  /// An option with its value, quoted if necessary.
  package static func option(_ option: String, _ value: String) -> String {
    command(words(option, value))
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
