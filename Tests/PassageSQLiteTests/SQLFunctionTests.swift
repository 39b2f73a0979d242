import PassageSQLite
import PassageValues
import Testing

struct SQLFunctionTests {
  @Test(arguments: [
    Value.null, .integer(-1), .real(0.5), .text(""), .text("é"), .blob([]), .blob([1]),
    .malformedText([0xFF]),
  ])
  func `a function receives and returns every kind of value`(value: Value) throws {
    let connection = try Connection(path: "", mode: .create)
    try connection.register(
      SQLFunction(name: "same", argumentCount: 1) { arguments in arguments[0] })
    #expect(try connection.value("SELECT same(?)", [value]) == value)
  }

  @Test func `what a function throws becomes the statement's error`() throws {
    struct Refusal: Error, CustomStringConvertible { var description: String { "not today" } }
    let connection = try Connection(path: "", mode: .create)
    try connection.register(
      SQLFunction(name: "refuse", argumentCount: -1) { _ in throw Refusal() })
    let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT refuse(1, 2)") }
    #expect(error?.message == "refuse: not today")
  }

  @Test func `a function of any number of arguments receives all of them`() throws {
    let connection = try Connection(path: "", mode: .create)
    try connection.register(
      SQLFunction(name: "how_many", argumentCount: -1) { .integer(Int64($0.count)) })
    #expect(try connection.rows("SELECT how_many(), how_many(1, 'a', NULL)") == [[0, 3]])
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `a collation orders texts by their bytes in UTF-8, in every encoding`(
    encoding: String
  ) throws {
    let connection = try Connection(path: "", mode: .create)
    try connection.execute("PRAGMA encoding = '\(encoding)'")
    try connection.registerUTF8Order()
    let texts = ["", "a", "aa", "z", "\u{100}", "\u{E000}", "\u{1D518}"]
    try connection.execute("CREATE TABLE t(a)")
    for text in texts.reversed() {
      try connection.execute("INSERT INTO t VALUES (?)", [.text(text)])
    }
    let order = "a COLLATE \(Connection.utf8Order)"
    #expect(
      try connection.rows("SELECT a FROM t ORDER BY \(order)") == texts.map { [Value.text($0)] })
    #expect(
      try connection.rows("SELECT min(\(order)), max(\(order)) FROM t")
        == [["", .text("\u{1D518}")]])
  }
}
