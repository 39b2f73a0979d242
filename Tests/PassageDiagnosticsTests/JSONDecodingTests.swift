import PassageDiagnostics
import Testing

@Suite struct JSONDecodingTests {
  private func decode(
    _ text: String, _ body: (inout JSONDecoding, [String: JSONNode]) -> Void
  ) throws -> [String] {
    let node = try JSONParser.parse(Array(text.utf8), file: "a.json")
    var decoding = JSONDecoding(code: "X-1")
    if let members = decoding.members(
      of: node, "a thing", known: ["name", "count", "names", "flag", "kind"], required: ["name"])
    {
      body(&decoding, members)
    }
    return decoding.diagnostics.all.map { found in
      "\(found.code) \(found.location?.column ?? 0) \(found.message); \(found.remedy ?? "")"
    }
  }

  enum Kind: String, CaseIterable { case one, two }

  @Test func `every mistake is found, each with its place and the nearest word`() throws {
    let found = try decode(
      #"{"nam": 1, "count": -1, "names": ["a", 2], "flag": 0, "kind": "onne"}"#
    ) {
      decoding, members in
      #expect(decoding.count(members["count"], "count") == nil)
      #expect(decoding.strings(members["names"], "names") == ["a"])
      #expect(decoding.bool(members["flag"], "flag") == nil)
      #expect(decoding.word(members["kind"], "kind", as: Kind.self) == nil)
    }
    #expect(
      found == [
        "X-1 2 a thing has no member “nam”; did you mean “name”?",
        "X-1 1 a thing needs the member “name”; ",
        "X-1 21 count must be a whole number from 0 to \(Int.max), not -1; ",
        "X-1 40 names must be a string, not a number; ",
        "X-1 52 flag must be true or false, not a number; ",
        "X-1 63 kind cannot be “onne”; did you mean “one”?",
      ])
  }

  @Test func `an error that is only counted is not made`() {
    var decoding = JSONDecoding(code: "X-1")
    var made = 0
    for _ in 0..<Diagnostics.maximumListed + 5 {
      decoding.reportError {
        made += 1
        return Diagnostic("X-1", "wrong")
      }
    }
    #expect(made == Diagnostics.maximumListed)
    #expect(decoding.diagnostics.all.count == made)
    #expect(decoding.diagnostics.unlistedErrorCount == 5)
  }

  @Test func `the schema's place is allowed in every object`() throws {
    #expect(try decode(#"{"$schema": "x", "name": "a"}"#) { _, _ in } == [])
  }

  @Test func `an object is expected`() throws {
    #expect(
      try decode("[]") { _, _ in Issue.record("a list has no members") }
        == ["X-1 1 a thing must be an object, not a list; "])
  }

  @Test func `a diagnostic prints what, where, why and what to do`() {
    let diagnostic = Diagnostic(
      "X-1", "it is wrong", at: SourceLocation(file: "a.json", line: 2, column: 5), reason: "so",
      remedy: "mend it")
    #expect(
      diagnostic.description
        == "error[X-1]: it is wrong\n  --> a.json:2:5\n  why   so\n  try   mend it")
  }

  @Test(arguments: [("nme", "name"), ("Name", "name"), ("nam", "name"), ("zzzzzz", nil)])
  func `the nearest name is suggested when it is near`(name: String, expected: String?) {
    #expect(nearest(to: name, in: ["count", "name", "other"]) == expected)
  }

  @Test func `similar names are looked for until too many were compared`() {
    let names = (0..<1_000).map { "name\($0)" }
    var similar = SimilarNames()
    var asked = 0
    let found = (0..<100).map { _ in
      similar.suggestion(for: "nmae1") {
        asked += 1
        return names
      }
    }
    #expect(found.prefix(20).allSatisfy { $0 == "did you mean “name1”?" })
    #expect(found.dropFirst(20).allSatisfy { $0 == nil })
    #expect(asked == 21)
  }
}
