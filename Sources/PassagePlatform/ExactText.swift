/// A text that is equal only to a text of the same bytes, as it is to SQLite and to ICU. It is the key of what
/// is known about values, patterns and statements.
///
/// Swift's `==` also takes texts for equal that differ in how an accent is written, so that what is known about
/// one of them would be used for the other.
package struct ExactText: Hashable, Sendable {
  /// The text as it was given.
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (first: Self, second: Self) -> Bool {
    first.text.hasBytes(of: second.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// Whether two texts have the same bytes. Swift's `==` also takes texts for equal that differ in
  /// how an accent is written.
  package func hasBytes(of other: String) -> Bool {
    // Those of a native string are in a row, and are compared all at once.
    var (first, second) = (self, other)
    return first.withUTF8 { left in
      second.withUTF8 { right in
        guard left.count == right.count else { return false }
        guard let one = left.baseAddress, let two = right.baseAddress else { return true }
        return one == two || memcmp(one, two, left.count) == 0
      }
    }
  }

  /// Feeds the bytes to a hasher: the same for texts for which ``hasBytes(of:)`` is true.
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // So that what follows is not taken for a part of the text.
    hasher.combine(UInt8.max)
  }
}
