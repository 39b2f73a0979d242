import Foundation
import PassageDiagnostics
import PassageExpressions
import TestSupport
import Testing

@Suite struct FormatRoundTripTests {
  static let predicates = [
    "a == 1", "a = 1 AND b <> 2 or c =< 3 && d => 4 || e < 5", "NOT a == 1 AND b == 2",
    "!(a == 1 OR b == 2)", "a AND_b == 1 OR x == 2".replacing("a AND_b", with: "AND_b"),
    "(a + 1) * 2 > b", "(a > 1) AND b == 2", "((a)) == ((1))", "a + (b - c) - d == 0",
    "a ** b ** c == 2 ** (3 ** 2)", "(-2) ** 2 == -2 ** 2", "-(5) == - -5", "-(a + b) < ~c",
    "a & 3 == 0", "(a | b) ^ c << 2 >> 1 != 0", "a UNION b MINUS (c INTERSECT d) == {}",
    "index == 1 AND format == 2 AND order == 3 AND notes == nil AND inner == NULL",
    "#size == 1 AND #First.#self == 2 AND a.first == 3", "name CONTAINS [c] 'x'",
    "name ==[CD] 'x'", "name LIKE[nlcd] 'a*'", "ANY a.b == 1", "SOME a.b == 1",
    "ALL a.b == 1 AND NONE a.b == 2", "a BETWEEN {1, b + 1}", "x IN {}", "x IN 'abc'",
    "SUBQUERY(cars, $car, $car.maker == \"FIAT\").@count > 2", "@sum.items.price > 1",
    "g.@max.#self == g.@min.#self", "(SELF.g)[0] == 2", "x['key'] == x[LAST]",
    "a[FIRST][SIZE] == b[i + 1]", "TERNARY(a == 1 AND b == 2, 'x', nil).length == 0",
    "FUNCTION('a/path', 'lastPathComponent') = 'path'",
    "FUNCTION($entityPolicy, \"a:b:\", $source, $source.x) == 1", "now() > now ( )",
    "multiply:by:(a, 2) == modulus:by:(b, 3)", "sum(a) == sum:(b)", "sum:(1,1) = 2",
    "CAST(x, 'NSDate') < CAST('2024-01-01', \"NSDate\")", "$x := 3 == 3", "($x := a) == a",
    "FETCH(a, b, NO) == nil", "uti UTI-CONFORMS-TO 'public.image' OR uti uti-equals 'x'",
    "uti - equals == 1", "a == 'it''s'".replacing("''", with: "\\'"),
    "a == \"\\u00e9\\x41\\101\\n\"", "a == '\\X41\\U0042'",
    "a == 'a\\*b'", "%K == %@ AND %@.%@ != %ld", "0x1F == 0o17 + 0b101",
    "a == -9223372036854775808", "a == -9223372036854775809",
    "a == 9223372036854775808", "a == 9.2e-5", "TRUEPREDICATE AND NOT FALSEPREDICATE",
    "'📍' IN name", "n\\u00e4me == 1", "SELF == self", "SELF.name == name", "(%K & %d) == %d",
    "a == (b)[0].c", "(1).x == 2", "(a.b).c == a.b.c", "functions == #function",
    "(a AND_b == 1)".replacing("a AND_b", with: "AND_b"), "a == YES AND (b == NO AND c == true)",
    "a == -0.0", "objectFrom:withIndex:(a, 0) == 1", "NOT NOT a == 1",
    "$NOT == 1 AND ($in := a) == a AND SUBQUERY(a, $first, $first.b == 1).@count > 0",
  ]

  @Test(arguments: predicates)
  func `a printed predicate parses back to itself`(text: String) throws {
    let tree = try FormatParser.predicate(text)
    let printed = tree.description
    #expect(try FormatParser.predicate(printed) == tree, "\(printed)")
    #expect(try FormatParser.predicate(printed).description == printed)
  }

  @Test(arguments: [
    ("a + b * c", "a + b * c"), ("(a + b) * c", "(a + b) * c"), ("a - (b - c)", "a - (b - c)"),
    ("(a - b) - c", "a - b - c"), ("2 ** 3 ** 2", "2 ** 3 ** 2"),
    ("2 ** (3 ** 2)", "2 ** (3 ** 2)"),
    ("a & b + c", "a & b + c"), ("(a & b) + c", "(a & b) + c"), ("add:to:(1, 2)", "1 + 2"),
    ("castObject:toType:(a, 'NSDate')", "CAST(a, \"NSDate\")"), ("$source.#size", "$source.#size"),
    ("'it''s'".replacing("''", with: "\\'"), "\"it's\""), ("{1, 'b', nil}", "{1, \"b\", nil}"),
    ("- a ** 2", "-a ** 2"), ("-(a ** 2)", "-(a ** 2)"), ("#order.#In", "order.#In"),
  ])
  func `an expression prints with the parentheses it needs`(text: String, printed: String) throws {
    #expect(try FormatParser.expression(text).description == printed)
  }

  @Test(arguments: [
    ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
    ("a == 1 AND b == 2 OR c == 3", "(a == 1 AND b == 2) OR c == 3"),
    ("NOT a == 1 OR b == 2", "(NOT (a == 1)) OR b == 2"),
    ("NOT x IN {1}", "NOT (x IN {1})"), ("k & 3 == 0", "(k & 3) == 0"),
    ("a + b * c ** d == e", "(a + (b * (c ** d))) == e"), ("-a * b == c", "((-a) * b) == c"),
    ("a UNION b & c == d", "(a UNION (b & c)) == d"), ("1 - 2 - 3 == 0", "((1 - 2) - 3) == 0"),
    ("-a.b == 1", "(-(a.b)) == 1"), ("a << 1 + 2 == 8", "(a << (1 + 2)) == 8"),
    ("!a == 1 && b == 2", "(NOT (a == 1)) AND (b == 2)"),
  ])
  func `operators bind as the grammar says`(text: String, explicit: String) throws {
    #expect(try FormatParser.predicate(text) == FormatParser.predicate(explicit))
  }

  @Test func `equal trees do not depend on where they were written`() throws {
    let near = try FormatParser.predicate("a==1")
    let far = try FormatParser.predicate("    a   ==    1")
    #expect(near == far)
    #expect(near.hashValue == far.hashValue)
  }

  // MARK: Strings from published apps

  static let corpus = URL(filePath: Corpus.file("predicates.tsv"))

  /// Strings that no format parser takes, or that ours refuses on purpose, with the reason.
  static let refused: [String: String] = [
    "a MATCHES 'i\\w{18}n'": "\\w is no escape of a text; NSPredicate drops the backslash silently",
    "%K ": "half a format: the app appends an operator and a value at run time",
  ]

  @Test(.enabled(if: FileManager.default.fileExists(atPath: corpus.path)))
  func `every published string that parses survives printing`() throws {
    let lines = try String(contentsOf: Self.corpus, encoding: .utf8).split(separator: "\n")
    var parsed = 0
    for line in lines.dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 3 else { continue }
      let (kind, text) = (fields[1], String(fields[2]))
      let isPredicate = kind == "predicate" || kind == "mapping-filter"
      do throws(Diagnostics) {
        if isPredicate {
          let tree = try FormatParser.predicate(text)
          let again = try FormatParser.predicate(tree.description)
          #expect(again == tree, "\(text)")
        } else {
          let tree = try FormatParser.expression(text)
          let again = try FormatParser.expression(tree.description)
          #expect(again == tree, "\(text)")
        }
        parsed += 1
      } catch {
        #expect(Self.refused[text] != nil, "\(text)\n\(error)")
      }
    }
    print("\(parsed) of \(lines.count - 1) published strings parsed")
    #expect(parsed >= 340)
  }
}
