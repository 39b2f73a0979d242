import PassageValues

/// Searches for one folded text in another by whole letters: a match begins and ends at the edge of
/// a letter.
///
/// The result is false unless both values are texts. Texts that are not valid UTF-8 were refused
/// when they were folded.
enum LetterSearch {
  static func begins(_ value: Value, with prefix: Value) -> Bool {
    texts(value, prefix) { text, prefix in
      guard text.utf8.starts(with: prefix.utf8) else { return false }
      var edges = LetterEdges(text)
      return edges.isEdge(prefix.utf8.count)
    }
  }

  static func ends(_ value: Value, with suffix: Value) -> Bool {
    texts(value, suffix) { text, suffix in
      let start = text.utf8.count - suffix.utf8.count
      guard start >= 0, text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else {
        return false
      }
      var edges = LetterEdges(text)
      return edges.isEdge(start)
    }
  }

  static func contains(_ value: Value, _ part: Value) -> Bool { texts(value, part, isIn) }

  private static func texts(
    _ left: Value, _ right: Value, _ operation: (String, String) -> Bool
  ) -> Bool {
    guard case .text(let left) = left, case .text(let right) = right else { return false }
    return operation(left, right)
  }

  /// Tries every occurrence of the part, found by the algorithm of Knuth, Morris and Pratt, until
  /// one has edges on both sides.
  ///
  /// - Complexity: O(n + m).
  private static func isIn(_ text: String, _ part: String) -> Bool {
    let wanted = Array(part.utf8)
    guard !wanted.isEmpty else { return true }
    let links = TextSearch.failureLinks(wanted)
    // A match ends after its start, and the next match may start before that end. Two readers of
    // edges are used, so that each only moves forward.
    var starts = LetterEdges(text)
    var ends = LetterEdges(text)
    var length = 0
    for (index, byte) in text.utf8.enumerated() {
      while length > 0, byte != wanted[length] { length = links[length - 1] }
      if byte == wanted[length] { length += 1 }
      guard length == wanted.count else { continue }
      if starts.isEdge(index + 1 - length), ends.isEdge(index + 1) { return true }
      length = links[length - 1]
    }
    return false
  }
}

/// The edges of the letters of a text, to be queried in ascending order.
struct LetterEdges {
  private let text: String
  private let isASCII: Bool
  private var index: String.Index
  private var offset = 0
  /// Whether the letter before `offset` was a carriage return and a line feed, which are one
  /// grapheme cluster in Unicode but count as two characters here.
  private var isAfterLineBreak = false

  init(_ text: String) {
    self.text = text
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    index = text.startIndex
  }

  /// Whether a letter begins or ends at an offset.
  ///
  /// - Parameter place: the offset in bytes of UTF-8; not less than in an earlier call.
  /// - Complexity: O(n) for all calls together.
  mutating func isEdge(_ place: Int) -> Bool {
    if isASCII { return true }
    while offset < place, index < text.endIndex {
      let letter = text[index]
      offset += letter.utf8.count
      index = text.index(after: index)
      isAfterLineBreak = letter == "\r\n"
    }
    return offset == place || (isAfterLineBreak && offset - 1 == place)
  }
}
