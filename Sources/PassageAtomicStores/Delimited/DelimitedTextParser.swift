internal import PassageDiagnostics
internal import PassagePlatform

/// Parses delimited text: RFC 4180, with any separator and quote character, and with LF or CRLF.
///
/// https://www.rfc-editor.org/rfc/rfc4180, section 2: a field may be quoted. Inside quotes,
/// separators and line endings are text, and a quote is doubled. One record at a time is in memory.
struct DelimitedTextParser {
  struct Field {
    var text: String
    var isQuoted: Bool
    /// The place of the first byte.
    var place: TextPlace

    /// Whether it is the text for nil, of the same bytes and without quotes.
    func isNull(_ settings: TextStoreSettings) -> Bool {
      !isQuoted && text.hasBytes(of: settings.nullText)
    }
  }

  private let path: String
  private let separator: UInt8
  /// `nil` if fields are never quoted.
  private let quote: UInt8?
  private var cursor: TextCursor
  /// The number of fields of a record, as the settings or the header say; `nil` if neither does.
  private var width: Int?
  private var isHeaderNext: Bool
  private(set) var mistakes = MistakeList()
  /// The last quoted field of several lines: the place of its opening quote, and the line in which
  /// it ends. A mistake after it may have its cause in a missing closing quote.
  private var longField: (start: TextPlace, lastLine: Int)?

  /// Creates a parser for a file with these settings.
  init(_ input: TextInput, _ settings: TextStoreSettings) throws {
    path = input.path
    separator = settings.separator
    quote = settings.quoting == .none ? nil : settings.quote
    width = settings.hasHeader || settings.columns.isEmpty ? nil : settings.columns.count
    isHeaderNext = settings.hasHeader
    cursor = try input.cursor()
    cursor.quote = quote
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// A record with more has no meaning, and as many empty fields as bytes would take many times its size.
  private static let maximumFields = 1_000_000

  /// The next record; `nil` at the end. An empty line is left out, unless records have one field: then it
  /// is a record whose field is empty.
  ///
  /// A wrongly quoted field is reported as a mistake, and reading continues after it.
  mutating func next() throws -> [Field]? {
    while try cursor.peek() != nil {
      cursor.beginRecord()
      var record: [Field] = []
      repeat {
        let field = try field()
        if record.count < Self.maximumFields {
          record.append(field)
        } else if record.count == Self.maximumFields {
          record.append(field)
          report("a record has more than \(NumberText.count(Int64(Self.maximumFields))) fields")
        }
      } while try skip(separator)
      if try !skip(Self.carriageReturn) || cursor.peek() == Self.lineFeed {
        _ = try skip(Self.lineFeed)
      }
      if record.count == 1, record[0].text.isEmpty, !record[0].isQuoted, width != 1 { continue }
      if isHeaderNext {
        isHeaderNext = false
        width = record.count
      }
      return record
    }
    return nil
  }

  /// Skips the next byte if it is this one.
  private mutating func skip(_ byte: UInt8) throws -> Bool {
    guard try cursor.peek() == byte else { return false }
    cursor.skip()
    return true
  }

  /// Whether a byte ends a field: a separator, a line ending or the end of the file.
  private func endsField(_ byte: UInt8?) -> Bool {
    byte == nil || byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn
  }

  private mutating func field() throws -> Field {
    let start = cursor.place
    var text: [UInt8] = []
    guard let quote, try cursor.peek() == quote else {
      while let byte = try cursor.peek(), !endsField(byte) {
        if byte == quote {
          report("a quote is inside a field without quotes", reason: suspectedOpening)
        }
        text.append(byte)
        cursor.skip()
      }
      return Field(text: String(decoding: text, as: UTF8.self), isQuoted: false, place: start)
    }
    cursor.skip()
    cursor.openQuote = start
    while true {
      guard let byte = try cursor.peek() else {
        report(
          "a quoted field does not end", at: start,
          reason: "its opening quote is not closed before the end of the file"
            + (suspectedOpening.map { "; \($0)" } ?? ""))
        break
      }
      cursor.skip()
      if byte == quote, try !skip(quote) { break }
      text.append(byte)
    }
    cursor.openQuote = nil
    if cursor.place.line > start.line { longField = (start, cursor.place.line) }
    if !endsField(try cursor.peek()) {
      // A field of several lines probably lacks its closing quote, so its beginning is reported.
      let isLong = cursor.place.line > start.line
      report(
        "text follows a quoted field", at: isLong ? start : nil,
        reason: isLong
          ? "the field begins here, and its quote is closed before \(cursor.place): its own "
            + "closing quote may be missing" : "the field begins at \(start)")
      while !endsField(try cursor.peek()) { cursor.skip() }
    }
    return Field(text: String(decoding: text, as: UTF8.self), isQuoted: true, place: start)
  }

  /// Describes where a closing quote may be missing: a field of several lines before this place.
  var suspectedOpening: String? {
    longField.map {
      "the quoted field that begins at \($0.start) extends to line \($0.lastLine): its own closing "
        + "quote may be missing"
    }
  }

  private mutating func report(
    _ message: String, at place: TextPlace? = nil, reason: String? = nil
  ) {
    // The first mistakes are enough for a file of another kind.
    guard mistakes.count <= MistakeList.maximumListed else { return }
    mistakes.append(
      Diagnostic(
        "ATM-003", message, at: (place ?? cursor.place).location(in: path), reason: reason,
        remedy: "write a field that contains quotes in quotes, and each quote in it twice"))
  }
}
