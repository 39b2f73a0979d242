internal import PassageDiagnostics

/// Parses a file with one JSON object on each line (https://jsonlines.org). One line at a time is in
/// memory. A line ends with LF or CRLF, or with CR in a file without LF; blank lines are skipped.
struct JSONLinesParser {
  /// One line that is not blank.
  enum Line {
    /// The members of an object, in their order. Names may occur twice.
    case record(members: [JSONNode.Member], place: SourceLocation)
    case mistake(Diagnostic)
  }

  static let code = "ATM-070"

  private let path: String
  private let lineEnd: UInt8
  private let maximumValues: Int
  private var cursor: TextCursor

  init(_ input: TextInput) throws {
    path = input.path
    lineEnd = input.lineEnd
    maximumValues = input.maximumValues
    cursor = try input.cursor()
  }

  /// The next line that is not blank; `nil` at the end. A line that is not an object is a mistake of
  /// its own: the next line is not affected.
  mutating func next() throws -> Line? {
    while try cursor.peek() != nil {
      cursor.beginRecord()
      let number = cursor.place.line
      var bytes: [UInt8] = []
      var isBlank = true
      while let byte = try cursor.peek() {
        cursor.skip()
        if byte == lineEnd { break }
        bytes.append(byte)
        isBlank = isBlank && (byte == 0x20 || byte == 0x09 || byte == 0x0D)
      }
      if !isBlank { return line(bytes, number) }
    }
    return nil
  }

  private func line(_ bytes: [UInt8], _ number: Int) -> Line {
    do throws(Diagnostic) {
      let node = try JSONParser.parse(
        line: bytes, number: number, file: path, code: Self.code, maximumValues: maximumValues)
      guard case .object(let members) = node.kind else {
        return .mistake(
          Diagnostic(
            Self.code, "the line is \(node.kindName), not an object", at: node.location,
            remedy: Self.remedy))
      }
      return .record(members: members, place: node.location)
    } catch {
      var mistake = error
      mistake.remedy = Self.remedy
      return .mistake(mistake)
    }
  }

  private static let remedy =
    "write each object on one line of its own, without commas between the lines"
}
