import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageTesting
import TestSupport
import Testing

/// The danger that many wrong names keep a reader busy, which looks for what was meant, or that a part of a
/// composite type is read again for each attribute.
@Suite(.serialized) struct ManyWrongNamesTests {
  private static func codes(_ xml: String) -> Set<String> {
    do {
      return Set(
        try XcodeModelReader.read(Array(xml.utf8), name: "M", file: "contents").remarks.all
          .map(\.code))
    } catch {
      return Set(error.all.map(\.code))
    }
  }

  private static func composites(_ count: Int, type: (Int) -> String) -> String {
    (0..<count).map {
      "<attribute name=\"a\($0)\" attributeType=\"Composite\" compositeName=\"\(type($0))\"/>"
    }.joined()
  }

  @Test func `composite types that do not exist`() {
    let types = (0..<6_000).map { "<compositeAttribute name=\"CompositeType\($0)\"/>" }.joined()
    let attributes = Self.composites(6_000) { "CompositeTipe\($0)" }
    var found: Set<String> = []
    let seconds = HangGuard.seconds {
      found = Self.codes("<model>\(types)<entity name=\"E\">\(attributes)</entity></model>")
    }
    #expect(found.contains("MOD-109"))
    #expect(seconds < HangGuard.bound)
  }

  /// What is no attribute of the type, or is in one of its attributes, is read each time too.
  @Test(arguments: [
    "<junk/>", "<attribute name=\"x\" attributeType=\"String\">*</attribute>",
    "<attribute name=\"x\" attributeType=\"Composite\">*</attribute>",
    "<attribute name=\"x\" attributeType=\"String\"><userInfo>*</userInfo></attribute>",
  ])
  func `parts of a composite type that are no attributes`(part: String) {
    let entry = "<entry key=\"k\" value=\"v\"/>"
    let many = String(repeating: part.contains("*") ? entry : part, count: 20_000)
    let inside = part.contains("*") ? part.replacing("*", with: many) : many
    let attributes = Self.composites(6_000) { _ in "T" }
    var found: Set<String> = []
    let seconds = HangGuard.seconds {
      found = Self.codes(
        "<model><compositeAttribute name=\"T\">\(inside)</compositeAttribute>"
          + "<entity name=\"E\">\(attributes)</entity></model>")
    }
    #expect(found.contains("MOD-106"))
    #expect(seconds < HangGuard.bound)
  }

  @Test func `hashes of entities that do not exist`() throws {
    let model = Model(
      name: "Notes",
      entities: (0..<4_000).map {
        Entity(name: "EntityOfNotes\($0)", attributes: [Attribute(name: "a", type: .string)])
      })
    let folder = try TemporaryDirectory()
    let path = try folder.write(ModelDocument.encode(model), to: "Notes.json")
    let hash = Data(repeating: 9, count: 32).base64EncodedString()
    let hashes = (0..<4_000).map { "\"EntityOfNodes\($0)\": \"\(hash)\"" }
    try folder.write(
      "{\"versions\": {\"Notes\": {\(hashes.joined(separator: ", "))}}}",
      to: "Notes.json.lock.json")
    let seconds = HangGuard.seconds {
      let error = #expect(throws: Diagnostics.self) { try ModelFile.load(path: path) }
      #expect(error?.all.first?.code == "MOD-131")
      #expect(error?.errorCount == 4_000)
    }
    #expect(seconds < HangGuard.bound)
  }
}
