import PassageSQLite
import PassageValues

extension Connection {
  /// Makes a table anew by another statement, with the same rows. Its indexes are gone then.
  func remake(_ table: String, by statement: String) throws {
    let columns = try rows("SELECT name FROM pragma_table_info(?)", [.text(table)])
      .compactMap { $0[0].string?.quotedIdentifier }.joined(separator: ", ")
    let name = table.quotedIdentifier
    try execute("ALTER TABLE \(name) RENAME TO old")
    try execute(statement)
    try execute("INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM old")
    try execute("DROP TABLE old")
  }
}
