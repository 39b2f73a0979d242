import PassageDiagnostics
import PassageExpressions
import PassageMappings
import PassageModels
import PassageReaders
import PassageStores
import Testing

/// What an Xcode mapping model says, in the words of this project.
struct XcodeMappingReaderTests {
  private typealias File = XcodeMappingFile

  /// What stands for a property: `same`, `default` or the expression; `nil` when it is not listed.
  private func value(_ name: String, of mapping: EntityMapping?) -> String? {
    let properties = (mapping?.attributeMappings ?? []) + (mapping?.relationshipMappings ?? [])
    switch properties.first(where: { $0.name.value == name })?.source {
    case nil: return nil
    case .sameName: return "same"
    case .leftAtDefault: return "default"
    case .expression(let text): return text.value
    }
  }

  private func codes(_ read: ReadMappingModel) -> [String] { read.notes.all.map(\.code) }

  @Test func `the order is the mapping number and names follow Xcode's compiler`() throws {
    var file = File()
    file.map("Maker", "Maker", number: 7)
    file.map("Note", nil, number: 3)
    file.map(nil, "Colour", number: nil)
    file.map("Item", "Item", number: 2, [File.text("name", "Goods")])
    let mapping = try file.read().mapping
    #expect(mapping.name == "Shop1to2")
    #expect([mapping.source.value, mapping.destination.value] == ["Shop 1", "Shop 2"])
    #expect(
      mapping.entityMappings.map(\.name.value) == ["Goods", "Note", "MakerToMaker", "Colour"])
    #expect(mapping.entityMappings.map(\.kind) == [.transform, .remove, .transform, .add])
  }

  @Test func `elements that belong to nothing are left out and counted`() throws {
    var file = File()
    file.map("Maker", "Maker", number: 1, attributes: [("name", [])])
    file.add("XDDEVATTRIBUTEMAPPING", [File.text("name", "lost")])
    file.add("XDDEVATTRIBUTEMAPPING", [])
    file.add(
      "XDDEVENTITYMAPPING",
      [File.text("sourcename", "Nobody"), File.text("migrationpolicyclassname", "Gone")])
    let read = try file.read()
    #expect(read.mapping.entityMappings.count == 1)
    #expect(codes(read) == ["IMP-020"])
    let note = try #require(read.notes.all.first)
    #expect(note.severity == .note)
    #expect(note.message.hasSuffix("2 XDDEVATTRIBUTEMAPPING, 1 XDDEVENTITYMAPPING"))
  }

  @Test func `a default is the source property of the same name where there is one`() throws {
    var file = File()
    file.map(
      "Item", "Item", number: 1,
      attributes: [("title", []), ("price", []), ("cents", []), ("shown", [])],
      relationships: [("maker", []), ("former", [])])
    let read = try file.read()
    let item = try #require(read.mapping.entityMappings.first)
    #expect(item.attributeMappings.map(\.name.value) == ["price", "title"])
    #expect(item.relationshipMappings.map(\.name.value) == ["maker"])
    #expect(value("title", of: item) == "same")
    // The transient attribute is in both and stored in neither.
    #expect(codes(read) == ["IMP-025"])
    #expect(read.notes.warnings.isEmpty)
  }

  @Test func `a property of another model is left out with a warning and a written value is kept`()
    throws
  {
    var file = File()
    file.map(
      "Maker", "Maker", number: 1,
      attributes: [
        ("nmae", []), ("items", []),
        ("street", [File.expression { $0.constant(.integer(1)) }]),
      ])
    let read = try file.read()
    #expect(read.notes.warnings.map(\.code) == ["IMP-025", "IMP-025"])
    #expect(value("street", of: read.mapping.entityMappings.first) == "1")
    let (_, found) = MappingChecker.check(
      read.mapping, source: ShopModels.first, destination: ShopModels.second, policies: [])
    #expect(found.errors.map(\.code) == ["MAP-014"])
    #expect(found.errors.first?.location?.line != nil)
  }

  @Test func `a written expression wins even where Xcode is to make one`() throws {
    var file = File()
    let makers = File.expression { maker in
      let name = maker.constant(maker.builder.text("MakerToMaker"))
      let source = maker.variable("source")
      let path = maker.call(
        "valueForKeyPath:", on: source,
        [
          maker.builder.add(
            "NSKeyPathSpecifierExpression", [("NSKeyPath", maker.builder.text("maker"))])
        ], class: "NSKeyPathExpression")
      return maker.call(
        "destinationInstancesForEntityMappingNamed:sourceInstances:",
        on: maker.variable("manager"), [name, path])
    }
    let call =
      "FUNCTION($manager, "
      + "\"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
      + "\"MakerToMaker\", $source.maker)"
    file.map(
      "Item", "Item", number: 1,
      attributes: [("price", [File.expression { $0.constant(.integer(0)) }])],
      relationships: [
        ("former", [makers, File.flag("autogenerateexpression", true)]), ("maker", [makers]),
      ])
    file.map("Maker", "Maker", number: 2, attributes: [("name", [])])
    let read = try file.read()
    let item = read.mapping.entityMappings.first
    #expect(value("price", of: item) == "0")
    #expect(value("former", of: item) == call)
    // The only mapping that takes makers is what the name alone means.
    #expect(value("maker", of: item) == "same")
    file.map("Maker", "Maker", number: 3, [File.text("name", "Again")])
    #expect(value("maker", of: try file.read().mapping.entityMappings.first) == call)
  }

  @Test(
    arguments: [
      ("$source.maker", "MakerToMaker", "EntityMapping", "MakerToMaker"),
      ("maker", "MakerToMaker", "EntityMapping", "MakerToMaker"),
      (nil, "Makers", "EntityMapping", "Makers"),
      ("$source.maker", nil, "SourceRelationship", "maker"),
    ] as [(String?, String?, String, String)])
  func `the inspector's fields are a call to the manager`(
    _ path: String?, _ mapping: String?, _ function: String, _ name: String
  ) throws {
    var file = File()
    let fields = [
      path.map { File.text("sourcekeypath", $0) },
      mapping.map { File.text("sourcemappingname", $0) },
    ].compactMap(\.self)
    file.map("Item", "Item", number: 1, relationships: [("former", fields)])
    let written = path == nil ? "former" : "maker"
    #expect(
      value("former", of: try file.read().mapping.entityMappings.first)
        == "FUNCTION($manager, \"destinationInstancesFor\(function)Named:sourceInstances:\", "
        + "\"\(name)\", $source.\(written))")
  }

  @Test func `a filter is text with its bytes swapped`() throws {
    var file = File()
    let filter = "price < 10 AND title != \"a\" && maker != nil"
    file.map("Item", "Item", number: 1, [File.text("sourcefilterpredicatestring", filter)])
    file.map("Maker", "Maker", number: 2, [File.text("sourcefilterpredicatestring", "")])
    #expect(file.xml.contains("price \\u3c00 10"))
    let mappings = try file.read().mapping.entityMappings
    #expect(mappings.map(\.filter?.value) == [filter, nil])
  }

  @Test(arguments: [
    ("\\u3c00", "<"), ("a\\u2600\\u2600b", "a&&b"), ("\\d{2} \\u", "\\d{2} \\u"),
    ("\\u3zzz", "\\u3zzz"), ("\\u3DD8\\u00DE", "\u{1F600}"), ("\\u3DD8", "\\u3DD8"),
    ("\\u00DE", "\\u00DE"), ("é\\u3c0", "é\\u3c0"),
  ])
  func `escapes are UTF-16 units with their bytes swapped`(_ written: String, _ meant: String)
    throws
  {
    var file = File()
    file.map("Maker", "Maker", number: 1, [File.text("name", written)])
    #expect(try file.read().mapping.entityMappings.first?.name.value == meant)
  }

  /// A fetch of an entity with a filter.
  private func fetch(_ entity: String, _ filter: String) -> XcodeMappingFile.Attribute {
    File.expression("sourceexpressiondata") { maker in
      let arguments = [
        maker.constant(maker.builder.text(entity)), maker.constant(maker.builder.text(filter)),
      ]
      let request = maker.call(
        "fetchRequestForSourceEntityNamed:predicateString:", on: maker.variable("manager"),
        arguments)
      return maker.builder.add(
        "NSFetchRequestExpression",
        [
          ("NSFRExpression", request), ("NSMOCExpression", maker.variable("context")),
          ("NSCountOnlyFlag", .bool(false)),
        ])
    }
  }

  @Test func `a source expression counts only where the author wrote it`() throws {
    let written = fetch("Note", "text != nil")
    var file = File()
    file.map("Note", nil, number: 1, [written])
    var read = try file.read()
    #expect(codes(read) == ["IMP-021"])
    #expect(read.mapping.entityMappings.first?.filter == nil)
    file = File()
    file.map("Note", nil, number: 1, [written, File.flag("autogenerateexpression", false)])
    read = try file.read()
    #expect(codes(read) == [])
    #expect(read.mapping.entityMappings.first?.filter?.value == "text != nil")
    file = File()
    file.map(
      "Note", nil, number: 1,
      [fetch("Note", "TRUEPREDICATE"), File.flag("autogenerateexpression", false)])
    #expect(try file.read().mapping.entityMappings.first?.filter == nil)
  }

  @Test func `a source expression that is no fetch of the source is refused`() throws {
    for written in [
      fetch("Maker", "TRUEPREDICATE"),
      File.expression("sourceexpressiondata") { $0.keyPath("a.b") },
    ] {
      var file = File()
      file.map("Note", nil, number: 1, [written, File.flag("autogenerateexpression", false)])
      let error = #expect(throws: Diagnostics.self) { try file.read() }
      #expect(error?.errors.map(\.code) == ["IMP-009"])
    }
  }

  @Test func `a policy is read as its name and user info`() throws {
    var file = File()
    file.map(
      "Item", "Item", number: 1,
      [
        File.text("migrationpolicyclassname", "Shop.ItemPolicy"),
        File.userInfo([("currency", "EUR")]),
      ],
      attributes: [
        (
          "cents",
          [
            File.expression { maker in
              maker.call(
                "centsFor:", on: maker.variable("entityPolicy"), [maker.variable("source")])
            }, File.userInfo([("unit", "cent")]),
          ]
        )
      ])
    let read = try file.read()
    let item = try #require(read.mapping.entityMappings.first)
    #expect(item.kind == .custom)
    #expect(item.policy?.name.value == "Shop.ItemPolicy")
    #expect(item.policy?.userInfo == ["currency": "EUR"])
    #expect(item.attributeMappings.first?.userInfo == ["unit": "cent"])
    #expect(value("cents", of: item) == "FUNCTION($entityPolicy, \"centsFor:\", $source)")
    #expect(
      read.requiredPolicies
        == [PolicySignature(name: "Shop.ItemPolicy", functionSelectors: ["centsFor:"])])
    #expect(codes(read) == ["IMP-023"])
  }

  @Test func `user info that nothing reads is reported`() throws {
    var file = File()
    file.map("Maker", "Maker", number: 1, [File.userInfo([("a", "1")])])
    #expect(codes(try file.read()) == ["IMP-027"])
  }

  @Test func `an abstract entity is mapped to nothing`() throws {
    var file = File()
    file.map("Thing", "Thing", number: 1, attributes: [("title", [])])
    file.map("Item", "Item", number: 2, attributes: [("title", [])])
    let read = try file.read()
    #expect(read.mapping.entityMappings.map(\.name.value) == ["ItemToItem"])
    #expect(codes(read) == ["IMP-024"])
  }

  @Test func `a mapping model that is read passes the checks and is written as itself`() throws {
    var file = File()
    file.map(
      "Item", "Item", number: 1,
      attributes: [
        ("price", [File.userInfo([("unit", "EUR")])]),
        ("cents", [File.expression { $0.constant(ArchiveBuilder.null) }]),
      ], relationships: [("maker", [])])
    file.map(
      "Maker", "Maker", number: 2, attributes: [("name", [])], relationships: [("items", [])])
    let read = try file.read()
    let (bound, found) = MappingChecker.check(
      read.mapping, source: ShopModels.first, destination: ShopModels.second, policies: [])
    #expect(bound != nil && found.all.isEmpty)
    let written = Array(MappingDocument.encode(read.mapping).utf8)
    #expect(try MappingDocument.decode(written, file: "again.json") == read.mapping)
  }
}
