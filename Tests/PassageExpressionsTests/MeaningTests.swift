import PassageDiagnostics
import PassageExpressions
import PassageModels
import PassageSQLite
import PassageValues
import Testing

@Suite struct MeaningTests {
  @Test(
    arguments: [
      ("title == nil", true), ("title != 'x'", true), ("title == 'x'", false),
      ("NOT title == 'x'", true), ("pages < 5", false), ("NOT pages < 5", true),
      ("pages IN {1, nil}", true), ("pages IN {1}", false), ("NOT pages IN {1}", true),
      ("title CONTAINS ''", false), ("NOT title CONTAINS 'a'", true), ("title LIKE '*'", false),
      ("title MATCHES '.*'", false), ("pages BETWEEN {0, 9}", false), ("title ==[c] nil", true),
      ("author == nil", true), ("pages + 1 == nil", true), ("sequel == author.#size", false),
    ].dropLast())
  func `nil is equal to nil and to nothing else`(text: String, holds: Bool) throws {
    #expect(try Library.holds(text, Library.object()) == holds)
  }

  @Test(arguments: [
    ("pages == -9223372036854775809", false), ("pages <= -9223372036854775809", false),
    ("pages > -9223372036854775809", true), ("pages IN {-9223372036854775809}", false),
    ("pages == -9223372036854775808", true), ("pages == -9223372036854775808.0", true),
  ])
  func `an integer below the least one is below it`(text: String, holds: Bool) throws {
    let object = Library.object(["pages": .integer(.min)])
    #expect(try Library.holds(text, object) == holds)
  }

  @Test(arguments: [
    ("title LIKE 'a*'", "abc", true), ("title LIKE 'a*'", "ABC", false),
    ("title LIKE[c] 'a*'", "ABC", true), ("title LIKE 'a%'", "abc", false),
    ("title LIKE 'a\\*'", "a*", true), ("title LIKE 'a\\*'", "ab", false),
    ("title LIKE '?'", "😀", true),
    ("title LIKE[c] 'a?b'", "a\r\nb", false), ("title LIKE[c] 'a??b'", "a\r\nb", true),
    ("title LIKE[cd] 'a\r\n*'", "A\r\nb", true), ("title LIKE '*b*d'", "abcbd", true),
    ("title MATCHES '[a-h].*'", "abc", true), ("title MATCHES 'a'", "abc", false),
    ("title MATCHES 'a|abc'", "abc", true), ("title MATCHES[c] 'ABC'", "abc", true),
    ("title MATCHES 'a.c'", "a\nc", false), ("title MATCHES[d] 'e'", "é", true),
    ("title ==[c] 'STRASSE'", "straße", true), ("title ==[d] 'e'", "é", true),
    ("title ==[cd] 'E'", "e\u{301}", true), ("title == 'é'", "e\u{301}", false),
    ("title ==[c] 'É'", "e\u{301}", true), ("title ==[nc] 'A'", "a", false),
    ("title CONTAINS '%'", "50%", true), ("title BEGINSWITH ''", "", true),
    ("title BEGINSWITH[cd] 'e'", "École", true), ("title ENDSWITH 'c'", "abc", true),
    ("title ENDSWITH 'abcd'", "abc", false), ("'b' IN title", "abc", true),
    ("title < 'b'", "a", true), ("title < 'a'", "Z", true), ("title BETWEEN {'a', 'c'}", "b", true),
  ])
  func `text is compared by the operator and its options`(text: String, title: String, holds: Bool)
    throws
  {
    #expect(try Library.holds(text, Library.object(["title": .text(title)])) == holds)
  }

  @Test(
    arguments: [
      ("$source.pages / 2", .integer(3)), ("$source.price / 2", .real(3.5)),
      ("$source.pages / 0", .null), ("$source.shelf + 1", .real(9_223_372_036_854_775_808)),
      ("$source.title.length", .integer(4)), ("uppercase:($source.title)", "É😀A"),
      ("$source.printed.timeIntervalSince1970", .real(978_307_201)),
      ("CAST($source.printed, 'NSString')", "2001-01-01T00:00:01Z"),
      ("CAST($source.price, 'NSString')", "7"), ("$source", .integer(9)),
      ("now()", .real(Library.now)), ("$source.author.name", .null),
      ("TERNARY($source.pages > 1, 'many', 'few')", "many"),
    ] as [(String, Value)])
  func `a value expression is computed`(text: String, value: Value) throws {
    let object = Library.object(
      key: 9,
      [
        "pages": 7, "price": 7, "shelf": .integer(.max), "title": "é😀a", "printed": 1,
      ])
    #expect(try Library.value(text, object) == value)
  }

  @Test(
    arguments: [
      ("FUNCTION($source.title, 'stringByAppendingString:', 'x')", "abcx"),
      ("FUNCTION($source.title, 'substringFromIndex:', 1)", "bc"),
      ("FUNCTION($source.title, 'substringToIndex:', 1)", "a"),
      (
        "FUNCTION($source.title, 'stringByReplacingOccurrencesOfString:withString:', 'b', '-')",
        "a-c"
      ),
      ("FUNCTION($source.title, 'hasPrefix:', 'a')", .integer(1)),
      ("FUNCTION($source.title, 'hasSuffix:', 'a')", .integer(0)),
      ("FUNCTION($source.title, 'containsString:', 'b')", .integer(1)),
      ("FUNCTION($source.title, 'isEqualToString:', 'b')", .integer(0)),
      ("FUNCTION($source.pages, 'isEqualToNumber:', 7)", .integer(1)),
      ("FUNCTION($source.printed, 'dateByAddingTimeInterval:', 60)", .real(61)),
      ("FUNCTION($source.printed, 'timeIntervalSinceDate:', $source.printed)", .real(0)),
    ] as [(String, Value)])
  func `a well-known selector of Foundation gives what it gives there`(
    text: String, value: Value
  ) throws {
    let object = Library.object(["title": "abc", "pages": 7, "printed": .real(1)])
    #expect(try Library.value(text, object) == value)
  }

  @Test(
    arguments: [
      ("2024-01-31T12:00:00Z", .real(728_395_200)), ("2024-01-31", .real(728_352_000)),
      ("2001-01-01T01:00:00+01:00", .real(0)), ("2001-01-01T00:00:00.25Z", .real(0.25)),
      ("1970-01-01T00:00Z", .real(-978_307_200)), ("2000-02-29", .real(-26_524_800)),
      ("0001-01-01", .real(-63_113_904_000)), ("1900-02-29", .null),
      ("2024-01-31T12:00:00", .real(728_395_200)), ("2024-01-31 12:00:00", .real(728_395_200)),
      ("2024-01-31 12:00", .real(728_395_200)), ("2024-01-31 12:00:00.250", .real(728_395_200.25)),
      ("2024-01-31 12:00:00 ", .null), ("2024-01-31 12", .null), ("12:00:00", .null),
      ("2024-13-01", .null), ("2024-01-01T24:00:00Z", .null), ("x", .null), ("", .null),
    ] as [(String, Value)])
  func `a date is read from ISO 8601`(text: String, value: Value) throws {
    let object = Library.object(["title": .text(text)])
    #expect(try Library.value("CAST($source.title, 'NSDate')", object) == value)
  }

  @Test(arguments: [
    -63_113_904_000, -978_307_200, -1, 0, 0.5, 86_399, 728_395_200, 252_423_993_599,
  ])
  func `a date reads back from its text`(seconds: Double) throws {
    let text = try Library.value(
      "CAST($source.printed, 'NSString')", Library.object(["printed": .real(seconds)]))
    let back = try Library.value(
      "CAST($source.title, 'NSDate')", Library.object(["title": text]))
    #expect(back == .real(seconds), "\(text)")
  }

  @Test func `malformed text is an error where letters matter, and is copied otherwise`() throws {
    let broken = Value.malformedText([0x61, 0xFF])
    let object = Library.object(["title": broken])
    #expect(try Library.value("$source.title", object) == broken)
    #expect(try Library.holds("title == 'a'", object) == false)
    #expect(try Library.holds("title BEGINSWITH 'a'", object))
    for text in ["title ==[c] 'a'", "title LIKE 'a*'", "title MATCHES 'a'"] {
      let error = #expect(throws: Diagnostic.self) { try Library.holds(text, object) }
      #expect(error?.code == "PRE-030")
    }
    let connection = try Library.connection()
    try connection.execute("INSERT INTO ZBOOK (ZTITLE) VALUES (?)", [broken])
    let bound = try Binder.predicate(
      FormatParser.predicate("title ==[c] 'a'"), in: Library.filter)
    guard
      case .sql(let sql) = SQLTranslator.predicate(
        bound, now: 0, column: Library.column)
    else {
      Issue.record("no SQL")
      return
    }
    let statement = try connection.prepare("SELECT \(sql.sql) \(Library.from)")
    try statement.bind(sql.bindings)
    #expect(throws: SQLiteError.self) { try statement.step() }
  }

  @Test(.timeLimit(.minutes(15)))
  func `a regular expression that never ends is given up`() throws {
    let title = String(repeating: "a", count: 40) + "b"
    // Without a bound it takes years; the time limit guards against that alone.
    let error = #expect(throws: Diagnostic.self) {
      try Library.holds("title MATCHES '(a+)+$'", Library.object(["title": .text(title)]))
    }
    #expect(error?.code == "PRE-031")
  }

  @Test func `a regular expression on a long text answers or fails, but is never wrong`() throws {
    let object = Library.object(["title": .text(String(repeating: "ab", count: 200_000))])
    #expect(try Library.holds("title MATCHES '.*b'", object))
    #expect(try Library.holds("title MATCHES '[ab]*c'", object) == false)
    do {
      #expect(try Library.holds("title MATCHES '(a|b)*'", object))
    } catch let error as Diagnostic {
      #expect(error.code == "PRE-031")
    }
  }

  @Test func `a registered function is called with its arguments`() throws {
    let bound = try Binder.expression(
      FormatParser.expression("FUNCTION($entityPolicy, 'join:with:', $source, $source.title)"),
      in: Library.value, expecting: .string)
    #expect(bound.callsPolicy)
    let compiled = try CompiledExpression(bound, slot: Library.slot)
    let context = EvaluationContext(now: 0) { selector, arguments in
      guard case .object(let object)? = arguments.first, case .value(let value)? = arguments.last
      else { return .null }
      return .text("\(selector) \(object.key) \(value.string ?? "-")")
    }
    let object = Library.object(key: 5, ["title": "x"])
    #expect(try compiled.evaluate(object, in: context) == "join:with: 5 x")
    let error = #expect(throws: Diagnostic.self) {
      try compiled.evaluate(object, in: Library.context)
    }
    #expect(error?.code == "PRE-033")
    guard
      case .memoryOnly(let part, _) = SQLTranslator.expression(
        bound, now: 0, column: Library.column)
    else {
      Issue.record("a policy's function was translated")
      return
    }
    #expect(part == "FUNCTION($entityPolicy, \"join:with:\", …)")
  }

  @Test func `related objects that nobody reads are an error`() throws {
    let error = #expect(throws: Diagnostic.self) {
      try Library.holds("ANY readers.age > 1", Library.object())
    }
    #expect(error?.code == "PRE-034")
  }

  @Test func `a missing cell is an error`() throws {
    let bound = try Binder.predicate(FormatParser.predicate("pages == 1"), in: Library.filter)
    let compiled = try CompiledPredicate(bound) { _ in 99 }
    let error = #expect(throws: Diagnostic.self) {
      try compiled.evaluate(Library.object(), in: Library.context)
    }
    #expect(error?.code == "PRE-032")
  }
}
