import PassageValues

/// Looking for one folded text in another by whole letters: a match begins and ends where a letter does.
///
/// Anything but two texts gives false. Texts that are not valid UTF-8 were refused when they were folded.
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

  /// Every place of the part, by Knuth, Morris and Pratt, until one has an edge on both sides.
  ///
  /// - Complexity: O(n + m).
  private static func isIn(_ text: String, _ part: String) -> Bool {
    let wanted = Array(part.utf8)
    guard !wanted.isEmpty else { return true }
    let links = TextSearch.failureLinks(wanted)
    // A match's end lies behind its start, and the next match's start before this one's end: two readers
    // of edges, so that each goes forward only.
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

/// Where the letters of a text begin and end, asked for in ascending order.
struct LetterEdges {
  private let text: String
  private let isASCII: Bool
  private var index: String.Index
  private var offset = 0
  /// The letter before `offset` was a carriage return and a line feed, which are one letter to Unicode and
  /// two characters to everybody else.
  private var isAfterLineBreak = false

  init(_ text: String) {
    self.text = text
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    index = text.startIndex
  }

  /// Whether a letter begins or ends at a place.
  ///
  /// - Parameter place: in bytes of UTF-8 from the start; not below that of an earlier call.
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
