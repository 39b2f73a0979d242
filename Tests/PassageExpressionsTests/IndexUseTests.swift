import PassageExpressions
import PassageSQLite
import PassageValues
import Testing

/// The danger that a filter that an index could answer reads the whole table.
@Suite struct IndexUseTests {
  private static func plan(_ text: String) throws -> String {
    let connection = try Library.connection()
    try connection.execute(
      """
      CREATE INDEX pages ON ZBOOK (ZPAGES); CREATE INDEX title ON ZBOOK (ZTITLE);
      CREATE INDEX printed ON ZBOOK (ZPRINTED); CREATE INDEX author ON ZBOOK (ZAUTHOR);
      CREATE INDEX weight ON ZBOOK (ZWEIGHT);
      """)
    let bound = try Binder.predicate(FormatParser.predicate(text), in: Library.filter)
    guard
      case .sql(let fragment) = SQLTranslator.predicate(
        bound, form: .filter, now: Library.now, column: Library.column,
        related: { related, alias in
          RelatedRows(
            from: "ZBOOK AS \(alias)", startKey: "\(alias).ZAUTHOR", key: "\(alias).Z_PK",
            cells: related.keyPaths.map { "\(alias).Z\($0.name.uppercased())" }, order: [])
        })
    else { return "in memory" }
    let statement = try connection.prepare(
      "EXPLAIN QUERY PLAN SELECT b.Z_PK \(Library.from) WHERE \(fragment.sql)")
    try statement.bind(fragment.bindings)
    var lines: [String] = []
    while try statement.step() { lines.append(statement.value(at: 3).string ?? "") }
    return lines.joined(separator: "; ")
  }

  @Test(arguments: [
    ("pages == 5", "pages"), ("pages < 5", "pages"), ("pages >= 5", "pages"),
    ("pages BETWEEN {1, 5}", "pages"), ("pages IN {1, 5}", "pages"), ("pages IN {1, nil}", "pages"),
    ("pages == nil", "pages"), ("title == 'x'", "title"), ("title BEGINSWITH 'ab'", "title"),
    ("printed > '2024-01-01T00:00:00Z'", "printed"), ("printed < now()", "printed"),
    ("weight > 1.5 AND title LIKE 'a*'", "weight"), ("pages == 1 OR pages == 2", "pages"),
    ("pages == 1 OR title == 'x'", "pages"), ("title CONTAINS 'x' AND pages > 3", "pages"),
  ])
  func `a filter over an indexed column searches the index`(text: String, index: String) throws {
    let plan = try Self.plan(text)
    #expect(plan.contains("SEARCH b USING"), "\(text): \(plan)")
    #expect(plan.contains("INDEX \(index) "), "\(text): \(plan)")
  }

  @Test(arguments: [
    "ANY author.books.pages > 3", "author.books.@count > 0", "author.books.@count > 2",
    "NONE author.books.title == title", "SUBQUERY(author.books, $b, $b.pages > pages).@count == 0",
    "author.books.@sum.pages > 10",
  ])
  func `a collection is found by the index of its relationship`(text: String) throws {
    let plan = try Self.plan(text)
    #expect(plan.contains("SEARCH r0 USING"), "\(text): \(plan)")
    #expect(plan.contains("INDEX author "), "\(text): \(plan)")
    #expect(!plan.contains("AUTOMATIC"), "\(text): \(plan)")
  }

  @Test(arguments: [
    "uppercase:(title) == 'X'", "pages + 1 == 5", "title CONTAINS 'x'", "NOT (pages < 5)",
  ])
  func `a filter that no index can answer reads the table`(text: String) throws {
    #expect(try Self.plan(text).contains("SCAN b"))
  }
}
