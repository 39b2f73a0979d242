import PassageSQLite
import PassageValues
import Testing

/// Names are compared as SQLite does, which is asked as well.
@Suite struct SQLNameTests {
  @Test(arguments: [
    ("name", "NAME", true), ("", "", true), ("a", "ab", false), ("[", "{", false),
    ("\u{e9}", "\u{c9}", false), ("\u{e9}", "e\u{301}", false), ("X\u{e9}", "x\u{e9}", true),
    ("k", "\u{212a}", false), ("s", "\u{17f}", false), ("\u{df}", "SS", false),
  ])
  func `names are the same where SQLite takes them for one`(
    first: String, second: String, isSame: Bool
  ) throws {
    #expect(SQLName.areSame(first, second) == isSame)
    #expect((SQLName(first) == SQLName(second)) == isSame)
    #expect(Set([SQLName(first), SQLName(second)]).count == (isSame ? 1 : 2))
    let connection = try Connection(path: "", mode: .create)
    let answer = try connection.value(
      "SELECT \(first.quotedLiteral) = \(second.quotedLiteral) COLLATE NOCASE")
    #expect(answer == Value.integer(isSame ? 1 : 0))
  }
}
