import PassageDiagnostics
import PassageMappings
import PassageModels
import PassageValues
import Testing

/// What is inferred. What is not is in ``InferenceRefusalTests``.
struct InferenceTests {
  /// Infers, and has the result accepted by the checker and by the file format.
  ///
  /// - Parameter warnings: the codes the checker warns with.
  static func infer(
    _ old: [Entity], _ new: [Entity], warnings: [String] = []
  ) throws -> MappingModel {
    let source = Model(name: "1", entities: old)
    let destination = Model(name: "2", entities: new)
    let mapping = try InferredMapping.infer(from: source, to: destination)
    let (_, findings) = MappingChecker.check(
      mapping, source: source, destination: destination, policies: [])
    #expect(findings.errors == [])
    #expect(findings.all.map(\.code) == warnings)
    let text = MappingDocument.encode(mapping)
    #expect(try MappingDocument.decode(Array(text.utf8), file: "x.json") == mapping)
    return mapping
  }

  static func note(_ attributes: [Attribute], _ relationships: [Relationship] = []) -> Entity {
    Entity(name: "Note", attributes: attributes, relationships: relationships)
  }

  @Test
  func
    `entities that did not change are copied, changed ones transformed, others added and removed`()
    throws
  {
    let same = Entity(name: "Same", attributes: [Attribute(name: "a", type: .string)])
    let mapping = try Self.infer(
      [same, Self.note([Attribute(name: "a", type: .date)]), Entity(name: "Old")],
      [same, Self.note([]), Entity(name: "New")])
    #expect(
      mapping.entityMappings.map(\.name.value) == [
        "IEM_Add_New", "IEM_Transform_Note", "IEM_Copy_Same", "IEM_Remove_Old",
      ])
    #expect(mapping.entityMappings.map(\.kind) == [.add, .transform, .copy, .remove])
    #expect(mapping.entityMappings.allSatisfy { $0.attributeMappings.isEmpty })
    #expect(mapping.isInferred)
    #expect(mapping.source.value == "1")
    #expect(mapping.destination.value == "2")
  }

  @Test
  func `a renamed entity is found by its renaming identifier and named after the source`() throws {
    let mapping = try Self.infer(
      [Entity(name: "Old")], [Entity(name: "New", renamingIdentifier: "Old")])
    #expect(
      mapping.entityMappings == [
        EntityMapping(
          name: "IEM_Transform_Old", kind: .transform, source: "Old", destination: "New")
      ])
  }

  /// An attribute before and after, by name and renaming identifier.
  struct Rename: Sendable {
    var old: String
    var oldIdentifier: String?
    var new: String
    var newIdentifier: String?
    var expression: String
  }

  @Test(arguments: [
    // Renamed just now; renamed before with the first name kept; renamed twice, with the name in
    // between; renamed back to the first name; a name that is a word of the expression language.
    Rename(old: "a", new: "b", newIdentifier: "a", expression: "$source.a"),
    Rename(
      old: "b", oldIdentifier: "a", new: "c", newIdentifier: "a", expression: "$source.b"),
    Rename(
      old: "b", oldIdentifier: "a", new: "c", newIdentifier: "b", expression: "$source.b"),
    Rename(old: "b", oldIdentifier: "a", new: "a", expression: "$source.b"),
    Rename(old: "size", new: "b", newIdentifier: "size", expression: "$source.#size"),
  ])
  func `a renamed attribute takes the value of the one it was`(rename: Rename) throws {
    let mapping = try Self.infer(
      [
        Self.note([
          Attribute(
            name: rename.old, type: .string, renamingIdentifier: rename.oldIdentifier)
        ])
      ],
      [
        Self.note([
          Attribute(
            name: rename.new, type: .string, renamingIdentifier: rename.newIdentifier)
        ])
      ])
    #expect(
      mapping.entityMappings[0].attributeMappings == [
        PropertyMapping(name: rename.new, expression: rename.expression)
      ])
  }

  @Test
  func `a name that was renamed away and given to a new attribute is not mistaken`() throws {
    let kept = Attribute(name: "b", type: .string, renamingIdentifier: "a")
    let mapping = try Self.infer(
      [Self.note([kept])], [Self.note([kept, Attribute(name: "a", type: .string)])])
    #expect(mapping.entityMappings[0].attributeMappings == [PropertyMapping(name: "b")])
  }

  @Test
  func `two names that were exchanged by renaming identifiers are exchanged`() throws {
    let mapping = try Self.infer(
      [Self.note([Attribute(name: "a", type: .string), Attribute(name: "b", type: .string)])],
      [
        Self.note([
          Attribute(name: "a", type: .string, renamingIdentifier: "b"),
          Attribute(name: "b", type: .string, renamingIdentifier: "a"),
        ])
      ])
    #expect(mapping.entityMappings[0].kind == .transform)
    #expect(
      mapping.entityMappings[0].attributeMappings == [
        PropertyMapping(name: "a", expression: "$source.b"),
        PropertyMapping(name: "b", expression: "$source.a"),
      ])
  }

  @Test(arguments: [
    (AttributeType.integer16, Value.integer(-7), "-7"),
    (.integer64, .integer(.max), "9223372036854775807"),
    (.boolean, .integer(1), "YES"),
    (.double, .real(0.25), "0.25"),
    (.string, .text("say \"a\\b\""), #""say \"a\\b\"""#),
    (.date, .real(-12.5), #"CAST(-12.5, "NSDate")"#),
    (.uri, .text("https://example.com"), #""https://example.com""#),
    (
      .uuid,
      .blob([
        0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E,
        0x5F,
      ]),
      #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#
    ),
  ])
  func `an attribute that became required gets its default where it is nil`(
    type: AttributeType, standard: Value, expression: String
  ) throws {
    let mapping = try Self.infer(
      [Self.note([Attribute(name: "a", type: type)])],
      [Self.note([Attribute(name: "a", type: type, isOptional: false, defaultValue: standard)])])
    #expect(
      mapping.entityMappings[0].attributeMappings == [
        PropertyMapping(name: "a", fallback: expression)
      ])
  }

  @Test(arguments: [
    (AttributeType.boolean, AttributeType.integer16), (.integer16, .integer32),
    (.integer16, .integer64), (.integer32, .integer64), (.float, .double),
  ])
  func `a number may become wider`(from: AttributeType, to: AttributeType) throws {
    let mapping = try Self.infer(
      [Self.note([Attribute(name: "a", type: from)])],
      [Self.note([Attribute(name: "a", type: to)])])
    #expect(mapping.entityMappings[0].attributeMappings == [PropertyMapping(name: "a")])
  }

  @Test
  func `transient and derived attributes and those with a default are left to themselves`() throws {
    let mapping = try Self.infer(
      [Self.note([Attribute(name: "a", type: .string, isTransient: true)])],
      [
        Self.note([
          Attribute(name: "a", type: .string),
          Attribute(name: "b", type: .integer16, isOptional: false, defaultValue: 3),
          Attribute(name: "c", type: .string, isTransient: true),
          Attribute(name: "d", type: .integer64, derivation: "now()"),
          Attribute(name: "e", type: .integer64, derivation: "random()"),
        ])
      ], warnings: ["MAP-029"])
    #expect(mapping.entityMappings[0].attributeMappings == [])
  }

  @Test
  func `a renamed relationship follows the one it was, and its inverse too`() throws {
    func models(_ owner: String, _ notes: String, _ identifiers: (String?, String?)) -> [Entity] {
      [
        Entity(
          name: "User",
          relationships: [
            Relationship(
              name: notes, destinationEntityName: "Note", inverseName: owner, maximumCount: 0,
              renamingIdentifier: identifiers.1)
          ]),
        Self.note(
          [],
          [
            Relationship(
              name: owner, destinationEntityName: "User", inverseName: notes,
              renamingIdentifier: identifiers.0)
          ]),
      ]
    }
    let mapping = try Self.infer(
      models("owner", "notes", (nil, nil)), models("author", "texts", ("owner", "notes")))
    #expect(
      mapping.entityMappings.flatMap(\.relationshipMappings) == [
        PropertyMapping(
          name: "author",
          expression: "FUNCTION($manager, "
            + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"owner\", "
            + "$source.owner)"),
        PropertyMapping(
          name: "texts",
          expression: "FUNCTION($manager, "
            + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"notes\", "
            + "$source.notes)"),
      ])
  }

  @Test
  func `properties may move to a parent and entities under a new one`() throws {
    let title = Attribute(name: "title", type: .string)
    let mapping = try Self.infer(
      [Self.note([title])],
      [
        Entity(name: "Item", isAbstract: true, attributes: [title]),
        Entity(name: "Note", parentName: "Item"),
      ])
    #expect(
      mapping.entityMappings == [
        EntityMapping(
          name: "IEM_Transform_Note", kind: .transform, source: "Note", destination: "Note",
          attributes: [PropertyMapping(name: "title")])
      ])
  }

  @Test
  func `entities may leave a hierarchy, join one, and come under another parent of theirs`() throws
  {
    let mapping = try Self.infer(
      [
        Entity(name: "A"), Entity(name: "B", parentName: "A"), Entity(name: "C", parentName: "B"),
        Entity(name: "D"), Entity(name: "E"),
      ],
      [
        Entity(name: "A"), Entity(name: "B"), Entity(name: "C", parentName: "A"),
        Entity(name: "D"), Entity(name: "E", parentName: "D"),
      ])
    #expect(mapping.entityMappings.count == 5)
  }

  @Test
  func `a model is copied as a whole where nothing changed`() throws {
    let entities = [
      Self.note(
        [Attribute(name: "a", type: .string, isOptional: false)],
        [Relationship(name: "next", destinationEntityName: "Note", inverseName: "next")]),
      Entity(name: "Base", isAbstract: true),
    ]
    let mapping = try Self.infer(entities, entities)
    #expect(mapping.entityMappings.map(\.name.value) == ["IEM_Copy_Note"])
  }
}
