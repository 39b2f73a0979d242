import Foundation
import PassageDiagnostics
import PassageExpressions
import PassageValues
import Testing

@Suite struct ArgumentTests {
  @Test(
    arguments: [
      ("%K == %@", [.keyPath("author.name"), "x"], "author.name == \"x\""),
      ("%K.%K > %ld", ["author", "age", 5], "author.age > 5"),
      ("%K.@count == 0", ["readers"], "readers.@count == 0"),
      ("%@ == %@", [.keyPath("SELF"), .null], "SELF == nil"),
      ("title == '%@' AND pages == %d", [3], "title == \"%@\" AND pages == 3"),
      ("pages IN %@", [[1, .null, 2]], "pages IN {1, nil, 2}"),
      ("pages BETWEEN {%ld, %f}", [1, 2.5], "pages BETWEEN {1, 2.5}"),
      (
        "ANY readers.%K CONTAINS[c] %@", ["name", "a\"b"], "ANY readers.name CONTAINS[c] \"a\\\"b\""
      ),
      ("isLent == %@", [true], "isLent == YES"),
      (
        "printed > %@", [.date(Date(timeIntervalSinceReferenceDate: 0.1))],
        "printed > CAST(0.1, \"NSDate\")"
      ),
      (
        "identifier == %@",
        [.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))],
        "identifier == CAST(\"01020304-0506-0708-090A-0B0C0D0E0F10\", \"NSUUID\")"
      ),
      ("cover == %@", [.data(Data([0, 255]))], "cover == CAST(\"AP8=\", \"NSData\")"),
      ("page == %@", [.url("x:y")], "page == CAST(\"x:y\", \"NSURL\")"),
      ("weight < %@", [.real(.infinity)], "weight < 1.7976931348623157e+308 * 2.0"),
    ] as [(String, [PredicateArgument], String)])
  func `arguments take the places of placeholders`(
    text: String, arguments: [PredicateArgument], printed: String
  ) throws {
    let tree = try FormatParser.predicate(text, arguments: arguments)
    #expect(tree.description == printed)
    #expect(try FormatParser.predicate(tree.description) == tree)
    let bound = try Binder.predicate(tree, in: Library.filter)
    #expect(bound.warnings.all.isEmpty)
  }

  @Test(
    arguments: [
      ("pages == %@", [], 10), ("pages == 1", [1], 11), ("pages == %d", ["x"], 10),
      ("%K == 1", [1], 1), ("title.%K == 1", [.null], 7), ("title == %s", [1], 10),
      ("pages IN %@ AND pages == %ld", [[1], [2]], 26),
    ] as [(String, [PredicateArgument], Int)])
  func `an argument that does not fit is reported at its placeholder`(
    text: String, arguments: [PredicateArgument], column: Int
  ) throws {
    let location = SourceLocation(file: "M.json", line: 1, column: 0)
    let error = #expect(throws: Diagnostics.self) {
      try FormatParser.predicate(text, arguments: arguments, at: location)
    }
    let diagnostic = try #require(error?.all.first)
    #expect(diagnostic.code == "PRE-003")
    #expect(diagnostic.location?.column == column, "\(diagnostic)")
  }

  @Test func `infinity is found by its argument`() throws {
    let tree = try FormatParser.predicate("weight == %@", arguments: [.real(-.infinity)])
    let compiled = try CompiledPredicate(
      Binder.predicate(tree, in: Library.filter), slot: Library.slot)
    #expect(
      try compiled.evaluate(
        Library.object(["weight": .real(-.infinity)]), in: Library.context))
    #expect(
      try !compiled.evaluate(Library.object(["weight": .real(-1e308)]), in: Library.context))
  }

  @Test func `an object is found by its argument`() throws {
    let person = PredicateArgument.object(entity: "Person", key: 7)
    #expect(PredicateArgument.object("x-coredata://E621E1F8/Person/p7") == person)
    let tree = try FormatParser.predicate(
      "author == %@ OR author IN %@", arguments: [person, [.null]])
    #expect(try FormatParser.predicate(tree.description) == tree)
    let compiled = try CompiledPredicate(
      Binder.predicate(tree, in: Library.filter), slot: Library.slot)
    for (author, holds) in [(7, true), (.null, true), (8, false)] as [(Value, Bool)] {
      let object = Library.object(["author": author])
      #expect(try compiled.evaluate(object, in: Library.context) == holds)
    }
  }

  @Test(arguments: [
    ("x-coredata:///Person/t7", "PRE-014"),
    ("x-coredata:///Person/p99999999999999999999", "PRE-014"),
    ("x-coredata:///Nobody/p7", "PRE-014"), ("x-coredata://Person/p7", "PRE-014"),
    ("x-coredata:///Person/p-7", "PRE-014"), ("x-coredata:///Book/p7", "PRE-013"),
    ("Ann", "PRE-013"),
  ])
  func `a text that names no object is a mistake`(text: String, code: String) throws {
    let tree = try FormatParser.predicate("author == %@", arguments: [.string(text)])
    let error = #expect(throws: Diagnostics.self) {
      try Binder.predicate(tree, in: Library.filter)
    }
    #expect(error?.all.map(\.code) == [code])
  }

  @Test func `a variable stands for its typed value`() throws {
    var scope = Library.filter
    scope.variables = [
      "FROM": .date(Date(timeIntervalSinceReferenceDate: 5)), "NAMES": ["a", "b"],
      "RANGE": [.date(Date(timeIntervalSinceReferenceDate: 0)), .null],
      "DAYS": [
        .date(Date(timeIntervalSinceReferenceDate: 5)),
        .date(Date(timeIntervalSinceReferenceDate: 9)),
      ],
    ]
    let tree = try FormatParser.predicate(
      "printed >= $FROM AND title IN $NAMES AND printed BETWEEN $DAYS AND NOT printed BETWEEN $RANGE"
    )
    let compiled = try CompiledPredicate(Binder.predicate(tree, in: scope), slot: Library.slot)
    for (title, printed, holds) in [("a", 5, true), ("a", 4, false), ("c", 5, false)]
      as [(Value, Value, Bool)]
    {
      let object = Library.object(["title": title, "printed": printed])
      #expect(try compiled.evaluate(object, in: Library.context) == holds)
    }
    let error = #expect(throws: Diagnostics.self) {
      try Binder.predicate(FormatParser.predicate("title IN $NAME"), in: scope)
    }
    #expect(error?.all.first?.code == "PRE-017")
    #expect(error?.all.first?.remedy == "did you mean $NAMES?")
  }
}
