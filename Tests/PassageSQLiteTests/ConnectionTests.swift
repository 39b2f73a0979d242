import Foundation
import PassageSQLite
import PassageValues
import Testing

struct ConnectionTests {
  private func memory() throws -> Connection { try Connection(path: "", mode: .create) }

  @Test(arguments: [
    Value.null, .integer(.min), .integer(.max), .integer(0), .real(-0.5), .real(.infinity),
    .text(""), .text("Zoë 🚲"), .text("a\0b"), .blob([]), .blob([0, 255]),
    .malformedText([0x61, 0xFF]),
  ])
  func `a bound value comes back as it was`(value: Value) throws {
    let connection = try memory()
    #expect(try connection.value("SELECT ?", [value]) == value)
    try connection.execute("CREATE TABLE t(a)")
    try connection.execute("INSERT INTO t VALUES (?)", [value])
    let copy = try connection.prepare("INSERT INTO t VALUES (?)")
    let read = try connection.prepare("SELECT a FROM t LIMIT 1")
    #expect(try read.step())
    #expect(read.isNull(at: 0) == value.isNull)
    try copy.bind(cell: 0, of: read, at: 1)
    try copy.run()
    #expect(try connection.rows("SELECT a FROM t") == [[value], [value]])
  }

  @Test func `bytes that are no UTF-8 are carried and never repaired`() throws {
    let value = try memory().value("SELECT CAST(x'41FF42' AS TEXT)")
    #expect(value == .malformedText([0x41, 0xFF, 0x42]))
    #expect(value?.string == nil)
  }

  @Test(arguments: ["plain", "a\"b", "select", "", "a;b--", "ü", "a\0b"])
  func `a quoted name is one name`(name: String) throws {
    let connection = try memory()
    try connection.execute(
      "CREATE TABLE \(name.quotedIdentifier) (\(("c" + name).quotedIdentifier))")
    let stored = try connection.value("SELECT name FROM sqlite_master")
    #expect(stored?.string == name.replacing("\0", with: ""))
    #expect(try connection.integer("SELECT count(*) FROM sqlite_master") == 1)
  }

  @Test func `columns that differ in how an accent is written are two`() throws {
    let connection = try memory()
    let names = ["\u{E9}", "e\u{301}"]
    try connection.execute(
      "CREATE TABLE t(\(names.map(\.quotedIdentifier).joined(separator: ", ")))")
    try connection.execute("INSERT INTO t VALUES (1, 2)")
    // A statement is kept for the next use of the same text.
    let values = try names.map { try connection.integer("SELECT \($0.quotedIdentifier) FROM t") }
    #expect(values == [1, 2])
  }

  @Test(arguments: [
    "a b.sqlite", "q?mode=rwc#x.sqlite", "50%25.sqlite", "é.sqlite", "a&b=c;d.sqlite", "'\".sqlite",
  ])
  func `a file is found whatever its name`(name: String) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/passage-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Connection(path: "\(folder)/\(name)", mode: .create).execute("CREATE TABLE t(a)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
    // Two slashes at the start name no host.
    let again = try Connection(path: "/\(folder)/\(name)", mode: .readOnly)
    #expect(try again.integer("SELECT count(*) FROM t") == 0)
    let other = try memory()
    try other.attach("\(folder)/\(name)", as: "it's \"other\"")
    #expect(try other.integer("SELECT count(*) FROM \("it's \"other\"".quotedIdentifier).t") == 0)
    #expect(throws: SQLiteError.self) {
      try other.execute("INSERT INTO \("it's \"other\"".quotedIdentifier).t VALUES (1)")
    }
    try other.detach("it's \"other\"")
    #expect(throws: SQLiteError.self) { try other.execute("SELECT * FROM t") }
  }

  @Test func `a file that must exist is not made`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/passage-\(UUID().uuidString)"
    for mode in [Connection.Mode.readOnly, .readWrite, .immutable] {
      let error = #expect(throws: SQLiteError.self) { try Connection(path: path, mode: mode) }
      #expect(error?.isCannotOpen == true)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `an error names its code and its statement, never its values`() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t(a UNIQUE)")
    try connection.execute("INSERT INTO t VALUES (?)", [.text("secret")])
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO t VALUES (?)", [.text("secret")])
    }
    #expect(error?.isConstraint == true)
    #expect(error?.code == 2_067)
    #expect(error?.sql == "INSERT INTO t VALUES (?)")
    #expect(error?.description.contains("secret") == false)
  }

  @Test(arguments: ["", "  ", "-- nothing"])
  func `a statement of nothing is an error`(sql: String) throws {
    let connection = try memory()
    #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
  }

  @Test func `a parameter that does not exist is an error`() throws {
    let statement = try memory().prepare("SELECT ?")
    #expect(throws: SQLiteError.self) { try statement.bind([1, 2]) }
    #expect(throws: SQLiteError.self) { try statement.bind(.null, at: 0) }
  }

  @Test func `a transaction that fails leaves nothing and says why`() throws {
    struct Refusal: Error {}
    let connection = try memory()
    try connection.execute("CREATE TABLE t(a)")
    #expect(throws: Refusal.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        throw Refusal()
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    try connection.transaction { try connection.execute("INSERT INTO t VALUES (1), (2)") }
    #expect(connection.changes == 2)
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
  }

  @Test func `a statement that runs too long can be stopped`() throws {
    let connection = try memory()
    connection.setProgressHandler(every: 1_000) { true }
    let error = #expect(throws: SQLiteError.self) {
      try connection.integer(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
    }
    #expect(error?.isInterrupt == true)
  }

  @Test func `nothing that a schema says is run`() throws {
    let connection = try memory()
    try connection.execute(
      """
      CREATE TABLE t(a CHECK (a > 5)); CREATE TABLE log(a); CREATE VIEW v AS SELECT 1;
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.a); END;
      INSERT INTO t VALUES (1);
      """)
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    #expect(try connection.integer("SELECT count(*) FROM log") == 0)
    #expect(throws: SQLiteError.self) { try connection.integer("SELECT * FROM v") }
  }

  @Test func `values of a file from elsewhere are no larger than the file has room for`() throws {
    let connection = try Connection(
      path: "", mode: .create, limits: .foreign(fileBytes: 1 << 20))
    #expect(throws: SQLiteError.self) { try connection.integer("SELECT length(zeroblob(9e8))") }
    #expect(try connection.integer("SELECT length(zeroblob(4000000))") == 4_000_000)
    #expect(throws: SQLiteError.self) { try connection.attach("", as: "other", mode: .create) }
  }

  @Test func `more rows than a file has room for are damage, not a number`() throws {
    let connection = try Connection(path: "", mode: .create, limits: .foreign(fileBytes: 400))
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
    let insert =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %) "
      + "INSERT INTO t(b) SELECT 1 FROM n"
    try connection.execute(insert.replacing("%", with: "100"))
    #expect(try connection.rowCount(ofTable: "t") == 100)
    var counts: [Int64] = []
    try connection.countRows(ofTable: "t", byColumn: "b") { counts.append($1) }
    #expect(counts == [100])
    try connection.execute(insert.replacing("%", with: "100000"))
    for error in [
      #expect(throws: SQLiteError.self) { _ = try connection.rowCount(ofTable: "t") },
      #expect(throws: SQLiteError.self) {
        try connection.countRows(ofTable: "t", byColumn: "b") { _, _ in }
      },
    ] { #expect(error?.isDamage == true) }
  }

  @Test func `a small read takes no more than a file has room for`() throws {
    let connection = try Connection(path: "", mode: .create, limits: .foreign(fileBytes: 400))
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b); CREATE INDEX i ON t(b)")
    #expect(try connection.rows("SELECT a FROM t") == [])
    try connection.execute(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) "
        + "INSERT INTO t(b) SELECT 1 FROM n")
    // Too many rows, too many instructions for one row, and too many in an index.
    for error in [
      #expect(throws: SQLiteError.self) { _ = try connection.rows("SELECT a FROM t") },
      #expect(throws: SQLiteError.self) {
        _ = try connection.rows(
          "SELECT DISTINCT typeof(b), a > 0, a < 0 FROM t ORDER BY -a LIMIT 1")
      },
      #expect(throws: SQLiteError.self) { try connection.checkRowCount(ofTable: "t") },
      #expect(throws: SQLiteError.self) { try connection.checkRowCountByIndexes(ofTable: "t") },
    ] {
      #expect(error?.isDamage == true)
      #expect(error?.message.contains("more rows than the file can hold") == true)
    }
    #expect(try connection.rows("SELECT a FROM t LIMIT 2").count == 2)
  }

  @Test func `a value is no larger than its file`() throws {
    let connection = try Connection(path: "", mode: .create, limits: .foreign(fileBytes: 400))
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
    try connection.execute("INSERT INTO t VALUES (1, zeroblob(300)), (2, zeroblob(4000))")
    #expect(try BlobHandle(connection, table: "t", column: "b", row: 1).byteCount == 300)
    let error = #expect(throws: SQLiteError.self) {
      _ = try BlobHandle(connection, table: "t", column: "b", row: 2)
    }
    #expect(error?.isDamage == true)
  }

  @Test func `a connection opened within watched work ends its statements when that is asked`()
    throws
  {
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let connection = try StatementWatch.$current.withValue(StatementWatch { true }) {
      try memory()
    }
    let error = #expect(throws: SQLiteError.self) { try connection.integer(endless) }
    #expect(error?.isInterrupt == true)
    // Once closed, it is out of the watch's reach.
    let watch = StatementWatch { true }
    _ = try StatementWatch.$current.withValue(watch) { try memory() }
    watch.interruptIfAsked()
  }

  @Test func `work that must not be left half done goes on after it is asked to stop`() throws {
    let long =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
      + "SELECT count(*) FROM n"
    let watch = StatementWatch { true }
    try StatementWatch.$current.withValue(watch) {
      let connection = try memory()
      let count = try StatementWatch.completing {
        watch.interruptIfAsked()
        return try connection.integer(long)
      }
      #expect(count == 5_000)
      #expect(throws: SQLiteError.self) { try connection.integer(long) }
    }
  }
}
