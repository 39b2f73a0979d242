import PassageSQLite
import PassageValues

extension Connection {
  /// What is otherwise in the tables of an attached database than in those of the first one: their
  /// columns, their rows, and the types of their values. Where the rows lie counts for nothing.
  func differences(from schema: String) throws -> [String] {
    let tables = "sqlite_master WHERE type = 'table' ORDER BY name"
    let names = try rows("SELECT name, sql FROM main.\(tables)")
    guard try names == rows("SELECT name, sql FROM \(schema).\(tables)") else {
      return ["other tables"]
    }
    var found: [String] = []
    for name in names.compactMap({ $0[0].string }) {
      let columns = try rows("SELECT name FROM pragma_table_info(?, 'main')", [.text(name)])
        .compactMap { $0[0].string }
      let values = (columns + columns.map { "typeof(\($0))" }).joined(separator: ", ")
      let counts = try ["main", schema].map { try integer("SELECT count(*) FROM \($0).\(name)") }
      if counts[0] != counts[1] { found.append("\(name): \(counts[0]) rows for \(counts[1])") }
      for (one, other) in [("main", schema), (schema, "main")] {
        let extra = try integer(
          "SELECT count(*) FROM (SELECT rowid, \(values) FROM \(one).\(name) EXCEPT "
            + "SELECT rowid, \(values) FROM \(other).\(name))")
        if extra > 0 { found.append("\(name): \(extra) rows of \(one) alone") }
      }
    }
    return found
  }
}
