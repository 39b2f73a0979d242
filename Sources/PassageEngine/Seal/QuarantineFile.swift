internal import PassageDiagnostics
internal import PassageFiles
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The lines of `<destination>.quarantine.jsonl`: one JSON object for each quarantined row or
/// object, with its place and the reason. The file contains no values; they are in the source.
enum QuarantineFile {
  static func path(destination: String) -> String { destination + ".quarantine.jsonl" }

  /// The lines for rows of a source of another type.
  static func lines(_ rows: [QuarantinedRow]) -> [String] {
    rows.map { row in
      line([
        ("entity", .string(row.entityName)), ("table", .string(row.place)),
        ("row", row.key.map { .number("\($0)") } ?? .null),
        ("column", row.column.map { .string($0) } ?? .null),
        ("code", .string(row.reason.rawValue)),
        (
          "reason",
          .string([row.diagnostic.message, row.detail].compactMap(\.self).joined(separator: ": "))
        ),
      ])
    }
  }

  /// Writes the quarantined objects of a step's assembled store. Most steps quarantine nothing;
  /// then no file is made, since it would have to be synced.
  ///
  /// - Returns: the number of lines.
  /// - Complexity: O(n) in the objects; the memory used does not depend on their number.
  static func write(
    _ connection: Connection, step: String, to path: String, files: FileSystem
  ) throws -> Int64 {
    let rows = try connection.prepare(
      // `min(pass)` selects the row of the first pass that quarantined the object:
      // https://www.sqlite.org/lang_select.html#bareagg.
      "SELECT entity, source, mapping, code, reason, cause_entity, cause_source, cause_code, "
        + "min(pass) FROM \(Quarantine.table) GROUP BY entity, source ORDER BY 1, 2")
    guard try rows.step() else {
      try files.remove(path)
      return 0
    }
    var count: Int64 = 0
    try files.write(to: path) { append in
      repeat {
        try append(Array((line(of: rows.values(), step) + "\n").utf8))
        count += 1
      } while try rows.step()
    }
    return count
  }

  /// The line for one object.
  private static func line(of row: [Value], _ step: String) -> String {
    line([
      ("source", .string(step)), ("mapping", .string(row[2].string ?? "")),
      ("entity", .string(row[0].string ?? "")), ("key", .number("\(row[1].integer ?? 0)")),
      ("code", .string(row[3].string ?? "")), ("reason", .string(row[4].string ?? "")),
      (
        "cause",
        row[5].string.map { entity in
          .shortObject([
            ("entity", .string(entity)), ("key", .number("\(row[6].integer ?? 0)")),
            ("code", .string(row[7].string ?? "")),
          ])
        } ?? .null
      ),
    ])
  }

  private static func line(_ members: [(name: String, value: JSONText)]) -> String {
    JSONText.shortObject(members).rendered()
  }
}
