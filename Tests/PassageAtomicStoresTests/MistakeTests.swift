import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// Every mistake in a file is reported with its code, line and column, and nothing is made of the file.
@Suite struct MistakeTests {
  private static let model = Model(
    name: "People",
    entities: [
      Entity(
        name: "Person",
        attributes: [
          Attribute(name: "first", type: .string), Attribute(name: "age", type: .integer16),
          Attribute(name: "nick", type: .string, isOptional: false),
          Attribute(name: "cost", type: .decimal),
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

  private static let head = "entity,id,first,nick,age,boss,staff,home\n"

  private static let xmlHead = "<?xml version=\"1.0\"?><!DOCTYPE database SYSTEM \"x\">"

  private static let cases: [(name: String, text: String, code: String, line: Int, column: Int)] = [
    ("a.csv", "entity,id,nick\nPerson,1,\"a\"b\n", "ATM-003", 2, 13),
    ("a.csv", "entity,id,nick\nPerson,1,a\"b\n", "ATM-003", 2, 11),
    // The quote of the first record is not closed; the next one, five lines on, would close it.
    (
      "a.csv",
      "entity,id,nick\nPerson,1,\"a\nPerson,2,b\nPerson,3,c\nPerson,4,d\nPerson,5,e\n"
        + "Person,6,\"f\"\n", "ATM-003", 2, 10
    ),
    ("a.csv", "entity,id,nick\nPerson,1,\"ab\n", "ATM-003", 2, 10),
    ("a.csv", head + "Person,1,x,n\n", "ATM-004", 2, 12),
    ("a.csv", head + "Person,1,x,n,1,,,,extra\n", "ATM-004", 2, 19),
    ("a.csv", "entity,id,nick\nPersom,1,n\n", "ATM-005", 2, 1),
    ("a.csv", "id,nick\n1,n\n", "ATM-005", 2, 1),
    ("a.csv", "entity,id,nikc\nPerson,1,n\n", "ATM-006", 1, 11),
    ("a.csv", "entity,id,nick\nHouse,1,n\n", "ATM-006", 2, 9),
    ("a.csv", "entity,id,nick,nick\n", "ATM-007", 1, 16),
    ("a.csv", "entity,id,nick\nPerson,,n\n", "ATM-008", 2, 1),
    ("a.csv", "entity,id,nick\nPerson,1,n\nPerson,1,m\n", "ATM-009", 3, 1),
    ("a.csv", "entity,id,nick\nHouse,1,\nCar,1,\n", "ATM-009", 3, 1),
    ("a.csv", head + "Person,1,é,n,40000,,,\n", "ATM-010", 2, 14),
    ("a.csv", head + "Person,1,x,,1,,,\n", "ATM-011", 2, 1),
    ("a.csv", head + "Person,1,x,n,1,7,,\n", "ATM-012", 2, 16),
    ("a.csv", "entity,id,nick,home\nPerson,1,n,2\nCar,2,,\n", "ATM-013", 2, 12),
    (
      "a.csv", "entity,id,nick,boss,staff\nPerson,1,n,,3\nPerson,2,n,,3\nPerson,3,n,1,\n",
      "ATM-014",
      3, 13
    ),
    ("a.csv", "entity,id\nThing,1\n", "ATM-022", 2, 1),
    ("a.records", "Person::id:1:nick:n\nPerson:id:2\n", "ATM-018", 2, 1),
    ("a.records", "Person::id:1:nick\n", "ATM-018", 1, 14),
    ("a.records", "Person::id:1:nick:a\\tb\n", "ATM-018", 1, 20),
    ("a.records", "Person::id:1:nick:n:nick:m\n", "ATM-007", 1, 26),
    ("a.records", "Person::nick:n\n", "ATM-008", 1, 1),
    ("a.xml", xmlHead + "<database>\n<object id=\"z1\"/></database>", "ATM-019", 2, 16),
    (
      "a.xml",
      xmlHead + "<database><object type=\"PERSON\" id=\"z1\">\n<attribute name=\"nikc\"/>"
        + "</object></database>", "ATM-006", 2, 23
    ),
    (
      "a.xml",
      xmlHead + "<database>\n<object type=\"HOUSE\" id=\"z1\"/>\n<object type=\"CAR\" id=\"z1\"/>"
        + "</database>", "ATM-009", 3, 27
    ),
    ("a.xml", xmlHead + "<database>\n<object type=\"HOUSE\"/></database>", "ATM-008", 2, 21),
    ("a.xml", xmlHead + "<database>\n<object", "MOD-103", 2, 8),
    (
      "a.xml",
      xmlHead + "<database><object type=\"HOUSE\" id=\"z1\">\n<object type=\"CAR\" id=\"z2\"/>"
        + "</object></database>", "ATM-019", 2, 27
    ),
    (
      "a.xml",
      xmlHead + "<database>\n<objects><object type=\"CAR\" id=\"z2\"/></objects></database>",
      "ATM-019", 2, 9
    ),
    (
      "a.xml",
      xmlHead + "<database>\n<object type=\"HOUSE\" id=\"z1\">lost</object></database>", "ATM-019",
      2, 29
    ),
    ("a.records", "House::id:1\rHouse::id:2:x\r", "ATM-018", 2, 13),
    ("a.csv", "entity,id\rHouse,1\rHouse,\r", "ATM-008", 3, 1),
  ]

  @Test(arguments: cases)
  func `the mistake is reported where it is`(
    _ name: String, _ text: String, _ code: String, _ line: Int, _ column: Int
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(text.utf8), to: name)
    let failure = Conversion(model: Self.model).failure(
      path, to: folder.path("out.sqlite"), as: nil)
    let error = try #require(failure)
    let found = try #require(error.diagnostics.all.first { $0.code == code }, "\(error)")
    #expect(found.location?.line == line && found.location?.column == column, "\(found)")
    #expect(!folder.names.contains("out.sqlite"))
  }

  /// An odd quote turns text into quotes and quotes into text: whatever is found behind it, the place
  /// where it is is named.
  @Test(arguments: ["", "\"f\"", "\"f", "\"f,\"\"\"", "\",\"", "x\",,\"y"])
  func `a quote that is not closed is named by its place`(end: String) throws {
    let folder = try TemporaryDirectory()
    let rows = (3...9).map { "Person,\($0),n\n" }.joined()
    let path = try folder.write(
      Array("entity,id,nick\nPerson,1,n\nPerson,2,\"a\n\(rows)Person,10,\(end)\n".utf8), to: "a.csv"
    )
    let error = try #require(
      Conversion(model: Self.model).failure(path, to: folder.path("out.sqlite"), as: nil))
    let first = try #require(error.diagnostics.all.first)
    #expect(
      first.location?.line == 3 && first.location?.column == 10
        || first.reason?.contains("begins at 3:10") == true, "\(error)")
  }

  @Test func `a quote that is open to the end of what memory holds is named by its place`() throws {
    let folder = try TemporaryDirectory()
    let rows = String(repeating: "Person,3,n\n", count: 400_000)
    let path = try folder.write(
      Array("entity,id,nick\nPerson,1,n\nPerson,2,\"a\n\(rows)".utf8), to: "a.csv")
    let types = StoreTypes(StoreTypes.builtIn.all, memoryBytes: 8 << 20)
    let error = try #require(throws: MigrationError.self) {
      try Conversion(model: Self.model).convert(
        path, to: folder.path("out.sqlite"), as: nil, types: types)
    }
    let found = try #require(error.diagnostics.all.first)
    #expect(found.code == "ATM-051")
    #expect(found.location?.line == 3 && found.location?.column == 10, "\(error)")
    // More memory would not help.
    #expect(found.remedy == "close the quote")
  }

  @Test func `bytes of another encoding are reported at each place`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      Array("entity,id,nick\nPerson,1,".utf8) + [0xE9, 0x0A] + Array("Person,2,".utf8) + [
        0xFF, 0x0A,
      ],
      to: "a.csv")
    let error = try #require(
      Conversion(model: Self.model).failure(path, to: folder.path("out.sqlite"), as: nil))
    #expect(error.diagnostics.all.map(\.code) == ["ATM-002", "ATM-002"])
    #expect(error.diagnostics.all.map(\.location?.line) == [2, 3])
    try folder.write(
      Array(#"{"type": "delimited", "encoding": "iso-8859-1"}"#.utf8), to: "a.csv.store.json")
    try Conversion(model: Self.model).convert(path, to: folder.path("out.sqlite"), as: nil)
    let made = try Conversion(model: Self.model).contents(folder.path("out.sqlite"))
    #expect(made["Person"].map { $0["nick"] } == ["é", "ÿ"])
  }

  @Test func `the first hundred mistakes are listed and the others counted`() throws {
    let folder = try TemporaryDirectory()
    let rows = (1...150).map { "Person,\($0),\n" }.joined()
    let path = try folder.write(Array(("entity,id,nick\n" + rows).utf8), to: "a.csv")
    let error = try #require(
      Conversion(model: Self.model).failure(path, to: folder.path("out.sqlite"), as: nil))
    #expect(error.diagnostics.all.count == 101)
    #expect(error.diagnostics.all.last?.code == "ATM-023")
    #expect(error.diagnostics.all.last?.message.contains("50 more") == true)
  }

  @Test func `an XML store of another model is refused`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.sqlite")
    try TestStore(model: Self.model, at: path).close()
    try Conversion(model: Self.model).convert(path, to: folder.path("a.xml"), as: "xml")
    var entities = Self.model.entities
    entities[1].versionHashModifier = "2"
    let other = Model(name: "People", entities: entities)
    let error = try #require(
      Conversion(model: other).failure(folder.path("a.xml"), to: folder.path("b.sqlite"), as: nil))
    #expect(error.diagnostics.all.map(\.code) == ["ATM-020"])
  }

  @Test func `names that differ in capitals only are not written as XML`() throws {
    let folder = try TemporaryDirectory()
    let model = Model(
      name: "M",
      entities: [
        Entity(
          name: "A",
          attributes: [
            Attribute(name: "ab", type: .string), Attribute(name: "aB", type: .string),
          ])
      ])
    let path = folder.path("a.sqlite")
    try TestStore(model: model, at: path).close()
    let error = try #require(
      Conversion(model: model).failure(path, to: folder.path("a.xml"), as: "xml"))
    #expect(error.diagnostics.all.map(\.code) == ["ATM-021"])
  }

  @Test func `a value that a type cannot hold is refused by name`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.sqlite")
    let store = try TestStore(model: Self.model, at: path)
    try store.insert("Person", ["nick": "", "first": "a,b", "age": 70_000])
    try store.insert("Person", ["nick": "same"])
    try store.insert("Person", ["nick": "same"])
    try store.close()
    try folder.write(
      Array(#"{"type": "delimited", "quoting": "none", "identifierColumn": "nick"}"#.utf8),
      to: "b.csv.store.json")
    let error = try #require(
      Conversion(model: Self.model).failure(path, to: folder.path("b.csv"), as: "delimited"))
    #expect(Set(error.diagnostics.all.map(\.code)) == ["ATM-015", "ATM-016"])
    #expect("\(error)".contains("Person 3"))
    // What was migrated is kept for the same command with other settings.
    #expect(folder.names == ["a.sqlite", "b.csv.passage", "b.csv.store.json"])
  }

  @Test func `identifiers that are not numbers are numbered in their order`() throws {
    let folder = try TemporaryDirectory()
    let text = "entity,id,nick,cost,boss\nPerson,b,B,1.23456789012345678901,a\nPerson,a,A,1,\n"
    let path = try folder.write(Array(text.utf8), to: "a.csv")
    let conversion = Conversion(model: Self.model)
    let report = try conversion.convert(path, to: folder.path("out.sqlite"), as: nil)
    #expect(Set(report.warnings.warnings.map(\.code)) == ["ATM-101", "ATM-102"])
    let made = try conversion.contents(folder.path("out.sqlite"))
    #expect(made["Person"].map { $0["nick"] } == ["A", "B"])
    #expect(made["Person"].map { $0.keys("boss") } == [[], [1]])
  }

  @Test func `an identifier that leaves no room for a key is told as one`() throws {
    let folder = try TemporaryDirectory()
    let text = "entity,id,nick\nPerson,1,A\nPerson,9223372036854775807,B\n"
    let path = try folder.write(Array(text.utf8), to: "a.csv")
    let error = try #require(
      Conversion(model: Self.model).failure(path, to: folder.path("out.sqlite"), as: nil))
    #expect(error.kind == .policyFailed)
    #expect(error.diagnostics.all.map(\.code) == ["RUN-092"])
    #expect(!"\(error)".contains("Z_PK"))
    #expect(folder.names == ["a.csv"])
  }

  @Test func `an attribute keeps the identifier`() throws {
    let folder = try TemporaryDirectory()
    let model = Model(
      name: "M",
      entities: [
        Entity(
          name: "A", attributes: [Attribute(name: "code", type: .string)],
          relationships: [Relationship(name: "next", destinationEntityName: "A")])
      ])
    let settings = Array(#"{"type": "delimited", "identifierColumn": "code"}"#.utf8)
    let text = "entity,code,next\nA,x 1,x 2\nA,x 2,\n"
    let path = try folder.write(Array(text.utf8), to: "a.csv")
    try folder.write(settings, to: "a.csv.store.json")
    try folder.write(settings, to: "b.csv.store.json")
    let conversion = Conversion(model: model)
    let report = try conversion.convert(path, to: folder.path("out.sqlite"), as: nil)
    #expect(report.warnings.warnings.isEmpty)
    try conversion.convert(folder.path("out.sqlite"), to: folder.path("b.csv"), as: "delimited")
    #expect(folder.contents("b.csv") == Array(text.utf8))
  }

  @Test func `wrong settings are reported with their places`() throws {
    let text = """
      {"type": "delimited", "separator": "ab", "quote": "\\n", "header": false,
       "entities": {"A": {"columns": ["x", "x"]}}, "dates": "ISO"}
      """
    #expect {
      try TextStoreSettings.decode(Array(text.utf8), file: "s.json")
    } throws: { error in
      let found = (error as? Diagnostics)?.all ?? []
      return found.count == 5 && found.allSatisfy { $0.code == "ATM-017" && $0.location != nil }
    }
  }

  @Test func `a member that settings lack or do not know is told in a sentence`() throws {
    let error = try #require(throws: Diagnostics.self) {
      try TextStoreSettings.decode(Array(#"{"typ": "delimited"}"#.utf8), file: "s.json")
    }
    #expect(
      error.all.map(\.message) == [
        "the settings file has no member “typ”", "the settings file needs the member “type”",
      ])
  }
}
