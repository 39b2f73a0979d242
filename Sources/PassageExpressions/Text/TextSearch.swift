import PassageDiagnostics
import PassageValues

/// Searches for one text in another by code units. The result is false unless both values are
/// texts.
enum TextSearch {
  static func begins(_ value: Value, with prefix: Value) -> Bool {
    compare(value, prefix) { $0.starts(with: $1) }
  }

  static func ends(_ value: Value, with suffix: Value) -> Bool {
    compare(value, suffix) { $0.count >= $1.count && $0.suffix($1.count).elementsEqual($1) }
  }

  static func contains(_ value: Value, _ part: Value) -> Bool { compare(value, part, isIn) }

  /// Whether the whole text matches a pattern: `*` matches any number of characters, `?` one
  /// character (a Unicode scalar, or a letter of folded texts), and a backslash makes the next
  /// character literal.
  static func isLike(
    _ value: Value, _ pattern: Value, by unit: TextUnit = .codeUnits
  ) throws(Diagnostic) -> Bool {
    switch (value, pattern) {
    case (.malformedText, .text), (.text, .malformedText), (.malformedText, .malformedText):
      throw TextFunctions.malformed
    case (.text(let text), .text(let pattern)):
      return try LikePattern(pattern, by: unit).matches(text)
    default: return false
    }
  }

  private static func compare(
    _ left: Value, _ right: Value,
    _ operation: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    withBytes(left) { a in withBytes(right) { b in operation(a, b) } ?? false } ?? false
  }

  private static func withBytes<Result>(
    _ value: Value, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    switch value {
    case .text(var text): text.withUTF8(body)
    case .malformedText(let bytes): bytes.withUnsafeBufferPointer(body)
    default: nil
    }
  }

  /// Uses the algorithm of Knuth, Morris and Pratt, because a simple search could take the product
  /// of the lengths.
  ///
  /// - Complexity: O(n + m).
  private static func isIn(
    _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    BytesSearch.contains(UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(part))
      ?? isInByFailureLinks(text, part)
  }

  private static func isInByFailureLinks(
    _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let links = failureLinks(part)
    var length = 0
    for byte in text {
      while length > 0, byte != part[length] { length = links[length - 1] }
      if byte == part[length] { length += 1 }
      if length == part.count { return true }
    }
    return false
  }

  /// For each prefix of the part, the length of the longest shorter prefix with which it ends.
  ///
  /// - Complexity: O(m).
  static func failureLinks<Part: Collection>(_ part: Part) -> [Int]
  where Part.Element: Equatable {
    let part = Array(part)
    var links = [Int](repeating: 0, count: part.count)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = links[length - 1] }
      if part[index] == part[length] { length += 1 }
      links[index] = length
    }
    return links
  }
}
