/// A pattern for the names of files: `*` and `?` stand for any characters and for one, `[a-z]` and
/// `[!a-z]` for one of a set, `\` takes the next character as it is. None of them matches `/`.
package struct NamePattern {
  private enum Part {
    case character(Unicode.Scalar)
    case anyCharacter
    case anyText
    case set([ClosedRange<Unicode.Scalar>], isExcluded: Bool)
  }

  private let parts: [Part]
  private let beginsWithDot: Bool

  /// Whether the text has a character with a special meaning.
  static func isPattern(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { "*?[\\".unicodeScalars.contains($0) }
  }

  package init(_ text: some StringProtocol) {
    var parts: [Part] = []
    var rest = Array(text.unicodeScalars)[...]
    beginsWithDot = rest.first == "."
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": parts.append(.anyText)
      case "?": parts.append(.anyCharacter)
      case "\\": parts.append(.character(rest.popFirst() ?? "\\"))
      case "[":
        if let set = Self.set(&rest) { parts.append(set) } else { parts.append(.character("[")) }
      default: parts.append(.character(scalar))
      }
    }
    self.parts = parts
  }

  /// A set after its opening bracket; `nil` if it is not closed, and then stands for itself.
  private static func set(_ rest: inout ArraySlice<Unicode.Scalar>) -> Part? {
    var inner = rest
    let isExcluded = inner.first == "!" || inner.first == "^"
    if isExcluded { inner.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let first = inner.popFirst() {
      if first == "]", !ranges.isEmpty {
        rest = inner
        return .set(ranges, isExcluded: isExcluded)
      }
      if inner.first == "-", let last = inner.dropFirst().first, last != "]" {
        inner.removeFirst(2)
        // A range whose end comes first matches nothing, and neither does it end the set.
        ranges.append(first <= last ? first...last : first...first)
      } else {
        ranges.append(first...first)
      }
    }
    return nil
  }

  /// Whether the whole name matches. A name that begins with a dot matches only a pattern that does.
  ///
  /// - Complexity: O(n · m) for n characters of the name and m of the pattern.
  package func matches(_ name: String) -> Bool {
    if name.hasPrefix("."), !beginsWithDot { return false }
    let scalars = Array(name.unicodeScalars)
    // The positions of the pattern that the text so far can have led to.
    var (position, index) = (0, 0)
    var retry: (position: Int, index: Int)?
    while index < scalars.count {
      if position < parts.count, case .anyText = parts[position] {
        retry = (position + 1, index)
        position += 1
      } else if position < parts.count, Self.matches(parts[position], scalars[index]) {
        (position, index) = (position + 1, index + 1)
      } else if let last = retry {
        retry = (last.position, last.index + 1)
        (position, index) = (last.position, last.index + 1)
      } else {
        return false
      }
    }
    return parts[position...].allSatisfy { if case .anyText = $0 { true } else { false } }
  }

  private static func matches(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .character(let expected): expected == scalar
    case .anyCharacter: true
    case .anyText: false
    case .set(let ranges, let isExcluded):
      ranges.contains { $0.contains(scalar) } != isExcluded
    }
  }
}
