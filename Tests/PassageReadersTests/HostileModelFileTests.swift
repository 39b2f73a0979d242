import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageTesting
import TestSupport
import Testing

/// Files made to harm: each must give an error, soon, and nothing else.
@Suite(.timeLimit(.minutes(15)))
struct HostileModelFileTests {
  private func codes(_ xml: String) -> [String] {
    do {
      return try XcodeModelReader.read(Array(xml.utf8), name: "M", file: "contents")
        .remarks.all.map(\.code)
    } catch {
      return error.all.map(\.code)
    }
  }

  @Test(arguments: [
    "", "<", "<model>", "<model><entity></model>", "plain text", "\u{0}",
    "<model a=\"1\" a=\"2\"/>",
    "<model/><model/>", "<model>&undefined;</model>", "bplist00",
  ])
  func `a text that is not XML is one error`(_ text: String) {
    #expect(codes(text) == ["MOD-103"])
  }

  @Test func `an XML file of another kind is not a model`() {
    #expect(codes("<html><body/></html>") == ["MOD-107"])
  }

  @Test func `an element with too many attributes is refused before it is parsed`() {
    func element(_ count: Int) -> String {
      "<html " + (0..<count).map { "a\($0)='\"'" }.joined(separator: " ") + "/>"
    }
    #expect(codes(element(1_000_000)) == ["MOD-106"])
    #expect(codes(element(2_001)) == ["MOD-106"])
    #expect(codes(element(2_000)) == ["MOD-107"])
    let quotes = String(repeating: "'\"", count: 5_000)
    #expect(codes("<!-- \(quotes) --><html>\(quotes)</html>") == ["MOD-107"])
  }

  @Test func `elements nested without end are refused`() {
    let deep = "<model>" + String(repeating: "<userInfo>", count: 100_000)
    #expect(codes(deep) == ["MOD-106"])
  }

  @Test func `entities that grow without end are refused`() {
    var text = "<!DOCTYPE model [<!ENTITY a0 \"aaaaaaaaaa\">"
    for level in 1...9 {
      let reference = String(repeating: "&a\(level - 1);", count: 10)
      text += "<!ENTITY a\(level) \"\(reference)\">"
    }
    text += "]><model userDefinedModelVersionIdentifier=\"&a9;\"><entity name=\"E\"/></model>"
    #expect(codes(text) == ["MOD-103"])
  }

  @Test(
    arguments: ["model", "model SYSTEM 'a>\"['", "model PUBLIC \"it's\" '<'"],
    [
      "<!ATTLIST e a CDATA \"v\">", "<!ELEMENT e ANY>", "<!NOTATION n SYSTEM \"n\">",
      "<!ENTITY a \"b\">", "", "<!-- > -->",
    ])
  func `a document type with declarations of its own is refused`(
    name: String, declarations: String
  ) {
    let text = "<?xml version=\"1.0\"?><!DOCTYPE \(name) [\(declarations)]><model><e/></model>"
    let error = #expect(throws: Diagnostics.self) {
      try XcodeModelReader.read(Array(text.utf8), name: "M", file: "contents")
    }
    #expect(error?.all.map(\.code) == ["MOD-103"])
    #expect(error?.all.first?.reason == "its document type has declarations of its own")
  }

  /// Each element would take the memory of all attributes.
  @Test func `default attributes of many elements are refused before they are made`() {
    let attributes = (0..<1_000).map { "a\($0) CDATA 'v'" }.joined(separator: " ")
    let elements = String(repeating: "<e/>", count: 20_000)
    #expect(
      codes("<!DOCTYPE model [<!ATTLIST e \(attributes)>]><model>\(elements)</model>")
        == ["MOD-103"])
  }

  @Test(arguments: [
    "html", "html SYSTEM \"[\"", "html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" 'https://a.example/[>'",
  ])
  func `a document type without declarations is accepted`(_ name: String) {
    #expect(codes("<!DOCTYPE \(name)><html>[</html>") == ["MOD-107"])
  }

  /// A file with a hole: to read all of it would take longer than anybody waits.
  @Test func `a file of any size is recognised by its beginning`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("no model", to: "large.bin")
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    let error = #expect(throws: Diagnostics.self) { try ModelFile.load(path: path) }
    #expect(error?.all.map(\.code) == ["MOD-101"])
  }

  @Test func `other files are never read`() throws {
    let folder = try TemporaryDirectory()
    let secret = try folder.write("secret", to: "secret.txt")
    let text = """
      <!DOCTYPE model [<!ENTITY x SYSTEM "file://\(secret)">]>
      <model><entity name="E"><userInfo><entry key="k" value="v"/>&x;</userInfo></entity></model>
      """
    let model = try? XcodeModelReader.read(Array(text.utf8), name: "M", file: "contents").model
    #expect(!(model.map { "\($0)".contains("secret") } ?? false))
  }

  @Test func `composite types that hold each other are refused`() {
    let attributes = (0..<10).map {
      "<attribute name=\"a\($0)\" attributeType=\"Composite\" compositeName=\"T\"/>"
    }.joined()
    let found = codes(
      """
      <model><compositeAttribute name="T">\(attributes)</compositeAttribute>
      <entity name="E">
        <attribute name="a" attributeType="Composite" compositeName="T"/></entity></model>
      """)
    #expect(found.contains("MOD-106"))
  }

  private static let endlessName = String(repeating: "a", count: 100_000)

  /// Messages about a property repeat the name of its entity.
  @Test func `a name without end is refused, and not repeated`() throws {
    let attribute = "<attribute name=\"x y\" attributeType=\"String\"/>"
    let attributes = String(repeating: attribute, count: 100)
    let text = "<model><entity name=\"\(Self.endlessName)\">\(attributes)</entity></model>"
    let error = #expect(throws: Diagnostics.self) {
      try XcodeModelReader.read(Array(text.utf8), name: "M", file: "contents")
    }
    let found = try #require(error).all
    #expect(
      found.contains {
        $0.code == "MOD-010" && $0.message == "an entity has a name of more than 1000 bytes"
      })
    #expect(found.allSatisfy { $0.message.utf8.count < 2_000 })
  }

  @Test func `a name without end in JSON is refused, and not repeated`() throws {
    let attributes = Array(repeating: #"{"name": "x y", "type": "?"}"#, count: 100)
      .joined(separator: ",")
    let entity = #"{"name": "\#(Self.endlessName)", "attributes": [\#(attributes)]}"#
    let text = #"{"name": "m", "entities": [\#(entity)]}"#
    let error = #expect(throws: Diagnostics.self) {
      try ModelDocument.read(Array(text.utf8), file: "m.json")
    }
    let found = try #require(error).all
    #expect(found.count >= 100)
    #expect(found.allSatisfy { $0.message.utf8.count < 2_000 })
  }

  @Test func `many entities are read in bounded time`() throws {
    let entities = (0..<20_000).map {
      "<entity name=\"E\($0)\"><attribute name=\"a\" attributeType=\"String\"/></entity>"
    }.joined()
    let read = try XcodeModelReader.read(
      Array("<model>\(entities)</model>".utf8), name: "M", file: "contents")
    #expect(read.model.entities.count == 20_000)
  }
}
