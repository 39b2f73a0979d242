import PassageDiagnostics
import PassageExpressions
import TestSupport
import Testing

@Suite struct FormatParserTests {
  @Test(arguments: [
    ("", 1), ("   ", 4), ("age", 4), ("age * 25", 9), ("age === 25", 7), (",", 1), ("()", 2),
    ("SELF like[c] %@*", 17), ("a == 1 b", 8), ("a == ", 6), ("(a == 1", 8), ("a == 1)", 7),
    ("a == 'x", 6), ("a ==[x] 1", 6), ("a == 1 == 2", 8), ("a == ?", 6), ("size > 3", 1),
    ("a CONTANS 'x'", 3), ("a == 12abc", 8), ("a == 0x", 8), ("a == 1e", 8), ("a == '\\q'", 7),
    ("a == '\\u12'", 7), ("a == '\\ud800'", 7), ("a == %z", 6), ("a == $", 7), ("a.1 == 2", 3),
    ("TERNARY(a, 1, 2) == 1", 10), ("TERNARY(a == 1, 2) == 1", 1), ("a + (b == 1) == 2", 6),
    ("SUBQUERY(a, b, c == 1).@count == 1", 13), ("CAST(a, b) == 1", 1), ("a == 1 AND", 11),
    ("FETCH(a, b, 1) == 1", 1), ("FUNCTION(a) == 1", 1), ("a == {1, }", 10), ("NOT a", 6),
    ("ANY a", 6), ("a = 1e400", 5), ("a:b == 1", 3), ("a[ == 1", 4),
    ("\u{0} == 1", 1),
  ])
  func `a mistake is reported at its character`(text: String, column: Int) throws {
    let location = SourceLocation(file: "M.json", line: 7, column: 20)
    let error = #expect(throws: Diagnostics.self) {
      try FormatParser.predicate(text, at: location)
    }
    let diagnostic = try #require(error?.all.first)
    #expect(diagnostic.code == "PRE-001")
    #expect(diagnostic.location?.line == 7)
    #expect(diagnostic.location?.column == 20 + column, "\(text): \(diagnostic)")
  }

  @Test(arguments: [
    ("a CONTANS 'x'", "did you mean CONTAINS?"), ("a BEGINWITH 'x'", "did you mean BEGINSWITH?"),
    ("size > 3", "write #size for a property of that name"),
    ("a == '\\d'", "write \\\\d for a backslash and the letter"),
    ("age", "compare it, as in “age == YES” or “age != nil”"),
  ])
  func `a mistake comes with a remedy`(text: String, remedy: String) throws {
    let error = #expect(throws: Diagnostics.self) { try FormatParser.predicate(text) }
    #expect(error?.all.first?.remedy == remedy)
  }

  @Test(arguments: [
    String(repeating: "(", count: 30_000), String(repeating: "NOT ", count: 10_000) + "a == 1",
    String(repeating: "-", count: 60_000) + "1 == 1", String(repeating: "{", count: 60_000),
    "a" + String(repeating: "[0]", count: 20_000) + " == 1",
    "1" + String(repeating: "+1", count: 30_000) + " == 1",
    String(repeating: "TERNARY(a==1,1,", count: 4_000), String(repeating: "f(", count: 30_000),
    "a == '" + String(repeating: "x", count: 70_000) + "'",
    String(repeating: "$x := ", count: 10_000) + "1 == 1",
    String(repeating: "~(", count: 20_000), String(repeating: "ANY ", count: 16_000) + "a == 1",
  ])
  func `a text that is too long or too deep is refused`(text: String) throws {
    let error = #expect(throws: Diagnostics.self) { try FormatParser.predicate(text) }
    #expect(error?.all.first?.code == "PRE-002")
  }

  @Test func `a long list of conditions is not deep`() throws {
    let text = (0..<5_000).map { "a == \($0)" }.joined(separator: " OR ")
    guard case .or(let parts) = try FormatParser.predicate(text) else {
      Issue.record("no OR")
      return
    }
    #expect(parts.count == 5_000)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `any text is either a tree that prints or a mistake`(seed: UInt64) throws {
    print("seed \(seed)")
    var generator = SeededRandom(seed: seed)
    let words = [
      "a", "b.c", "$x", "@count", "%@", "%K", "'t'", "\"", "'", "1", "2.5", "0x1", "-", "+", "*",
      "**", "/", "(", ")", "{", "}", "[", "]", ",", ".", ":", "==", "<", ">=", "!", "AND", "OR",
      "NOT", "IN", "LIKE", "[cd]", "BETWEEN", "CONTAINS", "ANY", "ALL", "NONE", "nil", "YES",
      "SELF", "SUBQUERY(", "TERNARY(", "CAST(", "FUNCTION(", "FETCH(", "UNION", "#size", "size",
      "\\", "\\u0041", "é", "😀", "\u{0}", "now()", "sum:", ":=", "TRUEPREDICATE", "~", "&", "|",
    ]
    var trees = 0
    for _ in 0..<5_000 {
      let count = Int.random(in: 1...12, using: &generator)
      let separator = generator.chance(70) ? " " : ""
      let text = (0..<count).map { _ in generator.pick(words) }.joined(separator: separator)
      do throws(Diagnostics) {
        let tree = try FormatParser.predicate(text)
        trees += 1
        let again = try FormatParser.predicate(tree.description)
        #expect(again == tree, "\(text)")
      } catch {
        #expect(error.hasErrors)
      }
      if let tree = try? FormatParser.expression(text) {
        trees += 1
        #expect(try FormatParser.expression(tree.description) == tree, "\(text)")
      }
    }
    #expect(trees > 50)
  }

  @Test func `random scalars never trap`() {
    var generator = SeededRandom(seed: 99)
    var refused = 0
    for _ in 0..<5_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<40, using: &generator) {
        let limit: UInt32 = generator.chance(80) ? 0x80 : 0x11_0000
        if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) {
          text.append(scalar)
        }
      }
      if (try? FormatParser.predicate(String(text))) == nil { refused += 1 }
    }
    #expect(refused > 4_900)
  }
}
