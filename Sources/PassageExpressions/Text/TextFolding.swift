import Foundation

/// Converts texts so that those that differ only in case or diacritics are equal.
enum TextFolding {
  /// The text as Foundation folds it without a locale, then canonically decomposed, so that
  /// precomposed and decomposed letters are equal. ASCII has a fast path.
  static func fold(_ text: String, _ options: ComparisonOptions) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? lowercasedASCII(text) : text
    }
    var rules: String.CompareOptions = []
    if options.contains(.caseInsensitive) { rules.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { rules.insert(.diacriticInsensitive) }
    return text.folding(options: rules, locale: nil).decomposedStringWithCanonicalMapping
  }

  private static func lowercasedASCII(_ text: String) -> String {
    guard text.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return text }
    return String(decoding: text.utf8.map(lowercased), as: UTF8.self)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether an ASCII text folds to `folded`; `nil` if the text is not ASCII. Allocates no memory.
  static func isSameASCII(_ text: String, _ folded: String, ignoringCase: Bool) -> Bool? {
    var other = folded.utf8.makeIterator()
    var isSame = true
    for byte in text.utf8 {
      if byte >= 0x80 { return nil }
      if isSame, other.next() != (ignoringCase ? lowercased(byte) : byte) { isSame = false }
    }
    return isSame && other.next() == nil
  }
}
