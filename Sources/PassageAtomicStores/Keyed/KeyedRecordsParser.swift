internal import PassageDiagnostics

/// Parses keyed records, one on each line: an entity, two separators, then keys and values with
/// separators between them.
///
/// A backslash before a separator or a backslash makes that character text; `\n` and `\r` are line
/// endings.
struct KeyedRecordsParser {
  struct Piece {
    var text: String
    /// The place of the first byte.
    var place: TextPlace
  }

  struct Record {
    var entity: Piece
    var pairs: [(key: Piece, value: Piece)]
  }

  private let path: String
  private let separator: UInt8
  private var cursor: TextCursor
  private(set) var mistakes = MistakeList()

  init(_ input: TextInput, _ settings: TextStoreSettings) throws {
    path = input.path
    separator = settings.separator
    cursor = try input.cursor()
  }

  /// The next record; `nil` at the end. Empty lines are skipped. A line that is not a record is
  /// reported as a mistake, and reading continues after it.
  mutating func next() throws -> Record? {
    while try cursor.peek() != nil {
      cursor.beginRecord()
      let start = cursor.place
      // A line ends with LF, CRLF or CR; the empty line between CR and LF is skipped.
      if let pieces = try pieces(), let record = record(pieces, at: start) { return record }
      if let byte = try cursor.peek(), Self.endsLine(byte) { cursor.skip() }
    }
    return nil
  }

  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private mutating func record(_ pieces: [Piece], at start: TextPlace) -> Record? {
    guard pieces.count >= 3, !pieces[0].text.isEmpty, pieces[1].text.isEmpty else {
      report("a record must begin with an entity and two separators", at: start)
      return nil
    }
    let rest = Array(pieces[2...])
    if rest.count == 1, rest[0].text.isEmpty { return Record(entity: pieces[0], pairs: []) }
    guard rest.count.isMultiple(of: 2) else {
      report("a key has no value", at: rest[rest.count - 1].place)
      return nil
    }
    var pairs: [(key: Piece, value: Piece)] = []
    for index in stride(from: 0, to: rest.count, by: 2) {
      guard !rest[index].text.isEmpty else {
        report("a key is empty", at: rest[index].place)
        return nil
      }
      pairs.append((rest[index], rest[index + 1]))
    }
    return Record(entity: pieces[0], pairs: pairs)
  }

  /// The pieces between the separators of the next line; `nil` for an empty line and for one with a
  /// mistake.
  private mutating func pieces() throws -> [Piece]? {
    var pieces: [Piece] = []
    var text: [UInt8] = []
    var start = cursor.place
    var isEmpty = true
    var isRight = true
    while let byte = try cursor.peek(), !Self.endsLine(byte) {
      isEmpty = false
      let place = cursor.place
      cursor.skip()
      if !isRight { continue }
      if byte == separator {
        pieces.append(Piece(text: String(decoding: text, as: UTF8.self), place: start))
        text = []
        start = cursor.place
      } else if byte == UInt8(ascii: "\\") {
        if let escaped = try cursor.peek(), let meant = meaning(of: escaped) {
          cursor.skip()
          text.append(meant)
        } else {
          report("a backslash is not followed by a character that it can escape", at: place)
          isRight = false
        }
      } else {
        text.append(byte)
      }
    }
    pieces.append(Piece(text: String(decoding: text, as: UTF8.self), place: start))
    return isEmpty || !isRight ? nil : pieces
  }

  private func meaning(of byte: UInt8) -> UInt8? {
    switch byte {
    case separator, UInt8(ascii: "\\"): byte
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    default: nil
    }
  }

  private mutating func report(_ message: String, at place: TextPlace) {
    // The first mistakes are enough for a file of another kind.
    guard mistakes.count <= MistakeList.maximumListed else { return }
    let separator = String(UnicodeScalar(separator))
    mistakes.append(
      Diagnostic(
        "ATM-018", message, at: place.location(in: path),
        remedy: "write Entity\(separator)\(separator)key\(separator)value, with a backslash before "
          + "separators and backslashes that are part of a value"))
  }
}
