import PassageDiagnostics
import PassageMappings
import PassageModels
import PassageProjects
import PassageReaders
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// The models that a mapping model keeps, and the ones it is used with.
struct XcodeMappingModelsTests {
  private typealias File = XcodeMappingFile

  /// A model with a bit of everything that enters a version hash.
  private static let rich = Model(
    name: "Rich", versionIdentifiers: ["7"],
    entities: [
      Entity(
        name: "Root", isAbstract: true,
        attributes: [
          Attribute(name: "code", type: .string, isOptional: false),
          Attribute(name: "count", type: .integer32, defaultValue: .integer(3)),
          Attribute(name: "picture", type: .binary, allowsExternalBinaryDataStorage: true),
          Attribute(name: "shown", type: .string, isTransient: true),
        ], uniquenessConstraints: [["code"]], versionHashModifier: "2"),
      Entity(
        name: "Leaf", parentName: "Root",
        attributes: [Attribute(name: "when", type: .date, versionHashModifier: "x")],
        relationships: [
          Relationship(
            name: "friends", destinationEntityName: "Leaf", inverseName: "friends",
            maximumCount: 0, isOrdered: true),
          Relationship(
            name: "owner", destinationEntityName: "Owner", inverseName: "leaves",
            isOptional: false, deleteRule: .deny),
        ]),
      Entity(
        name: "Owner",
        relationships: [
          Relationship(
            name: "leaves", destinationEntityName: "Leaf", inverseName: "owner", minimumCount: 1,
            maximumCount: 9, deleteRule: .cascade)
        ]),
    ])

  private func file(embedding source: Model, _ destination: Model) -> File {
    var file = File()
    file.embed(source: source, destination: destination)
    file.map("Maker", "Maker", number: 1, attributes: [("name", [])])
    return file
  }

  @Test func `a model inside has the version hashes of the model it is a copy of`() throws {
    let read = try file(embedding: Self.rich, ShopModels.second).read(
      source: nil, destination: nil)
    let embedded = try #require(read.embeddedSource)
    #expect(embedded.model.versionHashes == Self.rich.versionHashes)
    #expect(embedded.model.entity(named: "Leaf")?.parentName == "Root")
    #expect(embedded.model.versionIdentifiers == ["7"])
    #expect(embedded.remarks.all.filter { $0.code == "MOD-105" } == [])
    let root = try #require(embedded.model.entity(named: "Root"))
    #expect(root.attributes.first { $0.name == "count" }?.defaultValue == .integer(3))
  }

  @Test func `a model inside serves where none is given`() throws {
    let read = try file(embedding: ShopModels.first, ShopModels.second).read(
      source: nil, destination: nil)
    #expect(read.source?.versionHashes == ShopModels.first.versionHashes)
    // The archive has no name; the path in the file has one.
    #expect([read.mapping.source.value, read.mapping.destination.value] == ["Shop 1", "Shop 2"])
    #expect(read.mapping.entityMappings.first?.attributeMappings.first?.source == .sameName)
    #expect(read.notes.all == [])
  }

  @Test func `models that are neither given nor kept are missed`() throws {
    var file = File()
    file.map("Maker", "Maker", number: 1, attributes: [("whatever", [])])
    let read = try file.read(source: nil, destination: nil)
    #expect(read.notes.all.map(\.code) == ["IMP-012", "IMP-012"])
    #expect(read.source == nil)
    #expect(read.mapping.source.value == "Shop 1")
    #expect(read.mapping.entityMappings.first?.attributeMappings.first?.source == .sameName)
  }

  @Test func `a mapping model of another state says which properties differ`() throws {
    var changed = try #require(ShopModels.first.entity(named: "Item"))
    changed.attributes[0].type = .decimal
    let others = ShopModels.first.entities.filter { $0.name != "Item" }
    let old = Model(name: "Shop 1", entities: others + [changed])
    let read = try file(embedding: old, ShopModels.second).read()
    let warning = try #require(read.notes.all.first)
    #expect(read.notes.all.map(\.code) == ["IMP-022"])
    #expect(warning.severity == .warning)
    #expect(warning.reason == "Item: the attribute “price”: type decimal → double")
    #expect(warning.location?.line != nil)
  }

  /// Core Data's manager runs what it is given.
  @Test func `one that is given by name runs with models that changed since, and says so`() throws {
    var changed = try #require(ShopModels.first.entity(named: "Item"))
    changed.attributes[0].type = .decimal
    let others = ShopModels.first.entities.filter { $0.name != "Item" }
    let old = Model(name: "Shop 1", entities: others + [changed])
    let folder = try TemporaryDirectory()
    try folder.write(Array(file(embedding: old, ShopModels.second).xml.utf8), to: "M.xml")
    func mapping(among models: [Model]) throws -> MappingModel? {
      try MappingFolder(path: folder.path, models: models)
        .mappingModels(named: [folder.path("M.xml")]).first
    }
    let found = try #require(try mapping(among: [ShopModels.first, ShopModels.second]))
    #expect([found.source.value, found.destination.value] == ["Shop 1", "Shop 2"])
    #expect(found.remarks.all.map(\.code) == ["IMP-022"])
    #expect(!found.remarks.hasErrors)

    let error = #expect(throws: Diagnostics.self) { try mapping(among: [ShopModels.second]) }
    #expect(error?.all.map(\.code) == ["IMP-026"])
  }

  @Test func `a difference that is not part of the hash does not count`() throws {
    var changed = try #require(ShopModels.first.entity(named: "Note"))
    changed.className = "NoteObject"
    changed.attributes[0].minimum = "1"
    let others = ShopModels.first.entities.filter { $0.name != "Note" }
    let old = Model(name: "Shop 1", entities: others + [changed])
    #expect(try file(embedding: old, ShopModels.second).read().notes.all == [])
  }

  @Test func `the models are found by their hashes and then by their names`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("M.xml")
    try folder.write(
      Array(file(embedding: ShopModels.first, ShopModels.second).xml.utf8), to: "M.xml")
    var renamed = ShopModels.first
    renamed.name = "renamed"
    var read = try XcodeMappingReader.read(
      path: path, among: [Self.rich, renamed, ShopModels.second])
    #expect(read.mapping.name == "M")
    #expect([read.mapping.source.value, read.mapping.destination.value] == ["renamed", "Shop 2"])
    #expect(read.notes.all == [])
    var named = Self.rich
    named.name = "Shop 1"
    read = try XcodeMappingReader.read(path: path, among: [named])
    #expect(read.mapping.source.value == "Shop 1")
    #expect(read.notes.all.map(\.code).contains("IMP-022"))
    #expect(read.notes.all.map(\.code).contains("IMP-026"))
  }

  @Test func `a damaged model inside is a mistake only where it is needed`() throws {
    var file = File()
    file.model.append(File.bytes("sourcemodeldata", Array("bplist00 and no more".utf8)))
    file.map("Maker", "Maker", number: 1)
    #expect(try file.read().notes.all.map(\.code) == ["IMP-028"])
    let error = #expect(throws: Diagnostics.self) { try file.read(source: nil) }
    #expect(error?.errors.map(\.code) == ["IMP-006"])
  }

  @Test func `an entity that is its own ancestor is refused`() throws {
    let circle = Model(
      name: "Circle",
      entities: [Entity(name: "A", parentName: "B"), Entity(name: "B", parentName: "A")])
    var file = File()
    file.embed(source: circle, destination: ShopModels.second)
    file.map("Maker", "Maker", number: 1)
    let error = #expect(throws: Diagnostics.self) { try file.read(source: nil) }
    #expect(error?.errors.contains { $0.code == "MOD-014" } == true)
  }
}
