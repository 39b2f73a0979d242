internal import PassageDiagnostics
internal import PassageSQLite
internal import PassageValues

/// Finds invalid text in a database in UTF-16: unpaired surrogates
/// (https://www.unicode.org/versions/latest/core-spec/chapter-3/, D91). UTF-8 cannot represent
/// them, and SQLite would silently replace them with other characters.
struct MalformedText {
  private static let function = "passage_is_malformed"

  let connection: Connection
  let layout: StoreLayout
  /// Whether the texts are written to a database in UTF-16 again. Two valid characters do not arrive
  /// there: SQLite turns U+FFFE and U+FFFF into U+FFFD when it makes UTF-16 of UTF-8 (`READ_UTF8` in
  /// https://www.sqlite.org/src/file/src/utf.c).
  var isWrittenInUTF16 = false

  /// The attributes with such text, each with the first object that has it.
  ///
  /// - Parameter isBigEndian: the byte order of the database.
  /// - Complexity: O(n) in the bytes of the text.
  func findings(isBigEndian: Bool) throws -> Diagnostics {
    try connection.register(
      SQLFunction(name: Self.function, argumentCount: 1) { [isWrittenInUTF16] arguments in
        let bytes = arguments.first?.bytes ?? []
        return .integer(
          Self.isMalformed(bytes, isBigEndian: isBigEndian)
            || isWrittenInUTF16 && Self.hasNoncharacter(bytes, isBigEndian: isBigEndian) ? 1 : 0)
      })
    var findings = Diagnostics()
    for table in layout.tables {
      for column in table.columns {
        guard case .attribute(let entity, let attribute) = column.role else { continue }
        let cell = column.name.quotedIdentifier
        let row = try connection.rows(
          "SELECT count(*), min(Z_PK) FROM main.\(table.name.quotedIdentifier) "
            + "WHERE typeof(\(cell)) = 'text' AND \(Self.function)(CAST(\(cell) AS BLOB))"
        ).first
        guard let count = row?[0].integer, let key = row?[1].integer, count > 0 else { continue }
        findings.append(finding(count, "“\(entity).\(attribute)”", first: key))
      }
    }
    return findings
  }

  private func finding(_ count: Int64, _ attribute: String, first key: Int64) -> Diagnostic {
    let texts = "\(count) \(count == 1 ? "text" : "texts") of \(attribute)"
    let first = "the first is that of the object with key \(key)"
    guard isWrittenInUTF16 else {
      return Diagnostic(
        "ROW-009", "\(texts) \(count == 1 ? "is" : "are") not valid UTF-16; \(first)",
        reason: "half of a surrogate pair is missing, and UTF-8 cannot represent the other half",
        remedy: "correct the text, or read the column as binary data")
    }
    return Diagnostic(
      "ROW-009", "\(texts) cannot be copied exactly; \(first)",
      reason: "in a store in UTF-16, SQLite replaces U+FFFE, U+FFFF and half a surrogate pair",
      remedy: "correct the text in the store")
  }

  static func isMalformed(_ bytes: [UInt8], isBigEndian: Bool) -> Bool {
    var needsLow = false
    for offset in stride(from: 0, to: bytes.count - 1, by: 2) {
      let high = bytes[isBigEndian ? offset : offset + 1]
      switch high {
      case 0xD8...0xDB:
        if needsLow { return true }
        needsLow = true
      case 0xDC...0xDF:
        guard needsLow else { return true }
        needsLow = false
      default: if needsLow { return true }
      }
    }
    return needsLow || !bytes.count.isMultiple(of: 2)
  }

  /// Whether a text has U+FFFE or U+FFFF.
  static func hasNoncharacter(_ bytes: [UInt8], isBigEndian: Bool) -> Bool {
    stride(from: 0, to: bytes.count - 1, by: 2).contains { offset in
      let (high, low) = isBigEndian ? (offset, offset + 1) : (offset + 1, offset)
      return bytes[high] == 0xFF && bytes[low] >= 0xFE
    }
  }
}
