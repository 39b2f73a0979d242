import PassageDiagnostics
import PassageMappings
import PassageModels
import PassageValues
import Testing

/// Everything that cannot be inferred, with its code and place.
struct InferenceRefusalTests {
  private func refusals(_ old: [Entity], _ new: [Entity]) throws -> [String] {
    let error = try #require(throws: Diagnostics.self) {
      try InferredMapping.infer(
        from: Model(name: "1", entities: old), to: Model(name: "2", entities: new))
    }
    return error.errors.map { finding in
      #expect(finding.reason != nil)
      #expect(finding.remedy != nil)
      return "\(finding.code) \(finding.message)"
    }
  }

  private func note(_ attributes: Attribute...) -> Entity {
    Entity(name: "Note", attributes: attributes)
  }

  private func pair(_ relationships: [Relationship], _ inverses: [Relationship] = []) -> [Entity] {
    [Entity(name: "A", relationships: relationships), Entity(name: "B", relationships: inverses)]
  }

  private func one(_ name: String, _ end: String, _ inverse: String? = nil) -> Relationship {
    Relationship(name: name, destinationEntityName: end, inverseName: inverse)
  }

  private func many(_ name: String, _ end: String, _ inverse: String? = nil) -> Relationship {
    Relationship(
      name: name, destinationEntityName: end, inverseName: inverse, maximumCount: 0)
  }

  @Test
  func `a name that two renaming identifiers claim is ambiguous`() throws {
    #expect(
      try refusals(
        [note(Attribute(name: "a", type: .string))],
        [
          note(
            Attribute(name: "a", type: .string),
            Attribute(name: "b", type: .string, renamingIdentifier: "a"))
        ]) == [
          "INF-001 it cannot be determined which property of “Note” became which: “a” may have "
            + "become “a”, “b”"
        ])
    #expect(
      try refusals(
        [Entity(name: "A")],
        [
          Entity(name: "B", renamingIdentifier: "A"), Entity(name: "C", renamingIdentifier: "A"),
        ]) == [
          "INF-001 it cannot be determined which entity became which: “A” may have become "
            + "“B”, “C”"
        ])
    #expect(
      try refusals(
        [Entity(name: "B", renamingIdentifier: "A"), Entity(name: "C", renamingIdentifier: "A")],
        [Entity(name: "D", renamingIdentifier: "A")]
      ) == [
        "INF-001 it cannot be determined which entity became which: “B”, “C” may have become "
          + "“D”"
      ])
  }

  @Test
  func `hierarchies are not merged`() throws {
    #expect(
      try refusals(
        [Entity(name: "A"), Entity(name: "B")],
        [
          Entity(name: "A", parentName: "P"), Entity(name: "B", parentName: "Q"),
          Entity(name: "P"), Entity(name: "Q", parentName: "P"),
        ]) == ["INF-002 the entities “A” and “B” now have a common parent, “P”"])
  }

  @Test
  func `an entity with objects does not become abstract`() throws {
    #expect(
      try refusals([Entity(name: "A")], [Entity(name: "A", isAbstract: true)])
        == ["INF-003 the entity “A” became abstract"])
  }

  @Test(arguments: [
    (AttributeType.integer64, AttributeType.integer32), (.string, .integer16), (.double, .date),
    (.double, .float), (.integer16, .boolean), (.binary, .transformable), (.uri, .string),
  ])
  func `values are not converted`(from: AttributeType, to: AttributeType) throws {
    #expect(
      try refusals([note(Attribute(name: "a", type: from))], [note(Attribute(name: "a", type: to))])
        == ["INF-004 “Note.a” changed its type from \(from.name) to \(to.name)"])
  }

  @Test
  func `a required attribute needs a default, which is reported once for all heirs`() throws {
    let optional = Attribute(name: "a", type: .string)
    var required = optional
    required.isOptional = false
    let heirs = ["X", "Y"].map { Entity(name: $0, parentName: "Note") }
    #expect(
      try refusals([note()] + heirs, [note(required)] + heirs)
        == ["INF-005 “Note.a” is new and required, but has no default"])
    #expect(
      try refusals([note(optional)] + heirs, [note(required)] + heirs)
        == ["INF-005 “Note.a” became required, but has no default"])
    let bytes = Attribute(name: "b", type: .binary)
    var requiredBytes = bytes
    requiredBytes.isOptional = false
    requiredBytes.defaultValue = .blob([1])
    #expect(
      try refusals([note(bytes)], [note(requiredBytes)]) == [
        "INF-005 “Note.b” became required, but its default cannot be written as an expression"
      ])
  }

  @Test
  func `a to-many relationship does not become to-one`() throws {
    #expect(
      try refusals(pair([many("b", "B")]), pair([one("b", "B")]))
        == ["INF-006 “A.b” was to-many and is now to-one"])
  }

  @Test
  func `a required relationship must be filled by something`() throws {
    var toOne = one("b", "B", "a")
    toOne.isOptional = false
    var toMany = many("c", "B")
    toMany.isOptional = false
    toMany.minimumCount = 1
    #expect(
      try refusals(pair([]), pair([toOne, toMany], [many("a", "A", "b")])) == [
        "INF-007 “A.b” is required, but nothing in the source gives it objects",
        "INF-007 “A.c” is required, but nothing in the source gives it objects",
      ])
    // Its inverse fills it, or nothing has to.
    toMany.minimumCount = 0
    let old = pair([one("former", "B", "a")], [many("a", "A", "former")])
    let new = pair([toOne, toMany], [many("a", "A", "b")])
    #expect(try InferenceTests.infer(old, new).entityMappings.count == 2)
  }

  @Test
  func `a relationship does not lead to another entity`() throws {
    let others = [Entity(name: "B"), Entity(name: "C")]
    #expect(
      try refusals(
        [Entity(name: "A", relationships: [one("b", "B")])] + others,
        [Entity(name: "A", relationships: [one("b", "C")])] + others)
        == ["INF-008 “A.b” leads to “C” instead of “B”"])
  }

  @Test
  func `a relationship does not narrow to a subentity that has objects already`() throws {
    let family = [Entity(name: "B"), Entity(name: "C", parentName: "B")]
    #expect(
      try refusals(
        [Entity(name: "A", relationships: [one("b", "B")])] + family,
        [Entity(name: "A", relationships: [one("b", "C")])] + family)
        == ["INF-008 “A.b” leads to “C” instead of “B”"])
  }

  @Test(arguments: ["Sun", "Star"])
  func `a subentity that leaves the end of a relationship is named`(name: String) throws {
    let end = Entity(name: name, renamingIdentifier: name == "Sun" ? nil : "Sun")
    let error = try #require(throws: Diagnostics.self) {
      try InferredMapping.infer(
        from: Model(
          name: "1",
          entities: [
            Entity(name: "A", relationships: [one("b", "Sun")]), Entity(name: "Sun"),
            Entity(name: "Kid", parentName: "Sun"),
          ]),
        to: Model(
          name: "2",
          entities: [
            Entity(name: "A", relationships: [one("b", name)]), end, Entity(name: "Kid"),
          ]))
    }
    let found = try #require(error.errors.first)
    #expect(found.code == "INF-008")
    #expect(found.message == "“A.b” leads to “\(name)”, which “Kid” no longer belongs to")
    #expect(found.reason?.contains("objects of “Kid”") == true)
    #expect(
      found.remedy == "leave “Kid” below “\(name)” in the model, or write a mapping model")
  }

  /// A name that another entity has taken over says nothing.
  @Test
  func `the end of a relationship is named as it is called now`() throws {
    let new = [
      Entity(name: "C", renamingIdentifier: "B"), Entity(name: "B", renamingIdentifier: "X"),
    ]
    #expect(
      try refusals(
        [
          Entity(name: "A", relationships: [one("b", "B")]), Entity(name: "B"), Entity(name: "X"),
        ], [Entity(name: "A", relationships: [one("b", "B")])] + new)
        == ["INF-008 “A.b” leads to “B” instead of “C”"])
  }

  @Test
  func `a required relationship that narrows to a new subentity has no objects`() throws {
    var required = one("b", "C")
    required.isOptional = false
    let error = try #require(throws: Diagnostics.self) {
      try InferredMapping.infer(
        from: Model(
          name: "1",
          entities: [Entity(name: "A", relationships: [one("b", "B")]), Entity(name: "B")]),
        to: Model(
          name: "2",
          entities: [
            Entity(name: "A", relationships: [required]), Entity(name: "B"),
            Entity(name: "C", parentName: "B"),
          ]))
    }
    #expect(error.errors.map(\.code) == ["INF-007"])
  }

  @Test
  func `an attribute does not become a relationship, nor the other way round`() throws {
    let attribute = Entity(name: "A", attributes: [Attribute(name: "b", type: .string)])
    let relationship = Entity(name: "A", relationships: [one("b", "A")])
    #expect(
      try refusals([attribute], [relationship])
        == ["INF-009 “A.b” was an attribute and is now a relationship"])
    #expect(
      try refusals([relationship], [attribute])
        == ["INF-009 “A.b” was a relationship and is now an attribute"])
  }

  @Test
  func `independent relationships do not become inverses of one another`() throws {
    #expect(
      try refusals(
        pair([one("b", "B")], [one("a", "A")]), pair([one("b", "B", "a")], [one("a", "A", "b")]))
        == [
          "INF-010 “A.b” is now the inverse of “B.a”", "INF-010 “B.a” is now the inverse of “A.b”",
        ])
  }

  @Test
  func `binary data does not move in or out of files of its own`() throws {
    let inside = Attribute(name: "a", type: .binary)
    let outside = Attribute(name: "a", type: .binary, allowsExternalBinaryDataStorage: true)
    #expect(
      try refusals([note(inside)], [note(outside)])
        == ["INF-011 “Note.a” may now store its data in separate files"])
    #expect(
      try refusals([note(outside)], [note(inside)])
        == ["INF-011 “Note.a” may no longer store its data in separate files"])
  }

  @Test
  func `every mistake is reported at once`() throws {
    let codes = try refusals(
      [Entity(name: "A"), note(Attribute(name: "a", type: .string))],
      [
        Entity(name: "A", isAbstract: true),
        note(
          Attribute(name: "a", type: .date),
          Attribute(name: "b", type: .string, isOptional: false)),
      ]
    ).map { $0.prefix(7) }
    #expect(codes == ["INF-003", "INF-004", "INF-005"])
  }
}
