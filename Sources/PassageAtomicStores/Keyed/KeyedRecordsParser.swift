internal import PassageDiagnostics

/// Takes keyed records apart, one on each line: an entity, two separators, then keys and values with
/// separators between them.
///
/// A backslash before a separator or a backslash makes it text; `\n` and `\r` are line endings.
struct KeyedRecordsParser {
  struct Piece {
    var text: String
    /// Of the first byte.
    var position: Int
  }

  struct Record {
    var entity: Piece
    var pairs: [(key: Piece, value: Piece)]
  }

  private let bytes: [UInt8]
  private let separator: UInt8
  private var places: TextPlaces
  private var position = 0
  private(set) var mistakes: [Diagnostic] = []

  init(_ bytes: [UInt8], separator: UInt8, path: String) {
    self.bytes = bytes
    self.separator = separator
    places = TextPlaces(bytes, path: path)
  }

  mutating func location(of position: Int) -> SourceLocation { places.location(of: position) }

  /// The next record; `nil` at the end. Empty lines are none; a line that is no record is a mistake,
  /// and reading goes on behind it.
  mutating func next() -> Record? {
    while position < bytes.count {
      let start = position
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") {
        end += 1
      }
      position = end + 1
      // LF, CRLF and CR: the empty line inside CRLF is none.
      if end == start { continue }
      if let record = record(start..<end) { return record }
    }
    return nil
  }

  private mutating func record(_ line: Range<Int>) -> Record? {
    guard let pieces = pieces(line) else { return nil }
    guard pieces.count >= 3, !pieces[0].text.isEmpty, pieces[1].text.isEmpty else {
      report("a record begins with an entity and two separators", at: line.lowerBound)
      return nil
    }
    let rest = Array(pieces[2...])
    if rest.count == 1, rest[0].text.isEmpty { return Record(entity: pieces[0], pairs: []) }
    guard rest.count.isMultiple(of: 2) else {
      report("a key has no value", at: rest[rest.count - 1].position)
      return nil
    }
    var pairs: [(key: Piece, value: Piece)] = []
    for index in stride(from: 0, to: rest.count, by: 2) {
      guard !rest[index].text.isEmpty else {
        report("a key is empty", at: rest[index].position)
        return nil
      }
      pairs.append((rest[index], rest[index + 1]))
    }
    return Record(entity: pieces[0], pairs: pairs)
  }

  /// What stands between separators.
  private mutating func pieces(_ line: Range<Int>) -> [Piece]? {
    var pieces: [Piece] = []
    var text: [UInt8] = []
    var start = line.lowerBound
    var index = line.lowerBound
    func finished() -> Piece {
      Piece(text: String(decoding: text, as: UTF8.self), position: start)
    }
    while index < line.upperBound {
      let byte = bytes[index]
      if byte == separator {
        pieces.append(finished())
        text = []
        start = index + 1
      } else if byte == UInt8(ascii: "\\") {
        index += 1
        guard index < line.upperBound, let meant = meaning(of: bytes[index]) else {
          report("a backslash stands before nothing it can escape", at: index - 1)
          return nil
        }
        text.append(meant)
      } else {
        text.append(byte)
      }
      index += 1
    }
    pieces.append(finished())
    return pieces
  }

  private func meaning(of byte: UInt8) -> UInt8? {
    switch byte {
    case separator, UInt8(ascii: "\\"): byte
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    default: nil
    }
  }

  private mutating func report(_ message: String, at place: Int) {
    // Of a file of another kind the first mistakes say enough.
    guard mistakes.count <= ObjectGraph.listedMistakes else { return }
    let separator = String(UnicodeScalar(separator))
    mistakes.append(
      Diagnostic(
        "ATM-018", message, at: places.location(of: place),
        remedy: "write Entity\(separator)\(separator)key\(separator)value, with a backslash before "
          + "separators and backslashes that are text"))
  }
}
