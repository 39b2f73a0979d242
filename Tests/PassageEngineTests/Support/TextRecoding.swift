import PassageSQLite
import PassageValues

/// Copies of databases whose text is kept in another encoding.
enum TextRecoding {
  /// - Parameter encoding: as PRAGMA encoding takes it.
  static func copy(_ source: String, to destination: String, encoding: String) throws {
    let old = try Connection(path: source, mode: .readOnly)
    let new = try Connection(path: destination, mode: .create, isSynced: false)
    try new.execute("PRAGMA encoding = '\(encoding)'; PRAGMA auto_vacuum = INCREMENTAL")
    let schema = try old.rows(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC, rowid")
    for row in schema { try new.execute(row[2].string ?? "") }
    try new.transaction {
      for table in schema where table[0] == "table" {
        let name = table[1].string ?? ""
        for row in try old.rows("SELECT * FROM \(name)") {
          let marks = row.map { _ in "?" }.joined(separator: ", ")
          try new.execute("INSERT INTO \(name) VALUES (\(marks))", row)
        }
      }
    }
  }
}
