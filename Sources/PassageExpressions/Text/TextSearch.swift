import PassageDiagnostics
import PassageValues

/// Looking for one text in another, by code units. Anything but two texts gives false.
enum TextSearch {
  static func begins(_ value: Value, with prefix: Value) -> Bool {
    compare(value, prefix) { $0.starts(with: $1) }
  }

  static func ends(_ value: Value, with suffix: Value) -> Bool {
    compare(value, suffix) { $0.count >= $1.count && $0.suffix($1.count).elementsEqual($1) }
  }

  static func contains(_ value: Value, _ part: Value) -> Bool { compare(value, part, isIn) }

  /// `*` is any number of characters, `?` one (a Unicode scalar, or a letter of folded texts), a
  /// backslash takes the meaning from what follows. The text has to fit as a whole.
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

  /// Knuth, Morris and Pratt where a plain search would take the product of the lengths.
  ///
  /// - Complexity: O(n + m).
  private static func isIn(
    _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    var steps = 0
    for start in 0...(text.count - part.count) where text[start] == first {
      var length = 1
      while length < part.count, text[start + length] == part[length] { length += 1 }
      if length == part.count { return true }
      steps += length
      if steps > 4 * text.count + 4_096 { return isInByFailureLinks(text, part) }
    }
    return false
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

  /// For each beginning of the part, how long the longest shorter one is that it ends with.
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
