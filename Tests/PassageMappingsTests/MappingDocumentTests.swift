import PassageDiagnostics
import PassageExpressions
import PassageMappings
import Testing

@Suite struct MappingDocumentTests {
  private func decode(_ text: String) throws -> MappingModel {
    try MappingDocument.decode(Array(text.utf8), file: "Mappings/StepOne.json")
  }

  private func mistakes(_ text: String) throws -> [String] {
    let found = try #require(throws: Diagnostics.self) { try decode(text) }
    return found.all.map { "\($0.code) \($0.location?.line ?? 0):\($0.location?.column ?? 0)" }
  }

  @Test func `variables are typed and read back as they were`() throws {
    let text = """
      {"source": "1", "destination": "2", "nullSemantics": "coreDataSQL", "entityMappings": [],
       "variables": {"a": 1, "b": 2.5, "c": "x", "d": true, "e": null, "f": [1, {"url": "x:y"}],
         "g": {"date": "2024-01-31T12:00:00Z"}, "h": {"data": "AP8="}, "i": {"keyPath": "a.b"},
         "j": {"uuid": "01020304-0506-0708-090A-0B0C0D0E0F10"},
         "k": {"object": "x-coredata:///A/p3"}}}
      """
    let model = try MappingDocument.decode(Array(text.utf8), file: "M.json")
    #expect(model.nullSemantics == .coreDataSQL)
    #expect(model.variables.count == 11)
    #expect(model.variables["f"] == .list([.integer(1), .url("x:y")]))
    #expect(model.variables["g"] == .date("2024-01-31T12:00:00Z"))
    #expect(model.variables["k"] == .object(entity: "A", key: 3))
    let written = MappingDocument.encode(model)
    #expect(try MappingDocument.decode(Array(written.utf8), file: "M.json") == model)
  }

  @Test(arguments: [
    #"{"date": "soon"}"#, #"{"uuid": "x"}"#, #"{"data": "*"}"#, #"{"object": "A 3"}"#,
    #"{"dat": "x"}"#, "{}", "1e999",
    #"{"url": "a", "date": "b"}"#, "[{}]",
  ])
  func `a variable of no type is a mistake`(value: String) throws {
    let text =
      #"{"source": "1", "destination": "2", "entityMappings": [], "variables": {"a": \#(value)}}"#
    let error = #expect(throws: Diagnostics.self) {
      try MappingDocument.decode(Array(text.utf8), file: "M.json")
    }
    #expect(error?.all.map(\.code) == ["MAP-002"])
  }

  @Test(arguments: [
    (
      #"{"date": "yesterday"}"#,
      "ISO 8601 with its zone, as in 2024-01-31T12:00:00Z, not “yesterday”"
    ),
    (#"{"uuid": "x"}"#, "a UUID, not “x”"),
    (#"{"data": "*"}"#, "bytes in Base64, not “*”"),
    (#"{"object": "A 3"}"#, "an object's URI, as in x-coredata:///Book/p12, not “A 3”"),
    (#"{"uuid": 5}"#, "a string, not a number"),
    ("1e400", "a number that fits in 64 bits, not 1e400"),
    (
      #"{"url": "a", "date": "b"}"#,
      "an object with exactly one member, which is one of “date”, “uuid”, “url”, “data”, “object”, "
        + "“keyPath”, not one with 2 members"
    ),
  ])
  func `a mistake in a typed constant does not contradict itself`(
    value: String, expected: String
  ) throws {
    for (member, what) in [
      (#""variables": {"a": \#(value)}"#, "the variable “a”"),
      (
        #""entityMappings": [{"type": "add", "destination": "A", "objects": [{"a": \#(value)}]}]"#,
        "the value of “a”"
      ),
    ] {
      let rest = member.hasPrefix("\"entity") ? "" : #""entityMappings": [], "#
      let text = #"{"source": "1", "destination": "2", \#(rest)\#(member)}"#
      let error = #expect(throws: Diagnostics.self) {
        try MappingDocument.decode(Array(text.utf8), file: "M.json")
      }
      #expect(error?.all.map(\.message) == ["\(what) must be \(expected)"])
    }
  }

  @Test func `a mapping model is read with every part of it`() throws {
    let model = try decode(
      #"""
      {"source": "1", "destination": "2", "entityMappings": [
        {"type": "transform", "source": "A", "destination": "B", "filter": "x > 1",
         "policy": {"name": "P", "userInfo": {"k": "v"}},
         "attributes": {"x": {}, "y": null, "z": "$source.x", "w": {"value": "1", "default": "2"}},
         "relationships": {"r": {"userInfo": {"a": "b"}}}},
        {"type": "add", "destination": "C", "policy": "Q"},
        {"type": "remove", "source": "D"}]}
      """#)
    #expect(model.name == "StepOne")
    #expect(model.entityMappings.map(\.name.value) == ["AToB", "C", "D"])
    #expect(model.entityMappings.map(\.kind) == [.transform, .add, .remove])
    let first = model.entityMappings[0]
    #expect(first.filter?.value == "x > 1")
    #expect(first.policy?.userInfo == ["k": "v"])
    #expect(first.attributeMappings.map(\.name.value) == ["x", "y", "z", "w"])
    #expect(
      first.attributeMappings.map(\.source) == [
        .sameName, .leftAtDefault, .expression(Located("$source.x")), .expression(Located("1")),
      ])
    #expect(first.attributeMappings[3].fallback?.value == "2")
    #expect(first.relationshipMappings[0].userInfo == ["a": "b"])
    #expect(first.filter?.location?.line == 2)
    #expect(model.entityMappings[1].policy?.name.value == "Q")
  }

  @Test(
    arguments: [
      ("[]", ["MAP-002 1:1"]),
      ("{", ["MAP-001 1:2"]),
      (#"{"source": "1"}"#, ["MAP-002 1:1", "MAP-002 1:1"]),
      (
        #"{"source": 1, "destination": "2", "entityMappings": [{"type": "mov"}], "x": 1}"#,
        ["MAP-002 1:72", "MAP-002 1:12", "MAP-002 1:63"]
      ),
      (
        #"{"source": "1", "destination": "2", "entityMappings": [{"type": "transform"}]}"#,
        ["MAP-003 1:56", "MAP-003 1:56"]
      ),
      (
        #"{"source": "1", "destination": "2", "entityMappings": [{"type": "add", "source": "A"}]}"#,
        ["MAP-003 1:56", "MAP-003 1:82"]
      ),
      (
        #"{"source": "1", "destination": "2", "entityMappings": [{"type": "remove", "source": "A", "#
          + #""attributes": {"x": {}}}]}"#, ["MAP-003 1:56"]
      ),
      (
        #"{"source": "1", "destination": "2", "entityMappings": [{"type": "custom", "source": "A", "#
          + #""destination": "B"}]}"#, ["MAP-003 1:56"]
      ),
      (
        #"{"source": "1", "destination": "2", "entityMappings": [{"type": "copy", "source": "A", "#
          + #""destination": "B", "attributes": {"x": 3, "y": {"valu": "1"}}}]}"#,
        ["MAP-002 1:128", "MAP-002 1:137"]
      ),
    ] as [(String, [String])])
  func `every mistake is found at its place`(text: String, expected: [String]) throws {
    #expect(try mistakes(text) == expected)
  }

  @Test(arguments: [
    ("5", "5"), (#"{"value": -1.5}"#, "-1.5"), (#"{"value": "1", "default": 0}"#, "0"),
    ("true", "YES"), (#"{"value": false}"#, "NO"),
  ])
  func `a value that is no text is told how to be written as an expression`(
    value: String, text: String
  ) throws {
    let mapping = #"""
      {"source": "1", "destination": "2", "entityMappings": [{"type": "transform", "source": "A",
       "destination": "B", "attributes": {"price": \#(value)}}]}
      """#
    let error = #expect(throws: Diagnostics.self) {
      try MappingDocument.decode(Array(mapping.utf8), file: "m.json")
    }
    #expect(error?.all.map(\.code) == ["MAP-002"])
    #expect(error?.all.first?.remedy == #"an expression is a text: write "\#(text)""#)
    #expect(
      try MappingDocument.decode(
        Array(mapping.replacing(value, with: "\"\(text)\"").utf8), file: "m.json"
      ).entityMappings.count == 1)
  }
}
