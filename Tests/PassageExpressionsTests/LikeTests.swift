import PassageDiagnostics
import PassageExpressions
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

/// The danger that a pattern of `LIKE` is tried at every place of a long text, and again from each of them.
@Suite(.serialized) struct LikeTests {
  private static func bound(_ pattern: String, _ option: String = "") throws -> BoundPredicate {
    try Binder.predicate(
      FormatParser.predicate("title LIKE\(option) %@", arguments: [.string(pattern)]),
      in: Library.filter)
  }

  private static func holds(_ pattern: String, _ title: String, _ option: String = "") throws
    -> Bool
  {
    try CompiledPredicate(bound(pattern, option), slot: Library.slot).evaluate(
      Library.object(["title": .text(title)]), in: Library.context)
  }

  /// What the page says, without haste: `*` is any text, `?` any one character.
  private static func fits(_ pattern: [Character], _ text: [Character]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return (0...text.count).contains { fits(Array(pattern.dropFirst()), Array(text[$0...])) }
    }
    guard let letter = text.first, first == "?" || first == letter else { return false }
    return fits(Array(pattern.dropFirst()), Array(text.dropFirst()))
  }

  @Test func `every short pattern takes every short text that it should`() throws {
    func words(_ letters: String, _ longest: Int) -> [String] {
      var words = [""]
      var last = words
      for _ in 0..<longest {
        last = last.flatMap { word in letters.map { word + String($0) } }
        words += last
      }
      return words
    }
    let texts = words("ab", 5)
    for pattern in words("ab*?", 4) {
      let compiled = try CompiledPredicate(Self.bound(pattern), slot: Library.slot)
      for text in texts {
        let object = Library.object(["title": .text(text)])
        #expect(
          try compiled.evaluate(object, in: Library.context)
            == Self.fits(Array(pattern), Array(text)), "“\(text)” LIKE “\(pattern)”")
      }
    }
  }

  @Test(arguments: [
    ("aba*ba*ab", "ababab", false), ("*aab*aab", "aaabaaab", true), ("*é", "caf\u{e9}", true),
    ("a\\*b*\\?", "a*b is it?", true), ("a\\", "a\\", true), ("*a*a*a*", "aa", false),
  ])
  func `a long pattern takes what it should`(pattern: String, text: String, holds: Bool) throws {
    #expect(try Self.holds(pattern, text) == holds)
    #expect(try Self.holds(pattern, text, "[c]") == holds)
  }

  /// A text that counts how often one of its units is looked at.
  private struct CountedText: BidirectionalCollection {
    let units: [Unicode.Scalar]
    let reads: Reads

    final class Reads { var count = 0 }

    var startIndex: Int { units.startIndex }
    var endIndex: Int { units.endIndex }
    func index(after place: Int) -> Int { place + 1 }
    func index(before place: Int) -> Int { place - 1 }
    subscript(place: Int) -> Unicode.Scalar {
      reads.count += 1
      return units[place]
    }
  }

  /// How many units of a text are looked at to find out whether it fits.
  private static func reads(_ pattern: String, _ text: String, holds: Bool) throws -> Int {
    let text = CountedText(units: Array(text.unicodeScalars), reads: CountedText.Reads())
    #expect(try WildcardPattern(pattern.unicodeScalars).matches(text) == holds)
    return text.reads.count
  }

  @Test func `looks at a text grow with its length, not with its product with the pattern's`()
    throws
  {
    for n in [400, 4_000, 40_000] {
      // A text of n letters, a segment of n / 4 that nearly fits everywhere, and n / 8 asterisks.
      let text = String(repeating: "a", count: n)
      let segment = String(repeating: "a", count: n / 4) + "b"
      let stars = String(repeating: "*a", count: n / 8) + "*"
      for (pattern, holds) in [("*\(segment)*", false), (stars, true), (stars + "b", false)] {
        #expect(try Self.reads(pattern, text, holds: holds) <= 2 * n)
      }
    }
  }

  @Test func `a search that takes too long is given up in both lanes`() throws {
    let pattern = "*?" + String(repeating: "a", count: 30_000) + "b*"
    let text = String(repeating: "a", count: 400_000)
    let error = #expect(throws: Diagnostic.self) { try Self.holds(pattern, text) }
    #expect(error?.code == "PRE-031")
    let connection = try Library.connection()
    try connection.execute("INSERT INTO ZBOOK (ZTITLE) VALUES (?)", [.text(text)])
    guard
      case .sql(let sql) = SQLTranslator.predicate(
        try Self.bound(pattern), now: 0, column: Library.column)
    else {
      Issue.record("no SQL")
      return
    }
    #expect(throws: (any Error).self) { try Library.keys(connection, sql) }
  }
}
