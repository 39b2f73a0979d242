import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The danger that texts are confused which Swift takes for equal: é as one scalar, and as a letter and an accent.
@Suite struct TextFormTests {
  static let forms = ["\u{E9}", "e\u{301}"]

  private static let model = Model(
    name: "People",
    entities: [
      Entity(
        name: "Person", attributes: [Attribute(name: "nick", type: .string)],
        relationships: [Relationship(name: "boss", destinationEntityName: "Person")])
    ])

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  // MARK: Values

  @Test(arguments: [
    ("a.csv", "entity,id,nick,boss\nPerson,\u{E9},one,\nPerson,e\u{301},two,\u{E9}\n"),
    ("a.records", "Person::id:\u{E9}:nick:one\nPerson::id:e\u{301}:nick:two:boss:\u{E9}\n"),
    (
      "a.jsonl",
      """
      {"entity":"Person","id":"\u{E9}","nick":"one"}
      {"entity":"Person","id":"e\u{301}","nick":"two","boss":"\u{E9}"}
      """
    ),
    (
      "a.xml",
      """
      <?xml version="1.0"?><!DOCTYPE database SYSTEM "x"><database>
      <object type="PERSON" id="\u{E9}"><attribute name="nick">one</attribute></object>
      <object type="PERSON" id="e\u{301}"><attribute name="nick">two</attribute>
      <relationship name="boss" idrefs="\u{E9}"/></object></database>
      """
    ),
  ])
  func `identifiers are the same if their bytes are`(name: String, text: String) throws {
    let path = try folder.write(Array(text.utf8), to: name)
    let conversion = Conversion(model: Self.model)
    try conversion.convert(path, to: folder.path("out.sqlite"), as: nil)
    let people = try conversion.contents(folder.path("out.sqlite"))["Person"]
    let one = try #require(people.first { $0["nick"] == "one" })
    let two = try #require(people.first { $0["nick"] == "two" })
    #expect(people.count == 2)
    #expect(two.keys("boss") == [one.key])
  }

  @Test func `the text for nil, true and false is that of the settings, byte for byte`() throws {
    let path = try folder.write(Array("id,a,b\n1,\u{E9},e\u{301}\n".utf8), to: "Note.csv")
    try folder.write(
      Array("{\"type\": \"delimited\", \"nullText\": \"\u{E9}\"}".utf8), to: "Note.csv.store.json")
    let conversion = Conversion(model: try ModelFile.read(path: path))
    try conversion.convert(path, to: folder.path("out.sqlite"), as: nil)
    let note = try #require(try conversion.contents(folder.path("out.sqlite"))["Note"].first)
    #expect(note["a"] == .null)
    #expect(note["b"] == "e\u{301}")
  }

  // MARK: Names

  /// A file whose model is read from itself, and what is said of a name in it.
  @Test(arguments: [
    ("Note.csv", "id,title,title\n1,x,y\n", "the column “title” occurs twice"),
    (
      "Note.csv", "id,\u{E9},e\u{301}\n1,x,y\n",
      "the column “e\u{301}” occurs twice, made of different characters"
    ),
    (
      "Note.jsonl", #"{"entity":"Note","id":1,"a":"x","a":"y"}"#, "the member “a” occurs twice"
    ),
    (
      "Note.jsonl", "{\"entity\":\"Note\",\"id\":1,\"\u{E9}\":\"x\",\"e\u{301}\":\"y\"}",
      "the member “e\u{301}” occurs twice, made of different characters"
    ),
    ("Note.records", "Note::id:1:a:x:a:y\n", "the key “a” occurs twice"),
  ])
  func `a name that occurs twice is found where the model is read`(
    name: String, text: String, message: String
  ) throws {
    let path = try folder.write(Array(text.utf8), to: name)
    let error = #expect(throws: Diagnostics.self) { try ModelFile.read(path: path) }
    let mistakes = try #require(error).all
    #expect(mistakes.map(\.code) == ["ATM-007"])
    #expect(mistakes.map(\.message) == [message])
    let isOneName = message.contains("different")
    #expect(mistakes.allSatisfy { ($0.reason?.contains("normalization") == true) == isOneName })
  }

  @Test func `a line that names a member twice does not keep the others from being read`() throws {
    let path = try folder.write(
      Array(
        """
        {"entity":"Note","id":1,"a":"x","a":"y"}
        {"entity":"Note","id":2,"a":"z"}
        """.utf8), to: "Note.jsonl")
    let conversion = Conversion(model: try ModelFile.read(path: path))
    try conversion.convert(
      path, to: folder.path("out.sqlite"), as: nil, maximumQuarantined: 1)
    #expect(try conversion.contents(folder.path("out.sqlite"))["Note"].map { $0["a"] } == ["z"])
  }
}
