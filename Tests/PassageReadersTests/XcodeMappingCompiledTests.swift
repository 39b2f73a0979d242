import PassageDiagnostics
import PassageMappings
import PassageModels
import PassageReaders
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Mapping models as Xcode's compiler writes them: `.cdm`.
struct XcodeMappingCompiledTests {
  private typealias Maker = ArchivedExpressionTests.Maker

  /// Writes a compiled mapping model with one entity mapping.
  private struct Compiled {
    var maker = Maker()
    var attributes: [PropertyList] = []
    var relationships: [PropertyList] = []

    mutating func property(
      _ name: String, _ value: PropertyList?, class className: String = "NSPropertyMapping"
    ) -> PropertyList {
      let name = maker.builder.text(name)
      return maker.builder.add(
        className,
        [
          ("NSDestinationPropertyName", name), ("NSValueExpression", value ?? ArchiveBuilder.null),
        ])
    }

    mutating func path(_ name: String) -> PropertyList {
      let text = maker.builder.text(name)
      let source = maker.variable("source")
      let specifier = maker.builder.add("NSKeyPathSpecifierExpression", [("NSKeyPath", text)])
      return maker.call(
        "valueForKeyPath:", on: source, [specifier], class: "NSKeyPathExpression")
    }

    mutating func archive(
      _ source: String?, _ destination: String?, type: Int64,
      _ members: [(String, PropertyList)] = []
    ) -> [UInt8] {
      var all: [(String, PropertyList)] = [("NSMappingType", .integer(type))]
      all.append(("NSMappingName", maker.builder.text("\(source ?? "")To\(destination ?? "")")))
      if let source {
        all.append(("NSSourceEntityName", maker.builder.text(source)))
        let hash = ShopModels.first.versionHashes[source].map { PropertyList.data($0) }
        all.append(("NSSourceEntityVersionHash", maker.builder.add(hash ?? .data([1]))))
      }
      if let destination {
        all.append(("NSDestinationEntityName", maker.builder.text(destination)))
      }
      all.append(("NSAttributeMappings", maker.builder.array(attributes)))
      all.append(("NSRelationshipMappings", maker.builder.array(relationships)))
      let mapping = maker.builder.add("NSEntityMapping", all + members)
      let mappings = maker.builder.array([mapping])
      let root = maker.builder.add("NSMappingModel", [("NSEntityMappings", mappings)])
      return maker.builder.archive(root: root)
    }
  }

  private func read(_ bytes: [UInt8]) throws(Diagnostics) -> ReadMappingModel {
    try XcodeMappingReader.read(
      bytes, name: "Shop", file: "Shop.cdm", source: ShopModels.first,
      destination: ShopModels.second)
  }

  @Test func `what the compiler resolved is said as shortly as its source says it`() throws {
    var compiled = Compiled()
    compiled.attributes = [
      compiled.property("cents", nil), compiled.property("price", compiled.path("price")),
      compiled.property("title", compiled.path("maker.name")),
    ]
    let name = compiled.maker.constant(compiled.maker.builder.text("maker"))
    let path = compiled.path("maker")
    let manager = compiled.maker.variable("manager")
    let makers = compiled.maker.call(
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:", on: manager, [name, path])
    compiled.relationships = [compiled.property("maker", makers)]
    let mapping = try read(compiled.archive("Item", "Item", type: 5)).mapping
    let item = try #require(mapping.entityMappings.first)
    #expect(item.kind == .transform)
    #expect(
      item.attributeMappings == [
        PropertyMapping(name: "price"),
        PropertyMapping(name: "title", expression: "$source.maker.name"),
      ])
    #expect(item.relationshipMappings == [PropertyMapping(name: "maker")])
  }

  @Test(arguments: [(4, EntityMapping.Kind.copy), (5, .transform), (1, .transform)])
  func `a copy without properties takes over everything`(_ type: Int, _ kind: EntityMapping.Kind)
    throws
  {
    var compiled = Compiled()
    let bytes = compiled.archive("Maker", "Maker", type: Int64(type))
    #expect(try read(bytes).mapping.entityMappings.first?.kind == kind)
  }

  @Test func `a policy makes a mapping custom, and Core Data's own does not count as one`() throws {
    for (name, kind) in [
      ("Shop.MakerPolicy", EntityMapping.Kind.custom), ("NSEntityMigrationPolicy", .transform),
    ] {
      var compiled = Compiled()
      let text = compiled.maker.builder.text(name)
      let bytes = compiled.archive(
        "Maker", "Maker", type: 1, [("NSEntityMigrationPolicyClassName", text)])
      #expect(try read(bytes).mapping.entityMappings.first?.kind == kind)
    }
  }

  @Test func `a recorded version hash that is another one is reported`() throws {
    var compiled = Compiled()
    let read = try read(compiled.archive("Ghost", nil, type: 3))
    #expect(read.notes.all.map(\.code) == ["IMP-022"])
    #expect(read.notes.all.first?.reason == "Ghost is not in “Shop 1”")
  }

  @Test func `the models are found by the recorded hashes`() throws {
    let folder = try TemporaryDirectory()
    var compiled = Compiled()
    compiled.attributes = [compiled.property("name", compiled.path("name"))]
    let destination = compiled.maker.builder.add(
      .data(ShopModels.second.versionHashes["Maker"] ?? []))
    try folder.write(
      compiled.archive(
        "Maker", "Maker", type: 5, [("NSDestinationEntityVersionHash", destination)]),
      to: "S.cdm")
    // Both versions have this entity as it is; a mapping model leads from one to another.
    let read = try XcodeMappingReader.read(
      path: folder.path("S.cdm"), among: [ShopModels.first, ShopModels.second])
    #expect(Set([read.mapping.source.value, read.mapping.destination.value]).count == 2)
    #expect(read.notes.all == [])
    let alone = try XcodeMappingReader.read(path: folder.path("S.cdm"))
    #expect(alone.notes.all.map(\.code) == ["IMP-012", "IMP-012"])
  }

  @Test func `a file that is no mapping model is refused`() throws {
    var builder = ArchiveBuilder()
    let root = builder.add("NSManagedObjectModel", [])
    for (bytes, code) in [
      (builder.archive(root: root), "IMP-002"), (Array("bplist00".utf8), "IMP-006"),
    ] {
      let error = #expect(throws: Diagnostics.self) { try read(bytes) }
      #expect(error?.errors.map(\.code) == [code])
    }
  }

  @Test func `an entity mapping of nothing and a property of another class are refused`() throws {
    var compiled = Compiled()
    let nothing = compiled.archive(nil, nil, type: 5)
    #expect((#expect(throws: Diagnostics.self) { try read(nothing) })?.all.first?.code == "IMP-008")
    compiled = Compiled()
    compiled.attributes = [compiled.property("name", nil, class: "NSObject")]
    let stranger = compiled.archive("Maker", "Maker", type: 5)
    #expect(
      (#expect(throws: Diagnostics.self) { try read(stranger) })?.all.first?.code == "IMP-006")
  }

  @Test func `names that messages cannot repeat are refused`() throws {
    let name = String(repeating: "a", count: 1_001)
    var compiled = Compiled()
    var refused = [compiled.archive(name, "Maker", type: 5), compiled.archive(nil, name, type: 5)]
    compiled.attributes = [compiled.property(name, nil)]
    refused.append(compiled.archive("Maker", "Maker", type: 5))
    for bytes in refused {
      let error = #expect(throws: Diagnostics.self) { try read(bytes) }
      #expect(error?.errors.map(\.code) == ["IMP-006"])
      #expect(error?.errors.first?.reason?.contains("a name of at most 1000 bytes") == true)
    }
  }

  @Test func `a copy of a mapping model that is cut off anywhere is refused`() throws {
    var compiled = Compiled()
    compiled.attributes = [compiled.property("name", compiled.path("name"))]
    let bytes = compiled.archive("Maker", "Maker", type: 5)
    #expect(try read(bytes).mapping.entityMappings.count == 1)
    for count in 0..<bytes.count {
      #expect(throws: Diagnostics.self) { try read(Array(bytes.prefix(count))) }
    }
  }
}
