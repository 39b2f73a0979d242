import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// What one lane could answer otherwise than the others: `migrate()` runs all of them.
@Suite struct LaneAgreementTests {
  private static func model(_ name: String) -> Model {
    Model(name, [Entity("Note", [.text("name"), .number("number")])])
  }

  private static func trial(_ attributes: String, filter: String = "TRUEPREDICATE") throws -> Trial
  {
    try Trial(
      model("1"), model("2"),
      [
        mapping(
          """
          {"type": "transform", "source": "Note", "destination": "Note", "filter": "\(filter)",
           "attributes": {\(attributes)}}
          """)
      ]
    ) { store in
      for number in 0..<4 {
        try store.insert(
          "Note", ["name": .text(number % 2 == 0 ? "A" : "a"), "number": .integer(Int64(number))])
      }
    }
  }

  private static func nested(_ count: Int, _ first: String, _ next: (String, Int) -> String)
    -> String
  {
    (0..<count).reduce(first, next)
  }

  /// The depth is within the limit of the language, but beyond the stack of SQLite's parser.
  @Test(arguments: [
    nested(45, "'none'") { "TERNARY($source.number == \($1), 'v\($1)', \($0))" },
    nested(45, "$source.name") { text, _ in "uppercase(\(text))" },
    nested(40, "$source.name") { "replace(\($0), '\($1)', 'x')" },
  ])
  func `a deep expression is evaluated in memory`(expression: String) throws {
    let (found, report) = try Self.trial(#""name": "\#(expression)", "number": {}"#).migrate()
    #expect(found["Note"].count == 4)
    let lanes = report.steps.flatMap(\.mappings).map(\.lane)
    #expect(lanes.allSatisfy { $0 != .set })
  }

  @Test(arguments: [
    nested(45, "number > 1") { "(number < \(1_000 + $1) \($1 % 2 == 0 ? "OR" : "AND") \($0))" },
    nested(45, "number > 1") { text, _ in "NOT (\(text))" },
    (100..<1_300).map { "number == \($0)" }.joined(separator: " OR ") + " OR number > 1",
  ])
  func `a deep or long filter is evaluated in memory`(filter: String) throws {
    let (found, _) = try Self.trial(#""name": {}, "number": {}"#, filter: filter).migrate()
    #expect(!found["Note"].isEmpty)
  }

  /// Declares a column of the source anew, as a file may.
  private static func declare(_ column: String, as declaration: String, in trial: Trial) throws {
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    let sql = try #require(
      try connection.rows("SELECT sql FROM sqlite_master WHERE name = 'ZNOTE'").first?[0].string)
    try #require(sql.contains(column))
    try connection.remake("ZNOTE", by: sql.replacing(column, with: declaration))
  }

  /// Core Data's columns have no collation, but a file may.
  @Test func `texts are compared by their bytes whatever a column declares`() throws {
    let trial = try Self.trial(
      #""name": "TERNARY($source.name == 'a', 'small', $source.name)", "number": {}"#,
      filter: "name == 'A' OR number == 1")
    try Self.declare("ZNAME VARCHAR", as: "ZNAME VARCHAR COLLATE NOCASE", in: trial)
    let (found, _) = try trial.migrate()
    #expect(found["Note"].map { $0["name"] } == [.text("A"), .text("small"), .text("A")])
  }

  /// Beside a column of texts SQLite makes a text of a number, and beside one of numbers a number of a
  /// text. To the engine a value is what it is stored as, and a text is larger than any number.
  @Test(arguments: [
    ("ZNUMBER INTEGER", "ZNUMBER VARCHAR", "number > 1", 4, "ZNUMBER is not declared as INTEGER"),
    ("ZNUMBER INTEGER", "ZNUMBER CLOB", "number == 2", 0, "ZNUMBER is not declared as INTEGER"),
    ("ZNAME VARCHAR", "ZNAME DECIMAL", "name < '3'", 0, "ZNAME is not declared as VARCHAR"),
    ("ZNUMBER INTEGER", "ZNUMBER DOUBLE", "number > 1", 2, nil),
    ("ZNUMBER INTEGER", "ZNUMBER bigint", "number > 1", 2, nil),
    ("ZNAME VARCHAR", "ZNAME text", "name == 'A'", 2, nil),
  ])
  func `values are compared as what they are stored as`(
    column: String, declaration: String, filter: String, count: Int, reason: String?
  ) throws {
    let trial = try Self.trial(#""name": {}, "number": {}"#, filter: filter)
    try Self.declare(column, as: declaration, in: trial)
    let (found, report) = try trial.migrate()
    #expect(found["Note"].count == count)
    let reasons = report.steps.flatMap(\.mappings).map(\.laneReason)
    #expect(reasons == [reason.map { "the column ZNOTE.\($0)" }])
  }

  /// A mapping that is looked up comes first, and the others keep their order.
  @Test func `new keys follow the order of the mappings`() throws {
    let rows = Model("1", [Entity("Row", [.text("tags"), .text("words")])])
    let parts = Model(
      "2",
      [
        Entity("Row", [.text("tags")], [.many("parts", "Part", inverse: "row")]),
        Entity("Part", [.text("name")], [.one("row", "Row", inverse: "parts")]),
      ])
    let mappings = try mapping(
      """
      {"type": "transform", "source": "Row", "destination": "Part", "name": "Tags",
       "forEach": "split($source.tags, ',')", "attributes": {"name": "$element"},
       "relationships": {"row":
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'Row', $source)"}},
      {"type": "transform", "source": "Row", "destination": "Part", "name": "Words",
       "forEach": "split($source.words, ' ')", "attributes": {"name": "$element"}},
      {"type": "transform", "source": "Row", "destination": "Row", "name": "Row",
       "filter": "tags != nil", "attributes": {"tags": {}}}
      """)
    let (found, _) = try Trial(rows, parts, [mappings]) { store in
      try store.insert("Row", ["tags": .text("a,b"), "words": .text("x y")])
      try store.insert("Row", ["words": .text("z")])
      try store.insert("Row", ["tags": .text("c"), "words": .text("u")])
    }.migrate()
    #expect(
      found["Part"].map { $0["name"] }
        == ["a", "b", "c", "x", "y", "z", "u"].map { Value.text($0) })
  }
}
