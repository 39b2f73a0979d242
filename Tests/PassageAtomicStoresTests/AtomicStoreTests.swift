import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// A type of one's own: the example of the page. One object on each line, `entity/identifier/name`.
struct LinesType: AtomicStoreType {
  var name: String { "lines" }
  var title: String { "a file of lines" }
  var fileExtensions: [String] { ["lines"] }

  func recognizes(path: String, firstBytes: [UInt8]) -> Bool { path.hasSuffix(".lines") }

  func declaredModel(_ file: AtomicStore.File) throws -> Model {
    throw Diagnostics([Diagnostic("LIN-001", "lines declare no model")])
  }

  func load(_ file: AtomicStore.File, as model: Model) throws -> AtomicStore.Contents {
    var contents = AtomicStore.Contents()
    for (index, line) in String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
      .enumerated()
    {
      let place = SourceLocation(file: file.path, line: index + 1, column: 1)
      let parts = line.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, let reference = AtomicStore.Reference(parts[1]) else {
        contents.rejected.append(
          AtomicStore.Contents.RejectedRecord(
            entityName: parts[0], mistakes: [Diagnostic("LIN-002", "no object", at: place)]))
        continue
      }
      contents.nodes.append(
        CacheNode(
          AtomicStore.Identifier(entityName: parts[0], reference: reference),
          values: ["name": .text(parts[2])], at: place))
    }
    return contents
  }

  func save(
    _ contents: AtomicStore.Contents, of model: Model, to path: String,
    options: StoredObjects.WritingOptions
  ) throws -> [UInt8] {
    Array(
      contents.nodes.map {
        "\($0.identifier.entityName)/\($0.identifier.reference)/\($0.values["name"]?.string ?? "")\n"
      }.joined().utf8)
  }
}

/// A file of this type always has a note without its text, and a link that requires the note twice.
struct PairType: AtomicStoreType {
  var name: String { "pair" }
  var title: String { "a pair of objects" }
  var fileExtensions: [String] { ["pair"] }

  func recognizes(path: String, firstBytes: [UInt8]) -> Bool { path.hasSuffix(".pair") }

  func declaredModel(_ file: AtomicStore.File) throws -> Model {
    throw Diagnostics([Diagnostic("LIN-001", "a pair declares no model")])
  }

  func load(_ file: AtomicStore.File, as model: Model) throws -> AtomicStore.Contents {
    var contents = AtomicStore.Contents()
    let note = AtomicStore.Identifier(entityName: "Note", reference: .number(1))
    contents.nodes = [
      CacheNode(note, at: SourceLocation(file: file.path, line: 1, column: 1)),
      CacheNode(
        AtomicStore.Identifier(entityName: "Link", reference: .number(2)),
        links: [
          "b": CacheNode.Link([note.reference]), "a": CacheNode.Link([note.reference]),
        ], at: SourceLocation(file: file.path, line: 2, column: 1)),
    ]
    return contents
  }

  func save(
    _ contents: AtomicStore.Contents, of model: Model, to path: String,
    options: StoredObjects.WritingOptions
  ) throws -> [UInt8] { [] }
}

@Suite struct AtomicStoreTests {
  private static let model = Model(
    name: "M",
    entities: [
      Entity(
        name: "A", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "parts", destinationEntityName: "A", inverseName: "whole", maximumCount: 0,
            isOrdered: true),
          Relationship(name: "whole", destinationEntityName: "A", inverseName: "parts"),
        ]), Entity(name: "B", parentName: "A"),
    ])

  private static let types: [any AtomicStoreType] = [
    DelimitedTextStoreType(), KeyedRecordsStoreType(), XMLStoreType(), JSONLinesStoreType(),
  ]

  @Test(arguments: [0, 1, 2, 3])
  func `objects are saved and loaded with both sides of their relationships`(_ number: Int) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.data")
    // A zero-length file reserves the place.
    try folder.write([], to: "a.data")
    let store = AtomicStore(type: Self.types[number], location: path, model: Self.model)
    try store.load()
    #expect(store.cacheNodes.isEmpty)
    let (whole, part) = (store.newIdentifier(for: "A"), store.newIdentifier(for: "B"))
    #expect(whole.reference == .number(1) && part.reference == .number(2))
    store.insert(CacheNode(whole, values: ["name": "one"]))
    store.insert(CacheNode(part, links: ["whole": CacheNode.Link([whole.reference])]))
    try store.save()
    let again = AtomicStore(type: Self.types[number], location: path, model: Self.model)
    try again.load()
    #expect(again.cacheNode(for: whole)?.values == ["name": "one"])
    #expect(again.cacheNode(for: whole)?.links["parts"]?.references == [part.reference])
    #expect(again.identifier(for: "A", reference: .number(2)) == part)
    #expect(again.newIdentifier(for: "B").reference == .number(3))
    again.remove(part)
    #expect(again.cacheNode(for: whole)?.links["parts"]?.references == [])
    #expect(folder.names == ["a.data"])
  }

  @Test func `a store without a location lives in memory`() throws {
    let store = AtomicStore(type: XMLStoreType(), location: nil, model: Self.model)
    try store.load()
    let identifier = store.newIdentifier(for: "A")
    store.insert(CacheNode(identifier))
    try store.save()
    try store.load()
    #expect(store.cacheNodes.map(\.identifier) == [identifier])
  }

  @Test func `a refused save leaves the old file`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.csv")
    let store = AtomicStore(type: DelimitedTextStoreType(), location: path, model: Self.model)
    let identifier = store.newIdentifier(for: "A")
    store.insert(CacheNode(identifier, values: ["name": "one"]))
    try store.save()
    let old = folder.contents("a.csv")
    store.insert(CacheNode(identifier, links: ["whole": CacheNode.Link([.number(9)])]))
    #expect(throws: Diagnostics.self) { try store.save() }
    #expect(folder.contents("a.csv") == old && folder.names == ["a.csv"])
  }

  @Test func `a type of one's own is a source and destination`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array("A/1/one\nB/2/two\n".utf8), to: "a.lines")
    var options = MigrationOptions()
    options.storeTypes.all.append(LinesType())
    let conversion = Conversion(model: Self.model)
    let store = folder.path("a.sqlite")
    try conversion.convert(path, to: store, as: nil, types: options.storeTypes)
    #expect(try conversion.contents(store)["B"].map { $0["name"] } == ["two"])
    try conversion.convert(
      store, to: folder.path("b.lines"), as: "lines", types: options.storeTypes)
    #expect(folder.contents("b.lines") == folder.contents("a.lines"))
  }

  @Test func `objects quarantined take their links along`() throws {
    let folder = try TemporaryDirectory()
    let text = "entity,id,name,whole\nA,1,one,2\nA,2\nA,3,three,1\nC,4,,\n"
    let path = try folder.write(Array(text.utf8), to: "a.csv")
    let conversion = Conversion(model: Self.model)
    // A name that leads nowhere is no matter of one record.
    #expect(conversion.failure(path, to: folder.path("a.sqlite"), as: nil) != nil)
    try folder.write(Array(text.replacing("C,4,,\n", with: "").utf8), to: "a.csv")
    let report = try conversion.convert(
      path, to: folder.path("a.sqlite"), as: nil, maximumQuarantined: 5)
    #expect(report.quarantined == 2)
    #expect(try conversion.contents(folder.path("a.sqlite"))["A"].map(\.key) == [3])
  }

  @Test(arguments: ["a.jsonl", "a.pair"])
  func `an object that requires two quarantined ones is quarantined once`(name: String) throws {
    var note = Entity(
      name: "Note", attributes: [Attribute(name: "text", type: .string, isOptional: false)])
    var link = Entity(name: "Link")
    for end in ["a", "b"] {
      note.relationships.append(
        Relationship(
          name: "of_\(end)", destinationEntityName: "Link", inverseName: end, maximumCount: 0))
      link.relationships.append(
        Relationship(
          name: end, destinationEntityName: "Note", inverseName: "of_\(end)", isOptional: false))
    }
    let folder = try TemporaryDirectory()
    let text = """
      {"entity": "Note", "id": 1}
      {"entity": "Link", "id": 2, "b": 1, "a": 1}

      """
    let path = try folder.write(Array(text.utf8), to: name)
    // Before the others, which may know the text.
    var types = StoreTypes.builtIn
    types.all.insert(PairType(), at: 0)
    let report = try Conversion(model: Model(name: "1", entities: [link, note])).convert(
      path, to: folder.path("out.sqlite"), as: nil, maximumQuarantined: 2, types: types)
    #expect(report.quarantined == 2)
    let rows = String(
      decoding: try #require(folder.contents("out.sqlite.quarantine.jsonl")), as: UTF8.self)
    #expect(rows.contains("Link.a") && !rows.contains("Link.b"), "\(rows)")
  }
}
