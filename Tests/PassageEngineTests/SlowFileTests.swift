import Foundation
import Passage
import PassageEngine
import PassageMappings
import PassageProjects
import PassageReaders
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The danger that a file keeps its reader busy without end: every reader, with what is worst for it.
@Suite(.serialized) struct SlowFileTests {
  /// A file that somebody made to be slow to read.
  struct Hostile: CustomTestStringConvertible, Sendable {
    let name: String
    let size: Int
    /// Reads a file of n parts; mistakes in it are what is wanted, too.
    let read: @Sendable (Int) throws -> Void

    var testDescription: String { name }
  }

  /// Numbers of one length: a longer name is more to compare.
  private static func number(_ index: Int) -> Int { 1_000_000 + index }

  private static func list(_ count: Int, _ part: (Int) -> String) -> String {
    (0..<count).map(part).joined(separator: ",")
  }

  private static func model(_ entities: String) -> [UInt8] {
    Array("{\"name\":\"m\",\"entities\":[\(entities)]}".utf8)
  }

  private static func json(
    _ name: String, _ size: Int, _ entities: @escaping @Sendable (Int) -> String
  ) -> Hostile {
    Hostile(name: "model: \(name)", size: size) { n in
      let read = try? ModelDocument.read(model(entities(n)), file: "m.json")
      _ = read.map { (StoreLayout(model: $0.model), $0.model.versionHashes) }
    }
  }

  private static let models: [Hostile] = [
    json("unknown members", 32_000) { "{\"name\":\"A\",\(list($0) { "\"x\(number($0))\":1" })}" },
    json("wrong words", 32_000) {
      "{\"name\":\"A\",\"attributes\":[\(list($0) { "{\"name\":\"a\($0)\",\"type\":\"strng\"}" })]}"
    },
    json("attributes", 32_000) {
      "{\"name\":\"A\",\"attributes\":[\(list($0) { "{\"name\":\"a\($0)\",\"type\":\"string\"}" })]}"
    },
    json("a name that stands many times", 32_000) {
      "{\"name\":\"A\",\"attributes\":[\(list($0) { _ in "{\"name\":\"a\",\"type\":\"string\"}" })]}"
    },
    json("entities", 12_800) { list($0) { "{\"name\":\"A\($0)\"}" } },
    json("entities of one parent", 12_800) {
      "{\"name\":\"R\"}," + list($0) { "{\"name\":\"A\($0)\",\"parent\":\"R\"}" }
    },
    json("relationships that are their own inverses", 12_800) {
      let parts = list($0) { "{\"name\":\"r\($0)\",\"destination\":\"A\",\"inverse\":\"r\($0)\"}" }
      return "{\"name\":\"A\",\"relationships\":[\(parts)]}"
    },
    json("relationships to nowhere", 12_800) {
      let parts = list($0) { "{\"name\":\"r\($0)\",\"destination\":\"B\($0)\"}" }
      return "{\"name\":\"A\",\"relationships\":[\(parts)]}"
    },
    json("inverses that are missing", 12_800) {
      let parts = list($0) { "{\"name\":\"r\($0)\",\"destination\":\"A\",\"inverse\":\"x\($0)\"}" }
      return "{\"name\":\"A\",\"relationships\":[\(parts)]}"
    },
    json("many-to-many relationships", 6_400) {
      let there = list($0) {
        "{\"name\":\"r\($0)\",\"destination\":\"B\",\"inverse\":\"s\($0)\",\"toMany\":true}"
      }
      let back = list($0) {
        "{\"name\":\"s\($0)\",\"destination\":\"A\",\"inverse\":\"r\($0)\",\"toMany\":true}"
      }
      return
        "{\"name\":\"A\",\"relationships\":[\(there)]},{\"name\":\"B\",\"relationships\":[\(back)]}"
    },
    json("indexes", 12_800) {
      let parts = list($0) {
        "{\"name\":\"i\($0)\",\"elements\":[{\"property\":\"a\"}]}"
      }
      return
        "{\"name\":\"A\",\"attributes\":[{\"name\":\"a\",\"type\":\"string\"}],\"indexes\":[\(parts)]}"
    },
    json("user info", 32_000) {
      "{\"name\":\"A\",\"userInfo\":{\(list($0) { "\"k\($0)\":\"v\"" })}}"
    },
    json("uniqueness constraints of nothing", 12_800) {
      "{\"name\":\"A\",\"uniquenessConstraints\":[\(list($0) { "[\"x\($0)\"]" })]}"
    },
  ]

  private static func xml(
    _ name: String, _ size: Int, _ body: @escaping @Sendable (Int) -> String
  ) -> Hostile {
    Hostile(name: "Xcode model: \(name)", size: size) { n in
      let text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">"
        + body(n) + "</model>"
      let folder = try TemporaryDirectory()
      try FileManager.default.createDirectory(
        atPath: folder.path("m.xcdatamodel"), withIntermediateDirectories: true)
      try folder.write(Array(text.utf8), to: "m.xcdatamodel/contents")
      _ = try? ModelFile.load(path: folder.path("m.xcdatamodel"))
    }
  }

  private static func many(_ count: Int, _ part: (Int) -> String) -> String {
    (0..<count).map(part).joined(separator: "\n")
  }

  private static let xcodeModels: [Hostile] = [
    xml("attributes of one element", 32_000) {
      "<entity name=\"A\" \(many($0) { "x\($0)=\"1\"" })/>"
    },
    xml("wrong types", 12_800) {
      "<entity name=\"A\">"
        + many($0) { "<attribute name=\"a\($0)\" attributeType=\"Strong\"/>" } + "</entity>"
    },
    xml("unknown elements", 12_800) { many($0) { "<thing\($0)/>" } },
    xml("entities", 12_800) { many($0) { "<entity name=\"A\($0)\"/>" } },
    xml("long text in small parts", 128_000) {
      "<entity name=\"A\">" + many($0) { _ in "&amp;x" } + "</entity>"
    },
    xml("user info", 12_800) {
      "<entity name=\"A\"><userInfo>" + many($0) { "<entry key=\"k\($0)\" value=\"v\"/>" }
        + "</userInfo></entity>"
    },
    xml("fetch indexes", 12_800) {
      "<entity name=\"A\"><attribute name=\"a\" attributeType=\"String\"/>"
        + many($0) {
          "<fetchIndex name=\"i\($0)\"><fetchIndexElement property=\"a\" type=\"Binary\" "
            + "order=\"ascending\"/></fetchIndex>"
        } + "</entity>"
    },
  ]

  private static let notes: Model = {
    var note = Entity(
      name: "Note",
      attributes: [
        Attribute(name: "text", type: .string), Attribute(name: "size", type: .integer64),
      ])
    note.relationships = [
      Relationship(name: "next", destinationEntityName: "Note", inverseName: "previous"),
      Relationship(name: "previous", destinationEntityName: "Note", inverseName: "next"),
    ]
    return Model(name: "1", entities: [note])
  }()

  private static func mapping(
    _ name: String, _ size: Int, _ entityMappings: @escaping @Sendable (Int) -> String
  ) -> Hostile {
    Hostile(name: "mapping model: \(name)", size: size) { n in
      let text =
        "{\"name\":\"S\",\"source\":\"1\",\"destination\":\"1\",\"entityMappings\":[\(entityMappings(n))]}"
      guard let mapping = try? MappingDocument.decode(Array(text.utf8), file: "S.json") else {
        return
      }
      _ = MappingChecker.check(mapping, source: notes, destination: notes, policies: [])
    }
  }

  private static let mappings: [Hostile] = [
    mapping("unknown members", 32_000) {
      "{\"type\":\"copy\",\"source\":\"Note\",\"destination\":\"Note\",\(list($0) { "\"x\(number($0))\":1" })}"
    },
    mapping("unknown entities", 12_800) {
      list($0) {
        "{\"type\":\"copy\",\"source\":\"Not\($0)\",\"destination\":\"Nota\($0)\",\"name\":\"m\($0)\"}"
      }
    },
    mapping("copies of one entity", 6_400) {
      list($0) {
        "{\"type\":\"copy\",\"source\":\"Note\",\"destination\":\"Note\",\"name\":\"m\($0)\"}"
      }
    },
    mapping("unknown properties", 12_800) {
      "{\"type\":\"transform\",\"source\":\"Note\",\"destination\":\"Note\",\"attributes\":{"
        + list($0) { "\"x\($0)\":\"$source.text\"" } + "}}"
    },
    mapping("unknown names in expressions", 6_400) {
      list($0) {
        "{\"type\":\"transform\",\"source\":\"Note\",\"destination\":\"Note\",\"name\":\"m\($0)\","
          + "\"attributes\":{\"text\":\"$source.txet\($0)\"}}"
      }
    },
  ]

  private static func predicate(
    _ name: String, _ size: Int, _ text: @escaping @Sendable (Int) -> String
  ) -> Hostile {
    Hostile(name: "filter: \(name)", size: size) { n in
      guard let predicate = try? FormatParser.predicate(text(n), at: nil),
        let entity = notes.entity(named: "Note")
      else { return }
      _ = try? Binder.predicate(
        predicate, in: BindingScope.filter(model: notes, entity: entity), at: nil)
    }
  }

  private static let predicates: [Hostile] = [
    predicate("conditions", 25_600) { (0..<$0).map { "size != \($0)" }.joined(separator: " AND ") },
    predicate("alternatives", 25_600) {
      (0..<$0).map { "size == \($0)" }.joined(separator: " OR ")
    },
    predicate("a list", 32_000) { "size IN {\(list($0) { "\($0)" })}" },
    predicate("a list of texts", 32_000) { "text IN {\(list($0) { "'\($0)'" })}" },
    predicate("a long key path", 25_600) {
      (0..<$0).map { _ in "next" }.joined(separator: ".") + ".size == 1"
    },
    predicate("a long unknown key path", 25_600) {
      (0..<$0).map { "x\($0)" }.joined(separator: ".") + " == 1"
    },
    predicate("a long text", 320_000) { "text == '\(String(repeating: "\\\\", count: $0))'" },
    predicate("a long text without end", 320_000) {
      "text == '\(String(repeating: "x ", count: $0))"
    },
    predicate("a sum", 25_600) { (0..<$0).map { _ in "size" }.joined(separator: " + ") + " > 1" },
    predicate("parentheses", 25_600) {
      String(repeating: "(", count: $0) + "size == 1" + String(repeating: ")", count: $0)
    },
    predicate("negations", 25_600) { String(repeating: "NOT ", count: $0) + "size == 1" },
    predicate("spaces", 320_000) { "size ==" + String(repeating: " ", count: $0) + "1" },
  ]

  private static func propertyList(
    _ name: String, _ size: Int, _ value: @escaping @Sendable (Int) -> PropertyList
  ) -> Hostile {
    Hostile(name: "property list: \(name)", size: size) { n in
      _ = try BinaryPropertyList(value(n).binaryPropertyList).value()
    }
  }

  private static let propertyLists: [Hostile] = [
    propertyList("numbers", 64_000) { .array((0..<$0).map { .integer(Int64($0)) }) },
    propertyList("texts", 64_000) { .array((0..<$0).map { .string("\($0)") }) },
    propertyList("members", 64_000) {
      .dictionary((0..<$0).map { PropertyList.Member("k\($0)", .integer(1)) })
    },
    propertyList("lists", 64_000) { .array((0..<$0).map { _ in .array([]) }) },
  ]

  private static let files: [Hostile] = [
    Hostile(name: "history: versions", size: 12_800) { n in
      let text = "{\"versions\":[\(list(n) { "{\"name\":\"v\($0)\",\"model\":\"m\($0).json\"}" })]}"
      _ = try? HistoryDocument.decode(Array(text.utf8), file: "history.json")
    },
    Hostile(name: "history: unknown members", size: 32_000) { n in
      let text = "{\(list(n) { "\"x\(number($0))\":1" })}"
      _ = try? HistoryDocument.decode(Array(text.utf8), file: "history.json")
    },
    table("columns", 1_600) { "\(list($0) { "c\($0)" })\n\(list($0) { "\($0)" })\n" },
    table("columns of one name", 12_800) { "\(list($0) { _ in "c" })\n" },
    table("rows", 32_000) { "a,b\n" + (0..<$0).map { "\($0),x\n" }.joined() },
    table("rows with too many fields", 32_000) {
      "a,b\n" + (0..<$0).map { "\($0),x,y\n" }.joined()
    },
    table("a field of quotation marks", 128_000) {
      "a,b\n\"" + String(repeating: "\"\"", count: $0) + "\",1\n"
    },
    table("a field without end", 128_000) { "a,b\n\"" + String(repeating: "x\n", count: $0) },
    Hostile(name: "JSON: one long line", size: 320_000) { n in
      _ = try? JSONParser.parse(Array("[\(list(n) { "\($0)" })]".utf8), file: "x.json")
    },
    Hostile(name: "JSON: members", size: 128_000) { n in
      _ = try? JSONParser.parse(Array("{\(list(n) { "\"\($0)\":0" })}".utf8), file: "x.json")
    },
    Hostile(name: "JSON: escapes", size: 320_000) { n in
      let text = "\"" + String(repeating: "\\u00e9", count: n) + "\""
      _ = try? JSONParser.parse(Array(text.utf8), file: "x.json")
    },
  ]

  private static func table(
    _ name: String, _ size: Int, _ text: @escaping @Sendable (Int) -> String
  ) -> Hostile {
    Hostile(name: "delimited text: \(name)", size: size) { n in
      let folder = try TemporaryDirectory()
      let path = try folder.write(Array(text(n).utf8), to: "t.csv")
      guard let type = StoreTypes.builtIn.type(ofFileAt: path),
        let model = try? type.model(path: path)
      else { return }
      let store = try StagedStore(
        path: folder.path("staged.sqlite"), model: model, maximumQuarantined: 0)
      try? type.open(path: path, as: model).read(into: store)
    }
  }

  @Test(arguments: models + xcodeModels + mappings + predicates + propertyLists + files)
  func `a large file that is made to be slow is read without hanging`(file: Hostile) throws {
    let seconds = try HangGuard.seconds { try file.read(file.size) }
    #expect(seconds < HangGuard.bound, "\(file.name)")
  }
}
