import PassageExpressions
import PassageValues
import Testing

@Suite struct SQLTranslatorTests {
  @Test(
    arguments: [
      ("title == 'x'", "(b.ZTITLE IS ?)", ["x"]), ("title != 'x'", "(b.ZTITLE IS NOT ?)", ["x"]),
      ("pages < 5", "COALESCE((b.ZPAGES < ?), 0)", [5]),
      ("NOT pages < 5", "(NOT COALESCE((b.ZPAGES < ?), 0))", [5]),
      ("weight < 5", "COALESCE((b.ZWEIGHT < ?), 0)", [.real(5)]), ("1 < 2", "(? < ?)", [1, 2]),
      ("SELF == sequel", "(b.Z_PK IS b.ZSEQUEL)", []),
      ("pages BETWEEN {1, 2}", "COALESCE((b.ZPAGES BETWEEN ? AND ?), 0)", [1, 2]),
      ("pages IN {1, nil}", "(COALESCE(b.ZPAGES IN (?), 0) OR (b.ZPAGES IS ?))", [1, .null]),
      ("title BEGINSWITH 'ab'", "COALESCE((b.ZTITLE >= ? AND b.ZTITLE < ?), 0)", ["ab", "ac"]),
      (
        "title BEGINSWITH[c] 'AB'", "passage_begins_with_letters(passage_fold_case(b.ZTITLE), ?)",
        ["ab"]
      ),
      ("title BEGINSWITH ''", "passage_begins_with(b.ZTITLE, ?)", [""]),
      ("title MATCHES[c] 'a'", "passage_matches(b.ZTITLE, ?, ?)", ["a", 1]),
      (
        "isLent == YES AND author.name == nil", "((b.ZISLENT IS ?) AND (p.ZNAME IS ?))", [1, .null]
      ),
      ("TRUEPREDICATE", "1", []),
      (
        "price / 2 == 1",
        "((CAST(CASE WHEN +b.ZPRICE < '' THEN b.ZPRICE END AS REAL) / ?) IS ?)",
        [2, .real(1)]
      ),
      ("printed == '2001-01-01T00:00:01Z'", "(b.ZPRINTED IS ?)", [.real(1)]),
      (
        "identifier == '00000000-0000-0000-0000-000000000001'", "(b.ZIDENTIFIER IS ?)",
        [.blob([UInt8](repeating: 0, count: 15) + [1])]
      ),
    ] as [(String, String, [Value])])
  func `a predicate is translated to two-valued SQL`(text: String, sql: String, bindings: [Value])
    throws
  {
    let bound = try Binder.predicate(FormatParser.predicate(text), in: Library.filter)
    let translation = SQLTranslator.predicate(bound, now: 0, column: Library.column)
    #expect(translation == .sql(SQLFragment(sql, bindings)))
  }

  @Test func `a list too long for one statement stays in memory`() throws {
    let list = [ValueExpression](repeating: .constant(.integer(1)), count: 30_001)
    let predicate = ObjectPredicate.comparison(
      Comparison(.path(nil, "pages"), .in, .aggregate(list)))
    let bound = try Binder.predicate(predicate, in: Library.filter)
    guard
      case .memoryOnly = SQLTranslator.predicate(bound, now: 0, column: Library.column)
    else {
      Issue.record("translated")
      return
    }
    let compiled = try CompiledPredicate(bound, slot: Library.slot)
    #expect(try compiled.evaluate(Library.object(["pages": 1]), in: Library.context))
  }

  @Test func `every function has the module's prefix and a name of its own`() {
    let names = ExpressionFunctions.all.map(\.name)
    #expect(names.allSatisfy { $0.hasPrefix("passage_") })
    #expect(Set(names).count == names.count)
  }
}
