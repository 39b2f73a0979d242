import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageStores
import PassageValues
import Testing

struct CompiledModelReaderTests {
  @Test(arguments: AttributeType.allCases.filter { $0 != .composite })
  func `an attribute of every type is read`(_ type: AttributeType) throws {
    var archive = ArchivedModel()
    let attribute = archive.attribute(
      "a", Int64(type.rawValue), [("NSIsOptional", .bool(true))])
    archive.entity("E", properties: [attribute])
    let entity = try #require(try archive.read().model.entity(named: "E"))
    #expect(entity.attributes == [Attribute(name: "a", type: type)])
  }

  @Test func `flags and texts of an attribute are read`() throws {
    var archive = ArchivedModel()
    let userInfo = archive.builder.dictionary([("note", archive.builder.text("x"))])
    let attribute = archive.attribute(
      "a", 1000,
      [
        ("NSIsTransient", .bool(true)), ("NSFlagsKey", .integer(20)),
        ("NSRenamingIdentifier", archive.builder.text("old")),
        ("NSVersionHashModifier", archive.builder.text("2")),
        ("NSValueTransformerName", archive.builder.text("T")),
        ("NSAttributeValueClassName", archive.builder.text("NSImage")), ("NSUserInfo", userInfo),
      ])
    archive.entity("E", properties: [attribute])
    let read = try #require(try archive.read().model.entity(named: "E")?.attributes.first)
    #expect(
      read
        == Attribute(
          name: "a", type: .binary, isOptional: false, isTransient: true,
          allowsExternalBinaryDataStorage: true, preservesValueOnDeletion: true,
          valueTransformerName: "T", valueClassName: "NSImage", renamingIdentifier: "old",
          versionHashModifier: "2", userInfo: ["note": "x"]))
  }

  @Test(arguments: [
    (AttributeType.string, "NSString"), (.integer16, "NSNumber"), (.decimal, "NSDecimalNumber"),
    (.date, "NSDate"), (.binary, "NSData"), (.uuid, "NSUUID"), (.uri, "NSURL"),
  ])
  func `the usual class of a type does not count as the author's`(
    _ type: AttributeType, _ name: String
  ) throws {
    var archive = ArchivedModel()
    let attribute = archive.attribute(
      "a", Int64(type.rawValue), [("NSAttributeValueClassName", archive.builder.text(name))])
    archive.entity("E", properties: [attribute])
    #expect(try archive.read().model.entity(named: "E")?.attributes.first?.valueClassName == nil)
  }

  @Test func `relationships are read with inverse, counts and order`() throws {
    var archive = ArchivedModel()
    let (_, pages) = archive.relationship("pages", to: "Page")
    let (_, book) = archive.relationship("book", to: "Book")
    let builder = archive.builder
    archive.builder.set(
      pages, "NSRelationshipDescription",
      [
        ("NSPropertyName", archive.builder.text("pages")),
        ("NSDestinationEntity", archive.reference("Page")), ("NSInverseRelationship", book),
        ("NSMinCount", .integer(1)), ("NSMaxCount", .integer(9)), ("NSDeleteRule", .integer(2)),
        ("NSIsOrdered", .bool(true)), ("NSIsOptional", .bool(true)),
      ])
    archive.builder.set(
      book, "NSRelationshipDescription",
      [
        ("NSPropertyName", archive.builder.text("book")),
        ("_NSDestinationEntityName", archive.builder.text("Book")),
        ("_NSInverseRelationshipName", archive.builder.text("pages")),
        ("NSMinCount", .integer(0)), ("NSMaxCount", .integer(1)), ("NSDeleteRule", .integer(1)),
      ])
    #expect(archive.builder.objects.count > builder.objects.count)
    archive.entity("Book", properties: [("pages", pages)])
    archive.entity("Page", properties: [("book", book)])
    let model = try archive.read().model
    #expect(
      model.entity(named: "Book")?.relationships == [
        Relationship(
          name: "pages", destinationEntityName: "Page", inverseName: "book", minimumCount: 1,
          maximumCount: 9, isOrdered: true, deleteRule: .cascade)
      ])
    #expect(
      model.entity(named: "Page")?.relationships == [
        Relationship(
          name: "book", destinationEntityName: "Book", inverseName: "pages", isOptional: false)
      ])
  }

  /// As an index over the key, and over the entity's number.
  @Test func `an index over an expression description is read`() throws {
    var archive = ArchivedModel()
    let name = archive.attribute("name", 700)
    let own = archive.builder.add("NSSelfExpression", inherits: ["NSExpression"], [])
    let number = archive.builder.add(
      "NSKeyPathSpecifierExpression", inherits: ["NSExpression"],
      [("NSKeyPath", archive.builder.text("entity"))])
    let elements = [own, number].map { expression in
      let description = archive.builder.add(
        "NSExpressionDescription", inherits: ["NSPropertyDescription"],
        [("NSPropertyName", archive.builder.text("unnamed")), ("NSExpression", expression)])
      return archive.builder.add(
        "NSFetchIndexElementDescription",
        [
          ("NSPropertyName", archive.builder.text("unnamed")), ("NSProperty", description),
          ("NSFetchIndexElementType", .integer(0)), ("NSAscending", .bool(true)),
        ])
    }
    let odd = archive.builder.add("NSFetchIndexDescription", [])
    let index = archive.builder.add(
      "NSFetchIndexDescription",
      [
        ("NSIndexName", archive.builder.text("byKey")),
        ("NSIndexElements", archive.builder.array(elements)),
      ])
    archive.entity(
      "Root", properties: [name],
      [("NSFetchIndexDescriptions", archive.builder.array([odd, index]))])
    let read = try archive.read()
    #expect(
      read.model.entity(named: "Root")?.indexes == [
        Entity.Index(
          name: "byKey",
          elements: [
            Entity.Index.Element(expression: "SELF"), Entity.Index.Element(expression: "entity"),
          ])
      ])
    // One that is not understood does not take the model with it.
    #expect(
      read.remarks.all.contains { $0.code == "MOD-105" && $0.message.contains("an index of") })
    #expect(
      StoreLayout(model: read.model).indexes.map(\.createStatement).contains(
        "CREATE INDEX Z_Root_byKey ON ZROOT (Z_PK COLLATE BINARY ASC, Z_ENT COLLATE BINARY ASC)"))
  }

  @Test func `entities are read with parent, constraints, indexes and fetched properties`() throws {
    var archive = ArchivedModel()
    let name = archive.attribute("name", 700)
    let place = archive.attribute("place", 600)
    let fetched = archive.builder.add(
      "NSFetchedPropertyDescription", inherits: ["NSPropertyDescription"],
      [("NSPropertyName", archive.builder.text("recent"))])
    let tuple = archive.builder.array([archive.builder.text("name")], "NSMutableArray")
    let elements = archive.builder.array([
      archive.builder.add(
        "NSFetchIndexElementDescription",
        [
          ("NSPropertyName", archive.builder.text("place")),
          ("NSFetchIndexElementType", .integer(1)), ("NSAscending", .bool(true)),
        ]),
      archive.builder.add(
        "NSFetchIndexElementDescription",
        [
          ("NSPropertyName", archive.builder.text("name")),
          ("NSFetchIndexElementType", .integer(0)), ("NSAscending", .bool(false)),
        ]),
    ])
    let index = archive.builder.add(
      "NSFetchIndexDescription",
      [("NSIndexName", archive.builder.text("near")), ("NSIndexElements", elements)])
    archive.entity(
      "Root", properties: [name, place, ("recent", fetched)],
      [
        ("NSIsAbstract", .bool(true)),
        ("NSClassNameForEntity", archive.builder.text("NSManagedObject")),
        ("NSUniqueTuples", archive.builder.array([tuple])),
        ("NSFetchIndexDescriptions", archive.builder.array([index])),
        ("NSVersionHashModifier", archive.builder.text("m")),
      ])
    archive.entity(
      "Leaf", parent: "Root", [("NSClassNameForEntity", archive.builder.text("App.Leaf"))])
    let read = try archive.read()
    let root = try #require(read.model.entity(named: "Root"))
    #expect(root.isAbstract && root.className == nil && root.renamingIdentifier == nil)
    #expect(root.fetchedProperties.map(\.name) == ["recent"])
    #expect(root.uniquenessConstraints == [["name"]])
    #expect(root.versionHashModifier == "m")
    #expect(
      root.indexes == [
        Entity.Index(
          name: "near",
          elements: [
            Entity.Index.Element(propertyName: "place", kind: .rtree),
            Entity.Index.Element(propertyName: "name", isAscending: false),
          ])
      ])
    let leaf = try #require(read.model.entity(named: "Leaf"))
    #expect(leaf.parentName == "Root" && leaf.className == "App.Leaf")
    #expect(read.model.versionIdentifiers == ["7"])
    #expect(read.model.name == "M")
  }

  @Test(arguments: ["copy", "proxy"])
  func `a cached model's inherited properties belong to the ancestor`(_ style: String) throws {
    var archive = ArchivedModel()
    let name = archive.attribute("name", 700)
    let again =
      style == "copy"
      ? archive.attribute("name", 700)
      : (
        "name",
        archive.builder.add(
          "_NSPropertyDescriptionProxy", [("NSUnderlyingProperty", name.1)])
      )
    let own = archive.attribute("own", 700)
    archive.entity("Leaf", parent: "Root", properties: [again, own])
    archive.entity("Root", properties: [name])
    let model = try archive.read(isCached: true).model
    #expect(model.entity(named: "Root")?.attributes.map(\.name) == ["name"])
    #expect(model.entity(named: "Leaf")?.attributes.map(\.name) == ["own"])
    #expect(model.entities.count == 2)
  }

  @Test func `an index that only repeats an attribute's flag is the flag`() throws {
    var archive = ArchivedModel()
    let flagged = archive.attribute("flagged", 700, [("NSIsIndexed", .bool(true))])
    let named = archive.attribute("named", 700, [("NSIsIndexed", .bool(true))])
    let indexes = ["flagged", "byNamed"].map { name in
      let element = archive.builder.add(
        "NSFetchIndexElementDescription",
        [
          ("NSPropertyName", archive.builder.text(name == "flagged" ? "flagged" : "named")),
          ("NSFetchIndexElementType", .integer(0)), ("NSAscending", .bool(true)),
        ])
      return archive.builder.add(
        "NSFetchIndexDescription",
        [
          ("NSIndexName", archive.builder.text(name)),
          ("NSIndexElements", archive.builder.array([element])),
        ])
    }
    archive.entity(
      "E", properties: [flagged, named],
      [("NSFetchIndexDescriptions", archive.builder.array(indexes))])
    let entity = try #require(try archive.read().model.entity(named: "E"))
    #expect(entity.attributes.map(\.isIndexed) == [true, false])
    #expect(entity.indexes.map(\.name) == ["byNamed"])
  }

  @Test func `compound indexes of old models are named after their attributes`() throws {
    var archive = ArchivedModel()
    let properties = [archive.attribute("a", 700), archive.attribute("b", 700)]
    let list = archive.builder.array([archive.builder.text("b"), archive.builder.text("a")])
    archive.entity(
      "E", properties: properties,
      [("NSCompoundIndexes", archive.builder.array([list, list]))])
    let entity = try #require(try archive.read().model.entity(named: "E"))
    #expect(
      entity.indexes == [
        Entity.Index(
          name: "b_a",
          elements: [
            Entity.Index.Element(propertyName: "b"), Entity.Index.Element(propertyName: "a"),
          ])
      ])
  }

  @Test func `a composite attribute has the attributes its archive holds`() throws {
    var archive = ArchivedModel()
    let x = archive.attribute("x", 500)
    let y = archive.attribute("y", 500)
    let elements = archive.builder.array([x.1, y.1])
    let composite = archive.attribute(
      "position", 2100, [("NSElements", elements)], class: "NSCompositeAttributeDescription")
    archive.entity("E", properties: [composite])
    let attribute = try #require(try archive.read().model.entity(named: "E")?.attributes.first)
    #expect(attribute.type == .composite)
    #expect(attribute.elements.map(\.name) == ["x", "y"])
  }

  /// What a model says beside its entities: a request with an entity, a predicate that cannot be read
  /// and settings; a fetched property; a configuration by entities and one by names.
  @Test func `requests and configurations are read`() throws {
    var archive = ArchivedModel()
    let name = archive.attribute("name", 700)
    let entity = archive.reference("E")
    let request = archive.builder.add(
      "NSFetchRequest", inherits: ["NSPersistentStoreRequest"],
      [
        ("NSEntity", entity), ("NSFetchLimit", .integer(5)),
        ("NSHasIncludesSubentities", .bool(true)),
      ])
    let fetched = archive.builder.add(
      "NSFetchedPropertyDescription", inherits: ["NSPropertyDescription"],
      [("NSPropertyName", archive.builder.text("recent")), ("NSFetchRequest", request)])
    archive.entity("E", properties: [name, ("recent", fetched)])
    archive.requests = archive.builder.dictionary([("All", request)])
    archive.configurations = archive.builder.dictionary([
      ("Cloud", archive.builder.set([entity])),
      ("Local", archive.builder.array([archive.builder.text("E"), archive.builder.text("F")])),
    ])
    let model = try archive.read().model
    let settings = ["NSFetchLimit": "5", "NSHasIncludesSubentities": "YES"]
    #expect(
      model.fetchRequestTemplates == [
        Model.FetchRequest(name: "All", entityName: "E", settings: settings)
      ])
    #expect(
      model.entities[0].fetchedProperties == [
        Entity.FetchedProperty(
          name: "recent",
          fetchRequest: Model.FetchRequest(name: "", entityName: "E", settings: settings))
      ])
    #expect(
      model.configurations == [
        Model.Configuration(name: "Cloud", entityNames: ["E"]),
        Model.Configuration(name: "Local", entityNames: ["E", "F"]),
      ])
  }

  /// A filter changes what a derivation means, and no store says what it does to the hash.
  @Test func `a filtered derivation has an unproved hash`() throws {
    var archive = ArchivedModel()
    let filter = archive.builder.add("NSTruePredicate", inherits: ["NSPredicate"], [])
    let keyPath = archive.builder.add(
      "NSKeyPathExpression", inherits: ["NSFunctionExpression", "NSExpression"], [])
    let total = archive.attribute(
      "total", 300,
      [("NSFilteringPredicate", filter), ("NSDerivationExpression", keyPath)],
      class: "NSDerivedAttributeDescription")
    archive.entity("E", properties: [total])
    let model = try archive.read().model
    #expect(model.entities[0].attributes[0].derivationFilter == "TRUEPREDICATE")
    #expect(model.entitiesWithUnprovedHash == ["E"])
  }
}
