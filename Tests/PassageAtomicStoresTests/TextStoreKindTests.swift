import Foundation
import Passage
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// What is read of a file, and as what, whatever is in it.
struct TextStoreKindTests {
  private static let model = Model(
    name: "M", entities: [Entity(name: "A", attributes: [Attribute(name: "t", type: .string)])])

  private func load(_ text: String, _ name: String) throws -> [Value?] {
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: name)
    let found = StoreTypes.builtIn.type(ofFileAt: folder.path(name))
    let type = try #require(found as? any AtomicStoreType)
    let store = AtomicStore(type: type, location: folder.path(name), model: Self.model)
    try store.load()
    return store.cacheNodes.map { $0.values["t"] }
  }

  @Test(arguments: [
    ("a.csv", "entity,id,t\nA,1,a\u{0}b\n"), ("a.delimited", "entity,id,t\nA,1,a\u{0}b\n"),
    ("a.records", "A::id:1:t:a\u{0}b\n"), ("a.ndjson", #"{"id":1,"t":"a\u0000b"}"#),
  ])
  func `a text with a zero in it is not a reason to take the file for another`(
    name: String, text: String
  ) throws {
    #expect(try load(text, name) == ["a\u{0}b"])
  }

  @Test(arguments: [
    ("a.csv", "entity,id,t\nA,1,<database>\n"), ("a.records", "A::id:1:t:<database>\n"),
    ("a.jsonl", #"{"id":1,"t":"<database>"}"#),
  ])
  func `a value that looks like XML is not a reason to take the file for XML`(
    name: String, text: String
  ) throws {
    #expect(try load(text, name) == ["<database>"])
    let markup = "\u{FEFF} \n<!-- a --><database></database>"
    #expect(
      StoreTypes.builtIn.all.first {
        $0.recognizes(path: "a.xml", firstBytes: Array(markup.utf8))
      }?.name == "xml")
  }

  /// Marks before combining accents are marks for every other program.
  @Test func `metadata in an XML store can be read again, or are refused`() throws {
    let folder = try TemporaryDirectory()
    for (text, isHeld) in [
      ("a<\u{301}b &\u{301}amp; \"\u{301}>\u{301}", true), ("a\r\nb\r", true),
      ("a\u{1}b", false), ("a\u{FFFE}b", false),
    ] {
      let path = folder.path("a\(text.hashValue).sqlite")
      let store = try TestStore(model: Self.model, at: path)
      try store.insert("A", ["t": .text("x")])
      try store.close()
      try setMember("app", .string(text), ofStoreAt: path)
      let copy = folder.path("b\(text.hashValue).xml")
      let conversion = Conversion(model: Self.model)
      guard isHeld else {
        let error = try #require(conversion.failure(path, to: copy, as: "xml"))
        #expect(error.diagnostics.all.map(\.code) == ["ATM-015"])
        continue
      }
      try conversion.convert(path, to: copy, as: "xml")
      let back = folder.path("c\(text.hashValue).sqlite")
      try conversion.convert(copy, to: back, as: nil)
      let members = try StoreMetadata.read(path: back).appMembers
      #expect(members.first { $0.key == "app" }?.value == .string(text))
    }
  }

  private func setMember(
    _ key: String, _ value: PropertyList, ofStoreAt path: String
  ) throws {
    let metadata = StoreMetadata(
      storeUUID: try StoreMetadata.read(path: path).storeUUID,
      hashes: ModelHashes(model: Self.model), versionIdentifiers: [],
      appMembers: [PropertyList.Member(key, value)])
    try metadata.replace(on: Connection(path: path, mode: .readWrite))
  }

  @Test(arguments: ["a.csv", "a.records", "a.jsonl"])
  func `a database is one whatever it is called`(name: String) throws {
    let folder = try TemporaryDirectory()
    let store = try TestStore(model: Self.model, at: folder.path(name))
    try store.close()
    #expect(StoreTypes.builtIn.type(ofFileAt: folder.path(name)) == nil)
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\n\r"])
  func `records of every line ending are read, with empty lines among them`(end: String) throws {
    for (name, lines) in [
      ("a.csv", ["entity,id,t", "A,1,x", "", "A,2,y"]),
      ("a.records", ["A::id:1:t:x", "", "A::id:2:t:y"]),
      ("a.jsonl", [#"{"id":1,"t":"x"}"#, "", #"{"id":2,"t":"y"}"#]),
    ] {
      #expect(try load(lines.joined(separator: end), name) == ["x", "y"])
      #expect(try load((lines + [""]).joined(separator: end), name) == ["x", "y"])
    }
  }

  /// Where records have one field, an empty line is a record whose value is nil.
  @Test(arguments: ["\n", "\r\n", "\r"])
  func `an empty line of one column is an object`(end: String) throws {
    let lines = ["t", "x", "", "y", "", ""]
    #expect(
      try load(lines.joined(separator: end), "a.csv").map { $0 ?? .null } == [
        "x", .null, "y", .null,
      ])
    #expect(try load("t" + end, "a.csv") == [])
  }

  @Test(arguments: [
    ("<![CDATA[a<b&c]]>d", "a<b&cd"), ("x<![CDATA[]]>y", "xy"), ("<![CDATA[]] >é]]>", "]] >é"),
    ("a<!-- no -->b", "ab"),
  ])
  func `characters of an XML store count however they are written`(markup: String, text: String)
    throws
  {
    let file =
      "<?xml version=\"1.0\"?><database><object type=\"A\" id=\"z1\">"
      + "<attribute name=\"t\" type=\"string\">\(markup)</attribute></object></database>"
    #expect(try load(file, "a.xml") == [.text(text)])
  }
}
