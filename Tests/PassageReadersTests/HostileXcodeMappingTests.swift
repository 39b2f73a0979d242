import Foundation
import PassageDiagnostics
import PassageMappings
import PassageModels
import PassageReaders
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Mapping models that are damaged, or made to do harm.
struct HostileXcodeMappingTests {
  private typealias File = XcodeMappingFile

  private static func whole() -> XcodeMappingFile {
    var file = XcodeMappingFile()
    file.map(
      "Maker", "Maker", number: 1,
      attributes: [("name", [XcodeMappingFile.expression { $0.constant(.integer(1)) }])],
      relationships: [("items", [])])
    return file
  }

  private func refusal(_ text: String) -> Diagnostics? {
    #expect(throws: Diagnostics.self) {
      try XcodeMappingReader.read(
        Array(text.utf8), name: "M", file: "M.xml", source: ShopModels.first,
        destination: ShopModels.second)
    }
  }

  @Test(arguments: [
    ("<database>", "<data>", "MOD-103"),
    ("XDDEVMAPPINGMODEL\" id", "XDDEVOTHER\" id", "IMP-002"),
    ("id=\"z103\"", "id=\"z102\"", "IMP-003"), ("id=\"z102\"", "", "IMP-003"),
    ("object type=\"XDDEVENTITYMAPPING\"", "object", "IMP-003"),
    ("<attribute name=\"sourcename\"", "<attribute", "IMP-003"),
    ("\"sourcename\"", "\"destinationname\"", "IMP-003"),
    ("name=\"name\" type=\"string\">name", "name=\"nome\" type=\"string\">name", "IMP-003"),
    ("idrefs=\"z102\"", "idrefs=\"z1020\"", "IMP-004"),
    ("idrefs=\"z102\"", "idrefs=\"z103\"", "IMP-004"),
    ("idrefs=\"z102\"", "idrefs=\"z104\"", "IMP-004"),
    ("idrefs=\"z104\"", "idrefs=\"z101\"", "IMP-004"),
    ("int16\">1<", "string\">1<", "IMP-005"), ("int16\">1<", "int16\">99999<", "IMP-005"),
    ("binary\">", "binary\">*", "IMP-005"),
    ("binary\">", "binary\">YnBsaXN0MDAA", "IMP-006"),
    (">Maker<", "><", "IMP-008"),
  ])
  func `a mistake is reported with its place`(_ old: String, _ new: String, _ code: String) throws {
    let text = Self.whole().xml
    #expect(text.contains(old))
    let found = try #require(refusal(text.replacing(old, with: new)))
    #expect(found.errors.first?.code == code, "\(found)")
    #expect(found.errors.first?.location?.file == "M.xml")
    if code != "IMP-002" { #expect(found.errors.first?.location?.line != nil) }
  }

  @Test func `another XML file is distinguished`() {
    #expect(refusal("<model/>")?.errors.map(\.code) == ["IMP-002"])
    #expect(refusal("<database/>")?.errors.map(\.code) == ["IMP-002"])
    #expect(refusal("no XML")?.errors.map(\.code) == ["MOD-103"])
    #expect(refusal("")?.errors.map(\.code) == ["MOD-103"])
  }

  @Test func `a property mapping that belongs to two is refused`() {
    var file = Self.whole()
    file.map("Note", nil, number: 2)
    let text = file.xml.replacing(
      "XDDEVATTRIBUTEMAPPING\" idrefs=\"\"", with: "XDDEVATTRIBUTEMAPPING\" idrefs=\"z102\"")
    #expect(refusal(text)?.errors.map(\.code) == ["IMP-004"])
  }

  @Test func `a name of an entity mapping that messages cannot repeat is refused, not cut`() {
    var file = File()
    file.map(
      "Maker", "Maker", number: 1,
      [File.text("name", String(repeating: "n", count: 1_500))])
    #expect(refusal(file.xml)?.errors.contains { $0.code == "IMP-003" } == true)
  }

  @Test func `an expression that is not one is reported with its line`() throws {
    var file = File()
    var builder = ArchiveBuilder()
    let root = builder.add("NSTask", [("launchPath", builder.text("/bin/true"))])
    let bytes = File.bytes("valueexpressiondata", builder.archive(root: root))
    file.map("Maker", "Maker", number: 1, attributes: [("name", [bytes])])
    let found = try #require(refusal(file.xml))
    #expect(found.errors.map(\.code) == ["IMP-006"])
    #expect(found.errors.first?.reason?.contains("NSTask") == true)
    let line = file.xml.split(separator: "\n", omittingEmptySubsequences: false)
      .firstIndex { $0.contains("valueexpressiondata") }
    #expect(found.errors.first?.location?.line == line.map { $0 + 1 })
  }

  @Test func `an expression that cannot be written is refused`() {
    var file = File()
    // Deeper than a text may be.
    let odd = File.expression { maker in
      (0..<55).reduce(maker.variable("source")) { operand, _ in
        maker.call("f:", on: maker.variable("entityPolicy"), [operand])
      }
    }
    file.map("Maker", "Maker", number: 1, attributes: [("name", [odd])])
    #expect(refusal(file.xml)?.errors.map(\.code) == ["IMP-010"])
  }

  @Test(.timeLimit(.minutes(15)))
  func `expressions that together expand without end are refused`() throws {
    // Each doubles 15 times: 30,000 calls in some hundred bytes.
    let shared = File.expression { maker in
      (0..<15).reduce(maker.variable("source")) { operand, _ in
        maker.call("f:g:", on: maker.variable("entityPolicy"), [operand, operand])
      }
    }
    var file = File()
    file.map("Maker", "Maker", number: 1, attributes: (0..<60).map { ("a\($0)", [shared]) })
    let found = refusal(file.xml)
    #expect(found?.errors.allSatisfy { $0.code == "IMP-006" || $0.code == "IMP-010" } == true)
    #expect(found?.errors.contains { $0.reason?.contains("too many objects") == true } == true)
  }

  @Test func `entities are neither expanded nor fetched`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array("secret".utf8), to: "secret.txt")
    try folder.write(
      Array("<!ENTITY outside \"fetched\">".utf8), to: "outside.dtd")
    let bomb = (1...20).map { level in
      let inner = level == 1 ? "lol" : String(repeating: "&l\(level - 1);", count: 10)
      return "<!ENTITY l\(level) \"\(inner)\">"
    }.joined()
    for (declaration, use) in [
      ("SYSTEM \"file://\(folder.path("outside.dtd"))\"", "&outside;"),
      ("[<!ENTITY file SYSTEM \"file://\(folder.path("secret.txt"))\">]", "&file;"),
      ("[\(bomb)]", "&l20;"), ("[<!ENTITY a \"&a;\">]", "&a;"),
      ("[<!ENTITY % p SYSTEM \"file://\(folder.path("outside.dtd"))\"> %p;]", "&outside;"),
      ("[<!ENTITY small \"Maker\">]", "&small;"),
    ] {
      let text = Self.whole().xml
        .replacing("SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\"", with: declaration)
        .replacing(">Maker<", with: ">\(use)<")
      var found: Diagnostics?
      let seconds = HangGuard.seconds { found = refusal(text) }
      #expect(found?.hasErrors == true, "\(declaration.prefix(60))")
      #expect("\(String(describing: found))".contains("secret\n") == false)
      #expect(seconds < HangGuard.bound)
    }
  }

  @Test(arguments: [Array("id".utf8), Array("Maker".utf8)])
  func `bytes that are no text are refused wherever they occur`(_ place: [UInt8]) throws {
    var bytes = Array(Self.whole().xml.utf8)
    let position = try #require(
      bytes.indices.first { bytes[$0...].starts(with: place) && bytes[$0 - 1] != UInt8(ascii: "/") }
    )
    bytes.replaceSubrange(position..<(position + 1), with: [0xDF, 0xFF, 0xFF])
    let error = #expect(throws: Diagnostics.self) {
      try XcodeMappingReader.read(bytes, name: "M", file: "M.xml")
    }
    #expect(error?.errors.map(\.code) == ["MOD-103"])
  }

  @Test func `elements nested without end are refused`() {
    let deep = String(repeating: "<object>", count: 100_000)
    #expect(refusal("<database>\(deep)")?.errors.map(\.code) == ["MOD-106"])
  }

  @Test func `a mistake in every object ends soon`() throws {
    let objects = String(repeating: "<object id=\"z1\"/>\n", count: 50_000)
    let found = try #require(refusal("<database>\(objects)</database>"))
    #expect(found.all.count < 200)
  }

  @Test func `a file that is cut off anywhere is refused`() {
    let bytes = Array(Self.whole().xml.utf8)
    for count in stride(from: 0, to: bytes.count - 12, by: 7) {
      #expect(throws: Diagnostics.self) {
        try XcodeMappingReader.read(Array(bytes.prefix(count)), name: "M", file: "M.xml")
      }
    }
  }

  @Test func `a missing folder and an empty one are distinguished`() throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.path("A.xcmappingmodel"), withIntermediateDirectories: true)
    for name in ["A.xcmappingmodel", "B.xcmappingmodel"] {
      let error = #expect(throws: Diagnostics.self) {
        try XcodeMappingReader.read(path: folder.path(name))
      }
      #expect(error?.errors.map(\.code) == ["IMP-001"])
    }
  }

  @Test func `a bundle is named after its folder`() throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.path("Shop 1 to 2.xcmappingmodel"), withIntermediateDirectories: true)
    try folder.write(
      Array(Self.whole().xml.utf8), to: "Shop 1 to 2.xcmappingmodel/xcmapping.xml")
    for path in ["Shop 1 to 2.xcmappingmodel", "Shop 1 to 2.xcmappingmodel/xcmapping.xml"] {
      #expect(XcodeMappingReader.recognizes(path: folder.path(path)))
      #expect(try XcodeMappingReader.read(path: folder.path(path)).mapping.name == "Shop 1 to 2")
    }
  }
}
