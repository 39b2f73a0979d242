internal import PassageDiagnostics

/// Takes delimited text apart: RFC 4180, with separator and quote of one's choice, LF as well as CRLF.
///
/// https://www.rfc-editor.org/rfc/rfc4180, section 2: a field may be quoted; inside quotes separators
/// and line endings are text, and a quote is written twice.
struct DelimitedTextParser {
  struct Field {
    var text: String
    var isQuoted: Bool
    /// Of the first byte.
    var position: Int
  }

  private let bytes: [UInt8]
  private let separator: UInt8
  /// `nil` where no field is quoted.
  private let quote: UInt8?
  private var places: TextPlaces
  private var position = 0
  private(set) var mistakes: [Diagnostic] = []

  init(_ bytes: [UInt8], separator: UInt8, quote: UInt8?, path: String) {
    self.bytes = bytes
    self.separator = separator
    self.quote = quote
    places = TextPlaces(bytes, path: path)
  }

  mutating func location(of position: Int) -> SourceLocation { places.location(of: position) }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The next record that is not an empty line; `nil` at the end.
  ///
  /// A field that is not rightly quoted is a mistake; reading goes on behind it.
  mutating func next() -> [Field]? {
    while position < bytes.count {
      var record: [Field] = []
      repeat { record.append(field()) } while skipSeparator()
      skipLineEnding()
      if record.count == 1, record[0].text.isEmpty, !record[0].isQuoted { continue }
      return record
    }
    return nil
  }

  private mutating func skipSeparator() -> Bool {
    guard position < bytes.count, bytes[position] == separator else { return false }
    position += 1
    return true
  }

  private mutating func skipLineEnding() {
    if position < bytes.count, bytes[position] == Self.carriageReturn { position += 1 }
    if position < bytes.count, bytes[position] == Self.lineFeed { position += 1 }
  }

  /// Whether a field ends here: at a separator, a line ending or the end.
  private var isAtEndOfField: Bool {
    guard position < bytes.count else { return true }
    let byte = bytes[position]
    return byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn
  }

  private mutating func field() -> Field {
    let start = position
    guard position < bytes.count, let quote, bytes[position] == quote else {
      while !isAtEndOfField {
        if bytes[position] == quote { report("a quote stands inside a field without quotes") }
        position += 1
      }
      return Field(
        text: String(decoding: bytes[start..<position], as: UTF8.self), isQuoted: false,
        position: start)
    }
    position += 1
    var text: [UInt8] = []
    while true {
      guard position < bytes.count else {
        report("a quoted field does not end", at: start)
        break
      }
      let byte = bytes[position]
      position += 1
      if byte != quote {
        text.append(byte)
      } else if position < bytes.count, bytes[position] == quote {
        text.append(quote)
        position += 1
      } else {
        break
      }
    }
    if !isAtEndOfField {
      report("text stands behind a quoted field")
      while !isAtEndOfField { position += 1 }
    }
    return Field(
      text: String(decoding: text, as: UTF8.self), isQuoted: true, position: start)
  }

  private mutating func report(_ message: String, at place: Int? = nil) {
    // Of a file of another kind the first mistakes say enough.
    guard mistakes.count <= ObjectGraph.listedMistakes else { return }
    mistakes.append(
      Diagnostic(
        "ATM-003", message, at: places.location(of: place ?? position),
        remedy: "a field with quotes is quoted, and each quote in it is written twice"))
  }
}
