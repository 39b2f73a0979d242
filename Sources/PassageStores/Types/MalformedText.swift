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

  /// The attributes with malformed text, each with the first object that has it.
  ///
  /// - Parameter isBigEndian: the byte order of the database.
  /// - Complexity: O(n) in the bytes of the text.
  func findings(isBigEndian: Bool) throws -> Diagnostics {
    try connection.register(
      SQLFunction(name: Self.function, argumentCount: 1) { arguments in
        .integer(Self.isMalformed(arguments.first?.bytes ?? [], isBigEndian: isBigEndian) ? 1 : 0)
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
        findings.append(
          Diagnostic(
            "ROW-009",
            "\(count) \(count == 1 ? "text" : "texts") of “\(entity).\(attribute)” "
              + "\(count == 1 ? "is" : "are") not valid UTF-16; the first is that of the object "
              + "with key \(key)",
            reason: "half of a surrogate pair is missing, and UTF-8 cannot represent the other "
              + "half",
            remedy: "correct the text, or read the column as binary data"))
      }
    }
    return findings
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
}
