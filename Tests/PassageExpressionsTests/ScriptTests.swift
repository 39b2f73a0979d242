import PassageExpressions
import PassageSQLite
import PassageValues
import Testing

/// What the options of a comparison do with the letters of different scripts, composed and decomposed,
/// in memory and in SQL alike. The page on predicates says the same in words.
@Suite struct ScriptTests {
  /// A text of the store, a text of the filter, and the options with which each operator holds.
  struct Row: Sendable, CustomTestStringConvertible {
    var stored: String
    var operation: String
    var wanted: String
    /// Of "", "n", "c", "d", "cd", in this order.
    var holds: String

    init(_ stored: String, _ operation: String, _ wanted: String, _ holds: String) {
      self.stored = stored
      self.operation = operation
      self.wanted = wanted
      self.holds = holds
    }

    var testDescription: String { "\(stored) \(operation) \(wanted)" }
  }

  private static let options = ["", "n", "c", "d", "cd"]

  static let equality: [Row] = [
    // Latin: composed beside decomposed differ by their code units only.
    Row("\u{E9}", "==", "\u{E9}", "yyyyy"), Row("\u{E9}", "==", "e\u{301}", "nnyyy"),
    Row("e\u{301}", "==", "\u{E9}", "nnyyy"), Row("\u{E9}", "==", "e", "nnnyy"),
    Row("\u{C9}", "==", "\u{E9}", "nnyny"), Row("\u{C9}", "==", "e\u{301}", "nnyny"),
    Row("\u{C9}", "==", "e", "nnnny"), Row("\u{C5}", "==", "\u{212B}", "nnyyy"),
    // No mark that Unicode knows of is part of this letter.
    Row("\u{F8}", "==", "o", "nnnnn"), Row("\u{D8}", "==", "\u{F8}", "nnyny"),
    // A letter that has no composed form.
    Row("x\u{302}", "==", "X\u{302}", "nnyny"), Row("x\u{302}", "==", "x", "nnnyy"),
    // Ligatures and the German sharp s fold to two letters.
    Row("stra\u{DF}e", "==", "STRASSE", "nnyny"), Row("stra\u{DF}e", "==", "strasse", "nnyny"),
    Row("\u{FB01}", "==", "FI", "nnyny"),
    // Greek: the final sigma is a sigma.
    Row("\u{3C3}\u{3B1}\u{3C2}", "==", "\u{3A3}\u{391}\u{3A3}", "nnyny"),
    Row("\u{3B1}\u{3C2}", "==", "\u{3B1}\u{3C3}", "nnyny"),
    Row("\u{3AC}", "==", "\u{3B1}", "nnnyy"),
    // Turkish: no locale, so the dotted capital is an i with a dot, and the dotless small one a letter
    // of its own.
    Row("\u{130}", "==", "i", "nnnny"), Row("\u{130}", "==", "I", "nnnyy"),
    Row("\u{131}", "==", "i", "nnnnn"), Row("\u{131}", "==", "I", "nnnnn"),
    Row("I", "==", "i", "nnyny"),
    // Cyrillic: the short i is an i with a mark.
    Row("\u{439}", "==", "\u{438}", "nnnyy"), Row("\u{419}", "==", "\u{439}", "nnyny"),
    // Hangul: syllables beside their sounds.
    Row("\u{D55C}", "==", "\u{1112}\u{1161}\u{11AB}", "nnyyy"),
    Row("\u{D55C}", "==", "\u{D558}", "nnnnn"),
    // Emoji have neither case nor marks.
    Row("\u{1F44D}\u{1F3FD}", "==", "\u{1F44D}", "nnnnn"),
    Row("\u{1F44D}\u{1F3FD}", "==", "\u{1F44D}\u{1F3FD}", "yyyyy"),
  ]

  static let searches: [Row] = [
    Row("Zo\u{EB}", "CONTAINS", "zoe", "nnnny"), Row("Zoe\u{308}", "CONTAINS", "zoe", "nnnny"),
    Row("Zo\u{EB}", "CONTAINS", "Zoe", "nnnyy"), Row("Zoe\u{308}", "CONTAINS", "Zoe", "yynyy"),
    Row("Zo\u{EB}", "BEGINSWITH", "zo", "nnyny"), Row("Zoe\u{308}", "BEGINSWITH", "ZOE", "nnnny"),
    Row("Zo\u{EB}", "ENDSWITH", "o\u{CB}", "nnyny"), Row("Zo\u{EB}", "ENDSWITH", "E", "nnnny"),
    Row("e\u{308}a", "ENDSWITH", "\u{308}a", "yynnn"),
    Row("\u{C9}mile", "LIKE", "?mile", "yyyyy"), Row("E\u{301}mile", "LIKE", "?mile", "nnyyy"),
    Row("\u{C9}mile", "LIKE", "\u{E9}*", "nnyny"), Row("\u{C9}mile", "LIKE", "e*", "nnnny"),
    Row("x\u{302}y", "LIKE", "?Y", "nnyny"), Row("a*b", "LIKE", "A\\*?", "nnyny"),
    Row("stra\u{DF}e", "CONTAINS", "SS", "nnyny"),
    Row("\u{3BF}\u{3B4}\u{3CC}\u{3C2}", "ENDSWITH", "\u{3A3}", "nnyny"),
    Row("\u{130}zmir", "BEGINSWITH", "i", "nnnny"), Row("\u{130}zmir", "LIKE", "?zmir", "yyyyy"),
    Row("\u{D55C}\u{AD6D}", "CONTAINS", "\u{D558}", "nnnnn"),
    Row("\u{D55C}\u{AD6D}", "CONTAINS", "\u{1112}\u{1161}\u{11AB}", "nnyyy"),
    Row("\u{D55C}\u{AD6D}", "LIKE", "??", "yyyyy"),
    Row("\u{1112}\u{1161}\u{11AB}", "LIKE", "?", "nnyyy"),
    Row("\u{1F44D}\u{1F3FD}", "CONTAINS", "\u{1F44D}", "yynnn"),
    Row("\u{1F44D}\u{1F3FD}", "LIKE", "?", "nnyyy"),
    Row("\u{1F468}\u{200D}\u{1F469}", "CONTAINS", "\u{1F468}", "yynnn"),
    Row("\u{1F468}\u{200D}\u{1F469}", "LIKE", "?", "nnyyy"),
    // A flag is two signs, and the end of one with the start of the next is another country's.
    Row("\u{1F1E9}\u{1F1EA}\u{1F1E9}\u{1F1EA}", "CONTAINS", "\u{1F1EA}\u{1F1E9}", "yynnn"),
    // A line's end is one letter to Unicode and two characters to a search.
    Row("\u{E9}\r\nb", "CONTAINS", "\n", "yyyyy"), Row("\u{E9}\r\nb", "CONTAINS", "\nB", "nnyny"),
    Row("abc", "CONTAINS", "", "yyyyy"), Row("\u{E9}", "ENDSWITH", "", "yyyyy"),
    // Found again behind a place that is not a whole letter.
    Row("e\u{308}e", "CONTAINS", "e", "yyyyy"), Row("\u{EB}\u{EB}e", "CONTAINS", "E", "nnyny"),
  ]

  @Test(arguments: equality + searches)
  func `options hold for whole letters, in memory and in SQL`(row: Row) throws {
    let connection = try Library.connection()
    try connection.execute(
      "INSERT INTO ZBOOK (Z_PK, ZTITLE, ZSUBTITLE) VALUES (1, ?, ?)",
      [.text(row.stored), .text(row.wanted)])
    for (option, expected) in zip(Self.options, row.holds) {
      let operation = row.operation + (option.isEmpty ? "" : "[\(option)]")
      // The text of the filter as a constant, and as another attribute of the object.
      let constant = "title \(operation) \(ValueExpression.constant(.string(row.wanted)))"
      for text in [constant, "title \(operation) subtitle"] {
        let object = Library.object([
          "title": .text(row.stored), "subtitle": .text(row.wanted),
        ])
        #expect(try Library.holds(text, object) == (expected == "y"), "\(text)")
        let bound = try Binder.predicate(FormatParser.predicate(text), in: Library.filter)
        let translated = SQLTranslator.predicate(
          bound, now: Library.now, column: Library.column)
        guard case .sql(let sql) = translated else {
          Issue.record("no SQL for \(text)")
          continue
        }
        #expect(try Library.keys(connection, sql).isEmpty == (expected == "n"), "\(text)")
      }
    }
  }

  @Test(arguments: [
    ("'\\U0001F44D'", "\u{1F44D}"), ("'\\u00E9'", "\u{E9}"), ("'\\U00E9'", "\u{E9}"),
    ("'\\U00E9x'", "\u{E9}x"), ("'\\u00E91'", "\u{E9}1"), ("'\\U000000e9f'", "\u{E9}f"),
    ("'\\uD83D\\uDC4D'", "\u{1F44D}"),
  ])
  func `an escape of a character gives that character`(text: String, wanted: String) throws {
    let object = Library.object(["title": .text(wanted)])
    #expect(try Library.holds("title == \(text)", object))
  }

  @Test(arguments: ["'\\U00E91'", "'\\U0011FFFF'", "'\\u{1F44D}'", "'\\U0000D83D'"])
  func `an escape that can be read in two ways is refused`(text: String) throws {
    #expect(throws: (any Error).self) { try FormatParser.predicate("title == \(text)") }
  }
}
