import Foundation
import PassageSQLite
import PassageValues
import Testing

/// What SQLite's page on untrusted files asks for (https://www.sqlite.org/security.html).
struct HardeningTests {
  @Test(arguments: [
    "PRAGMA writable_schema = ON; DELETE FROM sqlite_master",
    "UPDATE sqlite_master SET sql = ''",
    "SELECT load_extension('x')",
  ])
  func `a statement that would harm the connection fails`(sql: String) throws {
    let connection = try Connection(path: "", mode: .create)
    try connection.execute("CREATE TABLE t(a)")
    #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    #expect(try connection.integer("SELECT count(*) FROM sqlite_master") == 1)
  }

  /// Swift makes one character of a mark and the accents after it; SQLite sees the mark.
  @Test(arguments: [
    "a", "a\"b", "\"\u{301}", "'\u{301}", "x\"\u{301}; DROP TABLE t; --", "\r\n\"\u{20DD}",
  ])
  func `any name and any text is one word of SQL`(text: String) throws {
    let connection = try Connection(path: "", mode: .create)
    try connection.execute("CREATE TABLE t(a)")
    try connection.execute(
      "CREATE TABLE \(text.quotedIdentifier) (\(text.quotedIdentifier) DEFAULT \(text.quotedLiteral))"
    )
    try connection.execute("INSERT INTO \(text.quotedIdentifier) DEFAULT VALUES")
    let row = try #require(try connection.rows("SELECT * FROM \(text.quotedIdentifier)").first)
    #expect(row == [.text(text)])
    let names = try connection.rows("SELECT name FROM sqlite_master ORDER BY rowid")
    #expect(names == [[.text("t")], [.text(text)]])
  }

  @Test(arguments: ["ATTACH DATABASE '%' AS other", "VACUUM INTO '%'", "SELECT 1; ATTACH '%' AS b"])
  func `no statement but the connection's own opens another file`(sql: String) throws {
    let folder = NSTemporaryDirectory() + "/attached-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let connection = try Connection(path: folder + "/main.db", mode: .create)
    try connection.attach(folder + "/other.db", as: "other", mode: .create)
    let path = folder + "/third.db"
    #expect(throws: SQLiteError.self) {
      try connection.execute(sql.replacingOccurrences(of: "%", with: path))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    try connection.vacuum(into: path)
    try connection.vacuum()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [("trusted_schema", 0), ("cell_size_check", 1)] as [(String, Int64)])
  func `every connection has the settings for untrusted files`(
    pragma: String, value: Int64
  ) throws {
    let connection = try Connection(path: "", mode: .create)
    #expect(try connection.integer("PRAGMA \(pragma)") == value)
  }

  @Test func `a schema cannot call a registered function`() throws {
    let connection = try Connection(path: "", mode: .create)
    try connection.register(SQLFunction(name: "leak", argumentCount: 0) { _ in .integer(7) })
    #expect(try connection.integer("SELECT leak()") == 7)
    try connection.execute("CREATE VIEW v AS SELECT leak() AS a")
    #expect(throws: SQLiteError.self) { try connection.integer("SELECT a FROM v") }
  }

  /// Asked by a PRAGMA alone, a hardened connection keeps its journal without a word.
  @Test func `a journal that is turned off is off, and the connection stays hardened`() throws {
    let folder = NSTemporaryDirectory() + "/journal-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let connection = try Connection(path: folder + "/main.db", mode: .create)
    try connection.attach(folder + "/other.db", as: "an \"other\"", mode: .create)
    try connection.execute("PRAGMA journal_mode = OFF")
    #expect(try connection.value("PRAGMA main.journal_mode")?.string == "delete")

    try connection.turnOffJournal()
    try connection.turnOffJournal(of: "an \"other\"")
    try connection.execute(
      "BEGIN; CREATE TABLE main.t(a); CREATE TABLE \"an \"\"other\"\"\".u(a); INSERT INTO t VALUES (1)"
    )
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == ["main.db", "other.db"])
    try connection.execute("COMMIT")
    #expect(throws: SQLiteError.self) {
      try connection.execute("UPDATE sqlite_master SET sql = ''")
    }
  }
}
