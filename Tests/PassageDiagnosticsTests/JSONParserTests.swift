import PassageDiagnostics
import Testing

@Suite struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONNode {
    try JSONParser.parse(Array(text.utf8), file: "a.json")
  }

  private func failure(_ text: String) throws -> Diagnostic {
    try failure(Array(text.utf8))
  }

  private func failure(_ bytes: [UInt8]) throws -> Diagnostic {
    try #require(throws: Diagnostic.self) { try JSONParser.parse(bytes, file: "a.json") }
  }

  private func place(_ node: JSONNode) -> [Int?] { [node.location.line, node.location.column] }

  @Test func `every value knows where it is, counted in scalars`() throws {
    let root = try parse("{\n  \"é🙂\": [1,\n   true, \"x\"],\r\n\t\"b\": null}")
    guard case .object(let members) = root.kind, case .array(let elements) = members[0].value.kind
    else {
      Issue.record("not an object with a list")
      return
    }
    #expect(place(root) == [1, 1])
    #expect(members.map(\.name) == ["é🙂", "b"])
    #expect(members.map(\.nameLocation.line) == [2, 4])
    #expect(members.map(\.nameLocation.column) == [3, 2])
    #expect(elements.map(place) == [[2, 10], [3, 4], [3, 10]])
    #expect(place(members[1].value) == [4, 7])
  }

  @Test(arguments: [
    (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9""#, "é"),
    (#""\uD83D\uDE42""#, "🙂"), (#""\u0000""#, "\u{0}"), (#""🙂é""#, "🙂é"), (#""""#, ""),
  ])
  func `strings mean what they say`(text: String, value: String) throws {
    #expect(try parse(text).kind == .string(value))
  }

  @Test(arguments: ["0", "-0", "12", "-3.25", "1e9", "1E-9", "0.5e+10", "123456789012345678901234"])
  func `numbers are kept as written`(text: String) throws {
    #expect(try parse(text).kind == .number(text))
  }

  @Test(arguments: [
    ("", 1, 1), ("  \n ", 2, 2), ("{\"a\": }", 1, 7), ("{\"a\" 1}", 1, 6), ("[1, ]", 1, 5),
    ("[1 2]", 1, 4), ("{\"a\": 1,}", 1, 9), ("{a: 1}", 1, 2), ("\"abc", 1, 1), ("\"a\nb\"", 1, 1),
    ("\"\\x\"", 1, 3), ("\"\\u12G4\"", 1, 4), ("\"\\uD83D\"", 1, 8), ("\"\\uD83D\\u0041\"", 1, 14),
    ("\"\\uDE42\"", 1, 8), ("01", 1, 2), ("1.", 1, 3), ("-", 1, 2), ("1e", 1, 3), ("+1", 1, 1),
    ("tru", 1, 1), ("nul", 1, 1), ("{} {}", 1, 4), ("// a\n1", 1, 1), ("[", 1, 2), ("{", 1, 2),
  ])
  func `what is not JSON is refused at its place`(text: String, line: Int, column: Int) throws {
    let mistake = try failure(text)
    #expect(mistake.code == "MAP-001")
    #expect(mistake.location?.file == "a.json")
    #expect(mistake.location?.line == line)
    #expect(mistake.location?.column == column, "\(mistake)")
  }

  @Test func `a member that occurs twice is refused at its second place`() throws {
    let mistake = try failure("{\"a\": 1,\n \"b\": 2, \"a\": 3}")
    #expect(mistake.message.contains("“a”"))
    #expect(mistake.location?.line == 2)
    #expect(mistake.location?.column == 10)
  }

  @Test func `names that are written differently and mean the same are the same`() throws {
    #expect(try failure(#"{"a": 1, "\u0061": 2}"#).code == "MAP-001")
  }

  @Test func `names of a value are told apart by their bytes, and may not occur twice`() throws {
    let node = try JSONParser.parse(value: Array("{\"\u{E9}\": 1, \"e\u{301}\": 2}".utf8))
    guard case .object(let members) = node.kind else {
      Issue.record("no object")
      return
    }
    #expect(members.map { Array($0.name.utf8).count } == [2, 3])
    let error = #expect(throws: Diagnostic.self) {
      try JSONParser.parse(value: Array(#"{"a": 1, "a": 2}"#.utf8))
    }
    #expect(error?.code == "MAP-001")
  }

  @Test(arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) throws {
    #expect(try failure(bytes).message.contains("UTF-8"))
  }

  @Test func `a byte-order mark is not part of the text`() throws {
    let node = try JSONParser.parse([0xEF, 0xBB, 0xBF] + Array("1".utf8), file: "a.json")
    #expect(node.kind == .number("1"))
    #expect(node.location.column == 1)
  }

  @Test func `depth has a bound`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(place(try parse(nested(JSONParser.maximumDepth))) == [1, 1])
    #expect(try failure(nested(JSONParser.maximumDepth + 1)).message.contains("levels"))
    #expect(try failure(String(repeating: "{\"a\":", count: 1_000_000)).message.contains("levels"))
  }

  @Test func `size has a bound`() throws {
    let bytes = [UInt8](repeating: 0x20, count: JSONParser.maximumBytes + 1)
    #expect(try failure(bytes).message.contains("larger"))
  }

  /// Counting the columns of each value again would take minutes.
  @Test(.timeLimit(.minutes(15)))
  func `one long line takes time in proportion to its length`() throws {
    let count = 200_000
    let node = try parse(
      "[" + Array(repeating: "\"é\"", count: count).joined(separator: ",") + "]")
    guard case .array(let elements) = node.kind else {
      Issue.record("not a list")
      return
    }
    #expect(elements.count == count)
    #expect(elements.last.map(place) == [1, 4 * count - 2])
  }

  @Test func `a truncated text never traps`() throws {
    let text = Array(#"{"a": [1.5e3, "x\u00e9\uD83D\uDE42", true, null, {"b": -0}]}"#.utf8)
    for count in 0..<text.count {
      #expect(try failure(Array(text.prefix(count))).severity == .error)
    }
  }
}
