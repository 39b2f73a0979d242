/// Texts as a shell takes them.
enum ShellText {
  /// One word, in single quotation marks where it needs them.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
          || "/._-,+=:@%".unicodeScalars.contains($0)
      }
    return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
