import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// Every mistake in a file of JSON lines is reported with its code, line and column, and nothing is
/// made of the file.
@Suite struct JSONLinesMistakeTests {
  private static let model = Model(
    name: "People",
    entities: [
      Entity(
        name: "Person",
        attributes: [
          Attribute(name: "first", type: .string), Attribute(name: "age", type: .integer16),
          Attribute(name: "nick", type: .string, isOptional: false),
          Attribute(name: "cost", type: .decimal), Attribute(name: "isNew", type: .boolean),
          Attribute(name: "born", type: .date), Attribute(name: "photo", type: .binary),
        ],
        relationships: [
          Relationship(name: "boss", destinationEntityName: "Person", inverseName: "staff"),
          Relationship(
            name: "staff", destinationEntityName: "Person", inverseName: "boss", maximumCount: 0),
          Relationship(name: "home", destinationEntityName: "House"),
        ]),
      Entity(name: "Thing", isAbstract: true),
      Entity(name: "House", parentName: "Thing"), Entity(name: "Car", parentName: "Thing"),
    ])

  private static let house = #"{"entity":"House","id":1}"# + "\n"

  /// A person with these members, of which the first has no comma before it.
  private static func person(_ members: String) -> String {
    #"{"entity":"Person","id":9,"nick":"n","# + members + "}\n"
  }

  /// The mark ¦ is before the place that is reported, and is not in the file.
  private static let cases: [(code: String, text: String)] = [
    ("ATM-070", "¦[1]\n"), ("ATM-070", "¦\"text\"\n"), ("ATM-070", "¦entity,id\n"),
    ("ATM-070", house + "¦x\n"), ("ATM-070", house + #"{"entity":"House",¦}"#),
    ("ATM-070", #"{"entity":"House","id":2} ¦x"#), ("ATM-070", #"{"entity":"House","id":2}¦{}"#),
    ("ATM-070", #"{"entity":"House","id":¦"2"#), ("ATM-070", #"{"entity":"House","id":0¦1}"#),
    ("ATM-070", #"{"entity":"House","id":¦NaN}"#), ("ATM-070", #"{"entity":"House","id":¦"#),
    ("ATM-070", #"{"entity":"House","id" ¦2}"#), ("ATM-070", #"{"entity":"House","id":-¦}"#),
    ("ATM-070", #"{"entity":"House","id":"é\ud800¦"}"#),
    ("ATM-070", #"{"entity":"House","id":"\udc00¦"}"#),
    ("ATM-070", #"{"entity":"House","id":"\ud800\u0041¦"}"#),
    ("ATM-070", #"{"entity":"House","id":"\¦x"}"#),
    ("ATM-070", "{\"entity\":\"House\",\"id\":\"a¦\u{0}\"}"),
    ("ATM-070", "{\"entity\":\"House\",\"id\":\"a¦\tb\"}"),
    ("ATM-070", #"{"entity":"House","id":"# + String(repeating: "[", count: 64) + "¦["),
    ("ATM-070", #"{"a":"# + String(repeating: #"{"a":"#, count: 63) + "{¦"),
    ("ATM-070", house + "¦\u{FEFF}" + house),
    ("ATM-005", #"¦{"entity":"Housse","id":1}"#), ("ATM-005", house + #"¦{"id":2}"#),
    ("ATM-005", #"¦{}"#), ("ATM-022", #"¦{"entity":"Thing","id":1}"#),
    ("ATM-006", #"{"entity":"House","id":1,"nick":¦"n"}"#),
    ("ATM-006", #"{"entity":"House","id":1,"nick":¦null}"#),
    ("ATM-006", #"{"entity":"House","id":1,"nick":¦{"a":[1]}}"#),
    ("ATM-007", #"{"entity":"House","id":1,¦"id":1}"#),
    ("ATM-007", #"{"entity":"House",¦"entity":"House","id":1}"#),
    ("ATM-007", person(#""age":1,¦"age":null"#)),
    ("ATM-008", house + #"¦{"entity":"House"}"#), ("ATM-008", #"¦{"entity":"House","id":null}"#),
    ("ATM-009", house + #"¦{"entity":"Car","id":"1"}"#),
    ("ATM-010", person(#""age":¦40000"#)), ("ATM-010", person(#""age":¦1.0"#)),
    ("ATM-010", person(#""age":¦99999999999999999999999"#)), ("ATM-010", person(#""age":¦"x""#)),
    ("ATM-010", person(#""cost":¦1e999"#)), ("ATM-010", person(#""born":¦"yesterday""#)),
    ("ATM-010", person(#""isNew":¦2"#)), ("ATM-010", person(#""photo":¦"=""#)),
    ("ATM-011", #"¦{"entity":"Person","id":1,"nick":null}"#),
    ("ATM-012", person(#""boss":¦7"#)), ("ATM-012", person(#""staff":¦[7]"#)),
    ("ATM-013", #"{"entity":"Car","id":1}"# + "\n" + person(#""home":¦1"#)),
    (
      "ATM-014",
      #"{"entity":"Person","id":1,"nick":"n","boss":2}"# + "\n"
        + #"{"entity":"Person","id":2,"nick":"n"}"# + "\n" + person(#""staff":¦[1]"#)
    ),
    ("ATM-071", #"{"entity":¦1,"id":1}"#), ("ATM-071", #"{"entity":¦null,"id":1}"#),
    ("ATM-071", person(#""first":¦1"#)), ("ATM-071", person(#""first":¦true"#)),
    ("ATM-071", person(#""first":¦{"a":1}"#)), ("ATM-071", person(#""first":¦["a"]"#)),
    ("ATM-071", person(#""age":¦true"#)), ("ATM-071", person(#""age":¦[]"#)),
    ("ATM-071", person(#""isNew":¦{}"#)), ("ATM-071", person(#""born":¦0"#)),
    ("ATM-071", person(#""photo":¦1"#)), ("ATM-071", person(#""boss":¦"""#)),
    ("ATM-071", person(#""boss":¦[9]"#)), ("ATM-071", person(#""boss":¦1.5"#)),
    ("ATM-071", person(#""staff":¦"1 2""#)), ("ATM-071", person(#""staff":¦9"#)),
    ("ATM-071", person(#""staff":[9,¦{}]"#)), ("ATM-071", person(#""staff":[¦null]"#)),
    ("ATM-071", person(#""staff":[¦""]"#)), ("ATM-071", person(#""staff":[9,¦true]"#)),
    ("ATM-071", #"{"entity":"House","id":¦true}"#), ("ATM-071", #"{"entity":"House","id":¦""}"#),
    ("ATM-071", #"{"entity":"House","id":¦1e2}"#), ("ATM-071", #"{"entity":"House","id":¦[1]}"#),
    ("ATM-072", #"{"entity":"House"}"# + "\n" + #"{"entity":"House",¦"id":1}"#),
  ]

  @Test(arguments: cases)
  func `the mistake is reported where it is`(_ code: String, _ marked: String) throws {
    let before = try #require(marked.split(separator: "¦", omittingEmptySubsequences: false).first)
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    let (line, column) = (lines.count, (lines.last?.unicodeScalars.count ?? 0) + 1)
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(marked.replacing("¦", with: "").utf8), to: "a.jsonl")
    let failure = Conversion(model: Self.model).failure(
      path, to: folder.path("out.sqlite"), as: nil)
    let error = try #require(failure)
    let found = try #require(error.diagnostics.all.first { $0.code == code }, "\(error)")
    #expect(found.location?.line == line && found.location?.column == column, "\(found)")
    #expect(!folder.names.contains("out.sqlite"))
  }

  private static let identifier = "a whole number in digits or a string that is not empty"

  /// A value of another kind under these settings, what its message says is expected, and such a value.
  private static let expectations:
    [(settings: String, wrong: String, said: String, right: String)] =
      [
        ("", #""first":1"#, "a string", #""first":"1""#),
        ("", #""age":true"#, "a number", #""age":1"#),
        ("", #""isNew":[]"#, "true or false", #""isNew":true"#),
        ("", #""cost":{}"#, "a number", #""cost":1.5"#),
        ("", #""born":0"#, "a string", #""born":"2010-03-19T08:30:15Z""#),
        (#","dates":"unix""#, #""born":true"#, "a number", #""born":0"#),
        (#","dates":"reference""#, #""born":[]"#, "a number", #""born":-0.5"#),
        ("", #""photo":1"#, "a string", #""photo":"AA==""#),
        ("", #""boss":1e2"#, identifier, #""boss":9"#),
        ("", #""boss":"""#, identifier, #""boss":"9""#),
        ("", #""staff":9"#, "a list of identifiers", #""staff":[9]"#),
        ("", #""staff":[null]"#, identifier, #""staff":["9"]"#),
        // A property that is left out.
        (#","ignored":["staff"]"#, #""boss":[]"#, identifier, #""staff":9"#),
        (#","ignored":["first"]"#, #""age":{}"#, "a number", #""first":{}"#),
      ]

  @Test(arguments: expectations)
  func `what is said to be expected is read`(
    _ settings: String, _ wrong: String, _ said: String, _ right: String
  ) throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array("{\"type\":\"json-lines\"\(settings)}".utf8), to: "a.jsonl.store.json")
    func failure(_ members: String) throws -> MigrationError? {
      let path = try folder.write(Array(Self.person(members).utf8), to: "a.jsonl")
      return Conversion(model: Self.model).failure(path, to: folder.path("out.sqlite"), as: nil)
    }
    let mistakes = try #require(try failure(wrong)).diagnostics.all
    #expect(mistakes.map(\.code) == ["ATM-071"])
    #expect(mistakes.first?.message.hasSuffix(": \(said) is expected") == true, "\(mistakes)")
    let left = try failure(right)
    #expect(left == nil, "\(left?.diagnostics.all ?? [])")
  }

  @Test func `the entity of all objects is named in place of a member that is no name`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(#"{"entity":1,"id":1}"#.utf8), to: "a.jsonl")
    try folder.write(
      Array(#"{"type":"json-lines","entity":"House","ignored":["entity"]}"#.utf8),
      to: "a.jsonl.store.json")
    try Conversion(model: Self.model).convert(path, to: folder.path("out.sqlite"), as: nil)
  }

  @Test func `all mistakes of a file are reported at once, without its values`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      Array(
        (#"{"entity":"Person","id":1,"first":["secret"],"age":"secret","secret value":1}"# + "\n"
          + #"{"entity":"Person","id":2,"nick":"secret" "secret"}"# + "\n"
          + #"{"entity":"Person","id":3,"nick":"n","nick":"secret"}"# + "\n").utf8), to: "a.jsonl")
    let error = try #require(
      Conversion(model: Self.model).failure(path, to: folder.path("out.sqlite"), as: nil))
    #expect(
      error.diagnostics.all.map(\.code) == ["ATM-006", "ATM-071", "ATM-010", "ATM-070", "ATM-007"])
    #expect(error.diagnostics.all.map(\.location?.line) == [1, 1, 1, 2, 3])
    #expect(!"\(error)".contains("secret"), "\(error)")
  }

  @Test func `invalid UTF-8 is reported at each place`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      Array(Self.house.utf8) + Array(#"{"entity":"House","id":""#.utf8) + [0xFF, 0xC3]
        + Array("\"}\n".utf8), to: "a.jsonl")
    let error = try #require(
      Conversion(model: Self.model).failure(path, to: folder.path("out.sqlite"), as: nil))
    #expect(error.diagnostics.all.map(\.code) == ["ATM-002", "ATM-002"])
    #expect(error.diagnostics.all.map(\.location?.line) == [2, 2])
    #expect(error.diagnostics.all.first?.location?.column == 25)
  }

  @Test func `a line that is not an object is quarantined, and the others are read`() throws {
    let folder = try TemporaryDirectory()
    let text =
      Self.house + "{\"entity\":\n" + #"{"entity":"House","id":2}"# + "\n[1]\n"
      + #"{"entity":"Person","id":"x","nick":7}"# + "\n" + Self.person(#""boss":"x""#)
    let path = try folder.write(Array(text.utf8), to: "a.jsonl")
    let conversion = Conversion(model: Self.model)
    let report = try conversion.convert(
      path, to: folder.path("out.sqlite"), as: nil, maximumQuarantined: 3)
    #expect(report.quarantined == 3)
    let made = try conversion.contents(folder.path("out.sqlite"))
    #expect(made["House"].map(\.key) == [1, 2])
    #expect(made["Person"].map { $0.keys("boss") } == [[]])
    #expect(report.warnings.warnings.map(\.code).contains("ATM-103"))
    let rows = try #require(folder.contents("out.sqlite.quarantine.jsonl"))
    let places = String(decoding: rows, as: UTF8.self)
    #expect(places.contains("ATM-070") && places.contains("ATM-071"), "\(places)")
  }

  @Test func `a line of more values or bytes than memory holds is refused`() throws {
    let folder = try TemporaryDirectory()
    let types = StoreTypes(StoreTypes.builtIn.all, memoryBytes: 8 << 20)
    for (count, code) in [(100_000, "ATM-070"), (1_000_000, "ATM-051")] {
      let list = repeatElement("1", count: count).joined(separator: ",")
      let path = try folder.write(
        Array((Self.house + Self.person("\"staff\":[\(list)]")).utf8), to: "\(count).jsonl")
      let error = try #require(throws: MigrationError.self) {
        try Conversion(model: Self.model).convert(
          path, to: folder.path("out.sqlite"), as: nil, types: types)
      }
      let found = try #require(error.diagnostics.all.first)
      #expect(found.code == code && found.location?.line == 2, "\(error)")
    }
  }

  /// The remedy is made from the record's size, which is that of its line.
  @Test(arguments: ["a.jsonl", "a.csv", "a.records"])
  func `a record that is too long is read with the memory that the refusal names`(
    name: String
  ) throws {
    let folder = try TemporaryDirectory()
    let model = Model(
      name: "M", entities: [Entity(name: "A", attributes: [Attribute(name: "t", type: .string)])])
    // Line endings in quotes are a part of the field.
    let long = String(repeating: "x", count: 5_000_000)
    let text =
      switch name {
      case "a.jsonl": "{\"id\":1,\"t\":\"\(long)\"}\n{\"id\":2}\n"
      case "a.csv": "id,t\n1,\"\(long)\n\"\"\n\"\n2,\n"
      default: "A::id:1:t:\(long)\nA::id:2\n"
      }
    let path = try folder.write(Array(text.utf8), to: name)
    func read(_ memory: Int) throws {
      let types = StoreTypes(StoreTypes.builtIn.all, memoryBytes: memory)
      try Conversion(model: model).convert(
        path, to: folder.path("out.sqlite"), as: nil, types: types)
    }
    let error = try #require(throws: MigrationError.self) { try read(8 << 20) }
    let found = try #require(error.diagnostics.all.first)
    #expect(found.code == "ATM-051")
    let words = (found.remedy ?? "").split { $0 == " " || $0 == "," }
    let place = try #require(words.firstIndex(of: "--memory"))
    #expect(words[place + 1] == "39M", "\(error)")
    try read(try #require(MemorySize.bytes(String(words[place + 1]))))
  }

  @Test(arguments: [
    ("a.jsonl", #"{"m№":1}"#), ("b.jsonl", #"{"entity":"E№"}"#), ("c.records", "A::id:1:m№:x"),
    ("d.csv", "E№,1"),
  ])
  func `a file with more names than any model is refused`(name: String, line: String) throws {
    let folder = try TemporaryDirectory()
    let head = name == "d.csv" ? "entity,m\n" : ""
    let lines = head + (0...50_000).map { line.replacing("№", with: "\($0)") + "\n" }.joined()
    let path = try folder.write(Array(lines.utf8), to: name)
    let type = try #require(StoreTypes.builtIn.type(ofFileAt: path))
    #expect {
      _ = try type.model(path: path)
    } throws: { error in
      (error as? Diagnostics)?.all.map(\.code) == ["ATM-073"]
    }
  }

  @Test func `settings that say nothing about JSON lines are refused`() throws {
    let text = #"{"type":"json-lines","separator":";","header":true,"nullText":""}"#
    #expect {
      try TextStoreSettings.decode(Array(text.utf8), file: "s.json")
    } throws: { error in
      let found = (error as? Diagnostics)?.all ?? []
      return found.map(\.code) == ["ATM-017", "ATM-017", "ATM-017"]
        && found.allSatisfy { $0.location != nil }
    }
  }
}
