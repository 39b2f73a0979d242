import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// The archive of a model that a store keeps, as Passage writes it.
struct ModelArchiveTests {
  private func read(_ model: Model) throws -> ReadModel {
    let bytes = try #require(ModelArchive.bytes(of: model))
    return try CompiledModelReader.read(bytes, name: model.name, file: "store")
  }

  @Test func `a model with parts of every kind is read as it was written`() throws {
    let read = try read(RichModel.model)
    for (one, other) in zip(read.model.entities, RichModel.model.entities) {
      #expect(one.attributes == other.attributes)
      #expect(one == other)
    }
    #expect(read.model == RichModel.model)
    #expect(read.model.versionHashes == RichModel.model.versionHashes)
    // Inherited properties are copies, of which none is declared again.
    #expect(read.remarks.all.filter { $0.code == "MOD-105" || $0.code == "MOD-017" }.isEmpty)
  }

  @Test func `equal models have equal bytes`() throws {
    let model = RichModel.model
    let shuffled = Model(
      name: "another name", versionIdentifiers: model.versionIdentifiers,
      entities: model.entities.reversed(), configurations: model.configurations,
      fetchRequestTemplates: model.fetchRequestTemplates)
    let content = try #require(ModelArchive(model).content)
    #expect(ModelArchive(shuffled).content == content)
    let bytes = try RawDeflate.decompress(content, maximumBytes: 1 << 20)
    #expect(bytes == ModelArchive.bytes(of: model))
    #expect(content.count < bytes.count)
  }

  @Test func `a created store tells its model`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("Rich.sqlite")
    try StoreCreator.create(model: RichModel.model, at: path)
    let read = try ModelFile.load(path: path)
    #expect(!read.isGuessed)
    #expect(ModelComparison(read.model, RichModel.model).differences == [])
    #expect(read.model.versionHashes == RichModel.model.versionHashes)
    #expect(read.recordedHashes == RichModel.model.versionHashes)
    #expect(!read.remarks.all.map(\.code).contains("MOD-124"))
  }

  /// A derivation in a model's notation is kept as Core Data stores it.
  @Test func `a count in a model's notation has the same version hash`() throws {
    let model = Model(
      name: "M",
      entities: [
        Entity(
          name: "A", attributes: [Attribute(name: "n", type: .integer64, derivation: "bs.@count")],
          relationships: [
            Relationship(name: "bs", destinationEntityName: "B", maximumCount: 0)
          ]), Entity(name: "B"),
      ])
    let read = try read(model).model
    #expect(read.versionHashes == model.versionHashes)
    #expect(read.entity(named: "A")?.attributes.first?.derivation == "count:(bs)")
  }

  @Test(arguments: [
    Attribute(name: "a", type: .composite, elements: [Attribute(name: "x", type: .string)]),
    Attribute(name: "a", type: .string, derivation: "one:two:(b)"),
    Attribute(
      name: "a", type: .integer64, derivation: "count:(bs)",
      derivationFilter: "SUBQUERY(bs, $b, $b.n > 1).@count > 0"),
  ])
  func `a model is not kept if a hash depends on a part without a known form`(
    _ attribute: Attribute
  ) throws {
    let model = Model(name: "M", entities: [Entity(name: "A", attributes: [attribute])])
    #expect(ModelArchive.bytes(of: model) == nil)
    #expect(ModelArchive(model).content == nil)
  }

  @Test func `a model with too many inherited properties is not kept`() throws {
    var entities = [
      Entity(
        name: "E0",
        attributes: (0..<2_000).map { Attribute(name: "a\($0)", type: .integer16) })
    ]
    for level in 1...60 { entities.append(Entity(name: "E\(level)", parentName: "E\(level - 1)")) }
    #expect(ModelArchive.bytes(of: Model(name: "M", entities: entities)) == nil)
    #expect(ModelArchive.bytes(of: Model(name: "M", entities: Array(entities[..<20]))) != nil)
  }

  /// What no archive seen shows how to keep is left out, and nothing else with it.
  @Test func `an index over an expression is left out`() throws {
    var entity = Entity(
      name: "A", attributes: [Attribute(name: "a", type: .string)],
      indexes: [
        Entity.Index(
          name: "lower", elements: [Entity.Index.Element(expression: "lowercase:(a)")]),
        Entity.Index(name: "plain", elements: [Entity.Index.Element(propertyName: "a")]),
      ])
    let read = try read(Model(name: "M", entities: [entity])).model
    entity.indexes.removeFirst()
    #expect(read.entities == [entity])
  }

  @Test(arguments: [
    (Value.real(0.1), Value.real(0.1)), (.real(5), .real(5)), (.real(-1.5e20), .real(-1.5e20)),
    (.real(3.3333333332999993), .real(3.3333333332999993)), (.real(1e-120), .real(1e-120)),
    (.integer(.max), .integer(.max)), (.integer(.min), .integer(.min)), (.integer(0), .integer(0)),
    (.real(1e300), .null),
  ])
  func `a decimal default keeps its digits if they fit`(_ value: Value, _ kept: Value) throws {
    let attribute = Attribute(name: "a", type: .decimal, defaultValue: value)
    let model = Model(name: "M", entities: [Entity(name: "A", attributes: [attribute])])
    #expect(try read(model).model.entities[0].attributes[0].defaultValue == kept)
  }
}
