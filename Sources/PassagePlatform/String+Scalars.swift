/// Text that is put into another language.
///
/// A character of Swift's is a letter with the marks that follow it: a quotation mark before a combining accent
/// is not the character `"`, and a carriage return before a line feed is not the character `\r`. Every other
/// program sees the mark alone. So what has a meaning elsewhere is looked for among Unicode scalars.
extension String {
  /// The text with scalars replaced.
  ///
  /// - Parameter replacement: returns what stands in a scalar's place; `nil` keeps it.
  /// - Complexity: O(n) in the scalars.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    guard unicodeScalars.contains(where: { replacement($0) != nil }) else { return self }
    var replaced = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let other = replacement(scalar) {
        replaced.append(contentsOf: other.unicodeScalars)
      } else {
        replaced.append(scalar)
      }
    }
    return String(replaced)
  }

  /// The text with one scalar replaced.
  package func replacingScalar(_ scalar: Unicode.Scalar, with other: String) -> String {
    replacingScalars { $0 == scalar ? other : nil }
  }

  /// The text with each mark written twice, as quotations in SQL have them.
  package func doubling(_ mark: Unicode.Scalar) -> String {
    replacingScalar(mark, with: "\(mark)\(mark)")
  }

  /// The path without slashes at its end; `/` for one of slashes alone.
  ///
  /// - Complexity: O(n) in the bytes.
  package var withoutTrailingSlashes: String {
    guard utf8.last == UInt8(ascii: "/") else { return self }
    let end = utf8.lastIndex { $0 != UInt8(ascii: "/") }
    return end.map { String(self[..<utf8.index(after: $0)]) } ?? "/"
  }

  /// The text in one line: line breaks and tabs are spaces.
  package var inOneLine: String {
    replacingScalars {
      ["\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}"].contains($0) ? " " : nil
    }
  }
}

extension String {
  /// The text with the letters of ASCII in upper case, and all others as they are: what SQLite's
  /// `upper` makes.
  package var uppercasedInASCII: String {
    guard utf8.contains(where: { $0.uppercasedInASCII != $0 }) else { return self }
    return String(decoding: utf8.map(\.uppercasedInASCII), as: UTF8.self)
  }
}

extension UInt8 {
  /// A letter of ASCII in upper case; any other byte as it is.
  package var uppercasedInASCII: UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self
  }
}
