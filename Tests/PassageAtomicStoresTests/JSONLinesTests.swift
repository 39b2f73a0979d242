import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// JSON lines as a store: what is read and written, by hand.
@Suite struct JSONLinesTests {
  private static let model = Model(
    name: "Values",
    entities: [
      Entity(
        name: "V",
        attributes: [
          Attribute(name: "small", type: .integer16), Attribute(name: "large", type: .integer64),
          Attribute(name: "double", type: .double), Attribute(name: "decimal", type: .decimal),
          Attribute(name: "truth", type: .boolean), Attribute(name: "text", type: .string),
          Attribute(name: "date", type: .date), Attribute(name: "bytes", type: .binary),
          Attribute(name: "uuid", type: .uuid), Attribute(name: "uri", type: .uri),
        ],
        relationships: [
          Relationship(name: "next", destinationEntityName: "V", inverseName: "previous"),
          Relationship(name: "previous", destinationEntityName: "V", inverseName: "next"),
          Relationship(
            name: "parts", destinationEntityName: "V", inverseName: "wholes", maximumCount: 0,
            isOrdered: true),
          Relationship(
            name: "wholes", destinationEntityName: "V", inverseName: "parts", maximumCount: 0),
        ])
    ])

  /// The file as it is written: all members in one order, without spaces.
  private static let canonical = """
    {"entity":"V","id":1,"bytes":"AAH/","date":"2010-03-19T08:30:15.25Z","decimal":9007199254740993,\
    "double":0.1,"large":9223372036854775807,"small":-32768,"text":"a\\"\\\\/\\n\\u0000é👩‍👩‍👧\u{2028}",\
    "truth":true,"uri":"https://example.org/?a=b","uuid":"123E4567-E89B-12D3-A456-426614174000",\
    "next":2,"parts":[3,2],"previous":null}
    {"entity":"V","id":2,"bytes":"","date":null,"decimal":-0.5,"double":1e+300,\
    "large":-9223372036854775808,"small":0,"text":"","truth":false,"uri":null,"uuid":null,\
    "next":null,"parts":[],"previous":1}
    {"entity":"V","id":3,"bytes":null,"date":null,"decimal":null,"double":"-Infinity","large":null,\
    "small":null,"text":null,"truth":null,"uri":null,"uuid":null,"next":null,"parts":[],\
    "previous":null}

    """

  /// The same objects as other programs may write them.
  private static let other = """
    \u{FEFF}{ "uuid" : "123e4567-e89b-12d3-a456-426614174000", "id":"1","entity":"V", "text":"a\\u0022\\\\\\/\\n\\u0000\\u00e9\\ud83d\\udc69\u{200D}👩‍👧\\u2028",\t"bytes":"AAH/","date":"2010-03-19T08:30:15.25Z","decimal":"9007199254740993","double":1E-1,"large":9223372036854775807,"small":-32768,"truth":1,"uri":"https:\\/\\/example.org/?a=b","next":2,"parts":[3,"2"]}\r
    \r
      \t
    {"entity":"V","id":3,"double":"-Infinity"}\r
    {"truth":"no","text":"","small":-0,"large":-9223372036854775808,"double":1e300,"decimal":-5e-1,"bytes":"","id":2,"entity":"V","previous":1}
    """

  private func contents(_ text: String, _ settings: String? = nil) throws -> StoreContents {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(text.utf8), to: "a.jsonl")
    if let settings { try folder.write(Array(settings.utf8), to: "a.jsonl.store.json") }
    let conversion = Conversion(model: Self.model)
    try conversion.convert(path, to: folder.path("a.sqlite"), as: nil)
    return try conversion.contents(folder.path("a.sqlite"))
  }

  @Test func `values are read exactly, whoever wrote them`() throws {
    let found = try contents(Self.canonical)
    let first = try #require(found.object("V", 1))
    #expect(first["large"] == .integer(.max) && first["decimal"] == 9_007_199_254_740_993)
    #expect(first["text"] == .text("a\"\\/\n\u{0}é👩‍👩‍👧\u{2028}"))
    #expect(first["bytes"] == .blob([0, 1, 255]) && first["truth"] == 1)
    #expect(first["date"].double == 290_680_215.25 && first["double"] == 0.1)
    #expect(first.keys("parts") == [3, 2])
    #expect(found.object("V", 2)?["large"] == .integer(.min))
    #expect(found.object("V", 2)?["text"] == "" && found.object("V", 2)?["bytes"] == .blob([]))
    #expect(found.object("V", 3)?["double"].double == -.infinity)
    #expect(try contents(Self.other).differences(from: found) == [])
  }

  @Test(arguments: [canonical, other])
  func `what is written is the same each time`(text: String) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(text.utf8), to: "a.jsonl")
    let conversion = Conversion(model: Self.model)
    try conversion.convert(path, to: folder.path("b.ndjson"), as: "json-lines")
    #expect(
      folder.contents("b.ndjson").map { String(decoding: $0, as: UTF8.self) } == Self.canonical)
    try conversion.convert(folder.path("b.ndjson"), to: folder.path("c.jsonl"), as: "json-lines")
    #expect(folder.contents("c.jsonl") == folder.contents("b.ndjson"))
  }

  @Test func `settings change how values are written, and are read again`() throws {
    let folder = try TemporaryDirectory()
    let settings = """
      {"type":"json-lines","dates":"unix","binary":"hex","trueText":"Y","falseText":"N",
       "entity":"V","identifierColumn":"key","lineEnding":"crlf","encoding":"utf-16le",
       "byteOrderMark":true}
      """
    let path = try folder.write(Array(Self.canonical.utf8), to: "a.jsonl")
    try folder.write(Array(settings.utf8), to: "b.jsonl.store.json")
    let conversion = Conversion(model: Self.model)
    try conversion.convert(path, to: folder.path("b.jsonl"), as: "json-lines")
    let bytes = try #require(folder.contents("b.jsonl"))
    let text = try #require(String(bytes: bytes, encoding: .utf16))
    #expect(
      text.hasPrefix(#"{"key":1,"bytes":"0001ff","date":1268987415.25,"#)
        && text.contains(#""truth":"Y""#) && text.hasSuffix("}\r\n"), "\(text)")
    try conversion.convert(folder.path("b.jsonl"), to: folder.path("c.jsonl"), as: "json-lines")
    #expect(folder.contents("c.jsonl") == folder.contents("a.jsonl"))
  }

  @Test func `decimals that a store cannot hold are named in a warning`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      Array(#"{"id":1,"decimal":1.23456789012345678901}"#.utf8), to: "a.jsonl")
    let report = try Conversion(model: Self.model).convert(
      path, to: folder.path("a.sqlite"), as: nil)
    #expect(report.warnings.warnings.map(\.code).contains("ATM-102"))
  }

  @Test func `objects without identifiers are numbered`() throws {
    let found = try contents("{\"text\":\"a\"}\n{\"text\":\"b\"}\n{}\n")
    #expect(found["V"].map { $0["text"] } == ["a", "b", .null])
    #expect(found["V"].map(\.key) == [1, 2, 3])
  }

  @Test func `an attribute that is text keeps the identifier as text`() throws {
    let folder = try TemporaryDirectory()
    let model = Model(
      name: "M",
      entities: [
        Entity(
          name: "A", attributes: [Attribute(name: "code", type: .string)],
          relationships: [Relationship(name: "next", destinationEntityName: "A")])
      ])
    let settings = Array(#"{"type": "json-lines", "identifierColumn": "code"}"#.utf8)
    let text = #"""
      {"entity":"A","code":"12","next":"x 2"}
      {"entity":"A","code":"x 2","next":"12"}

      """#
    let path = try folder.write(Array(text.utf8), to: "a.jsonl")
    try folder.write(settings, to: "a.jsonl.store.json")
    try folder.write(settings, to: "b.jsonl.store.json")
    let conversion = Conversion(model: model)
    let report = try conversion.convert(path, to: folder.path("out.sqlite"), as: nil)
    #expect(report.warnings.warnings.isEmpty)
    try conversion.convert(folder.path("out.sqlite"), to: folder.path("b.jsonl"), as: "json-lines")
    #expect(folder.contents("b.jsonl") == Array(text.utf8))
  }

  @Test func `properties may have the names of the entity's and the identifier's members`() throws {
    let folder = try TemporaryDirectory()
    let model = Model(
      name: "M",
      entities: [
        Entity(
          name: "A",
          attributes: [
            Attribute(name: "entity", type: .string), Attribute(name: "id", type: .integer64),
          ]), Entity(name: "B"),
      ])
    let text = #"{"@entity":"A","@id":1,"entity":"x","id":7}"# + "\n"
    let path = try folder.write(Array(text.utf8), to: "a.jsonl")
    let conversion = Conversion(model: model)
    try conversion.convert(path, to: folder.path("a.sqlite"), as: nil)
    #expect(try conversion.contents(folder.path("a.sqlite")).object("A", 1)?["id"] == 7)
    try conversion.convert(folder.path("a.sqlite"), to: folder.path("b.jsonl"), as: "json-lines")
    #expect(folder.contents("b.jsonl") == Array(text.utf8))
    let declared = try ModelFile.read(path: path)
    #expect(declared.entities.map(\.name) == ["A"])
    #expect(declared.entities[0].attributes.map(\.name) == ["entity", "id"])
  }

  @Test func `without a model, attributes are of the kind that all values have`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      """
      {"w":1,"d":1,"m":1234567890123456789,"t":true,"s":"1","mixed":1,"none":null,"when":"2020-01-01"}
      {"w":null,"d":-1.5e3,"m":0.5,"t":false,"s":"x","mixed":"x","late":2}
      not JSON
      """, to: "my-things.jsonl")
    let model = try ModelFile.read(path: path)
    #expect(model.entities.map(\.name) == ["MyThing"])
    #expect(
      model.entities[0].attributes.map { "\($0.name) \($0.type.name)" } == [
        "w integer64", "d double", "m decimal", "t boolean", "s string", "mixed string",
        "none string", "when string", "late integer64",
      ])
    try folder.write(
      #"{"type":"json-lines","types":{"MyThing":{"w":"integer16","when":"date"}}}"#,
      to: "my-things.jsonl.store.json")
    let typed = try ModelFile.read(path: path).entities[0]
    #expect(typed.attributes.first { $0.name == "w" }?.type == .integer16)
    #expect(typed.attributes.first { $0.name == "when" }?.type == .date)
    try folder.write("a,b\n1,2\n", to: "other.jsonl")
    #expect {
      _ = try ModelFile.read(path: folder.path("other.jsonl"))
    } throws: { error in
      (error as? Diagnostics)?.all.map(\.code) == ["ATM-070", "ATM-070"]
    }
  }
}
