import PassageDiagnostics
import PassageModels
import PassageValues
import Testing

struct ModelCheckerTests {
  private func codes(_ entities: Entity...) -> [String] {
    ModelChecker.check(Model(name: "M", entities: entities)).all.map(\.code)
  }

  private func relationship(
    _ name: String, _ destination: String, _ inverse: String?, minimum: Int = 0, maximum: Int = 1
  ) -> Relationship {
    Relationship(
      name: name, destinationEntityName: destination, inverseName: inverse, minimumCount: minimum,
      maximumCount: maximum)
  }

  @Test func `a sound model has no findings`() {
    #expect(
      codes(
        Entity(
          name: "A", attributes: [Attribute(name: "a", type: .string)],
          relationships: [relationship("b", "B", "as")], uniquenessConstraints: [["a"]],
          indexes: [Entity.Index(name: "i", elements: [.init(propertyName: "b")])]),
        Entity(name: "B", relationships: [relationship("as", "A", "b", maximum: 0)]),
        Entity(
          name: "C", parentName: "A", attributes: [Attribute(name: "_ü1", type: .date)],
          uniquenessConstraints: [["a", "_ü1"]])
      ).isEmpty)
  }

  @Test(arguments: ["", "1a", "a b", "a-b", "a.b", "$a", "a\u{0}"])
  func `a name that is not an identifier is an error`(_ name: String) {
    #expect(codes(Entity(name: name)) == ["MOD-010"])
    #expect(
      codes(Entity(name: "E", attributes: [Attribute(name: name, type: .string)])) == ["MOD-010"])
    #expect(
      codes(Entity(name: "E", fetchedProperties: [Entity.FetchedProperty(name: name)])) == [
        "MOD-010"
      ])
  }

  @Test(arguments: [1_000, 1_001])
  func `a name that messages cannot repeat is an error`(_ bytes: Int) {
    let name = String(repeating: "a", count: bytes)
    let expected = bytes > 1_000 ? ["MOD-010"] : []
    #expect(codes(Entity(name: name)) == expected)
    #expect(
      codes(Entity(name: "E", attributes: [Attribute(name: name, type: .string)])) == expected)
  }

  @Test func `an entity that occurs twice is reported once`() {
    let broken = Entity(name: "E", relationships: [relationship("r", "Nowhere", nil)])
    #expect(codes(Entity(name: "E"), Entity(name: "E")) == ["MOD-011"])
    #expect(codes(Entity(name: "E"), broken) == ["MOD-011"])
    #expect(codes(Entity(name: "E"), Entity(name: "e")).isEmpty)
  }

  @Test func `a property or index that occurs twice is an error`() {
    #expect(
      codes(
        Entity(
          name: "E", attributes: [Attribute(name: "p", type: .string)],
          relationships: [relationship("r", "E", "r")],
          fetchedProperties: [
            Entity.FetchedProperty(name: "p"), Entity.FetchedProperty(name: "r"),
          ]))
        == ["MOD-012", "MOD-012"])
    let index = Entity.Index(name: "i", elements: [.init(propertyName: "p")])
    #expect(
      codes(
        Entity(
          name: "E", attributes: [Attribute(name: "p", type: .string)], indexes: [index, index]))
        == ["MOD-012"])
  }

  @Test func `a missing parent is an error with the nearest name`() {
    let found = ModelChecker.check(
      Model(
        name: "M", entities: [Entity(name: "Message"), Entity(name: "T", parentName: "Mesage")]))
    #expect(found.all.map(\.code) == ["MOD-013"])
    #expect(found.all.first?.remedy == "did you mean “Message”?")
  }

  @Test func `an entity that inherits from itself is an error and shows the circle`() {
    #expect(codes(Entity(name: "A", parentName: "A")) == ["MOD-014"])
    let found = ModelChecker.check(
      Model(
        name: "M",
        entities: [
          Entity(name: "A", parentName: "B"), Entity(name: "B", parentName: "A"),
          Entity(name: "C", parentName: "A"), Entity(name: "D"),
        ]))
    #expect(found.all.map(\.code) == ["MOD-014", "MOD-014", "MOD-014"])
    #expect(found.all.map(\.reason) == ["A → B → A", "B → A → B", "C → A → B → A"])
  }

  @Test(arguments: [(256, 0), (257, 1), (5_000, 1)])
  func `inheritance has a limit`(_ count: Int, _ expected: Int) {
    let chain = (0..<count).map { level in
      Entity(name: "E\(level)", parentName: level == 0 ? nil : "E\(level - 1)")
    }
    let found = ModelChecker.check(Model(name: "M", entities: chain))
    #expect(found.all.map(\.code) == Array(repeating: "MOD-015", count: expected))
  }

  @Test func `a property with an inherited name is an error`() {
    #expect(
      codes(
        Entity(name: "A", attributes: [Attribute(name: "p", type: .string)]),
        Entity(name: "B", parentName: "A"),
        Entity(name: "C", parentName: "B", fetchedProperties: [Entity.FetchedProperty(name: "p")]))
        == [
          "MOD-016"
        ])
  }

  @Test func `a missing destination or inverse is an error`() {
    #expect(codes(Entity(name: "A", relationships: [relationship("r", "B", "s")])) == ["MOD-020"])
    #expect(
      codes(Entity(name: "A", relationships: [relationship("r", "B", "s")]), Entity(name: "B"))
        == ["MOD-021"])
  }

  @Test(arguments: ["other", nil])
  func `an inverse that is not mutual is an error`(_ back: String?) {
    let found = codes(
      Entity(
        name: "A", relationships: [relationship("r", "B", "s"), relationship("other", "B", "s2")]),
      Entity(
        name: "B", relationships: [relationship("s", "A", back), relationship("s2", "A", "other")]))
    #expect(found == (back == nil ? ["MOD-022", "MOD-024"] : ["MOD-022", "MOD-022"]))
  }

  @Test(
    arguments: [
      (false, false, false, Diagnostic.Severity.warning), (true, false, false, .warning),
      (false, true, false, .warning), (true, true, false, .error), (true, false, true, .error),
    ])
  func `an inverse that names another one is a warning where a column holds the links`(
    isToMany: Bool, isInverseToMany: Bool, isOrdered: Bool, severity: Diagnostic.Severity
  ) {
    func made(_ name: String, _ to: String, _ inverse: String, _ isToMany: Bool) -> Relationship {
      Relationship(
        name: name, destinationEntityName: to, inverseName: inverse, maximumCount: isToMany ? 0 : 1)
    }
    var first = made("r", "B", "s", isToMany)
    first.isOrdered = isOrdered
    let found = ModelChecker.check(
      Model(
        name: "M",
        entities: [
          Entity(name: "A", relationships: [first, made("own", "B", "s", true)]),
          Entity(name: "B", relationships: [made("s", "A", "own", isInverseToMany)]),
        ]))
    #expect(found.all.map(\.code) == ["MOD-022"])
    #expect(found.all.map(\.severity) == [severity])
  }

  @Test func `an inverse that leads elsewhere is an error`() {
    let found = codes(
      Entity(name: "A", relationships: [relationship("r", "B", "s")]),
      Entity(name: "B", relationships: [relationship("s", "C", "r")]),
      Entity(name: "C", relationships: [relationship("r", "B", "s")]))
    #expect(found == ["MOD-022"])
  }

  @Test func `an inverse may be inherited on either side`() {
    #expect(
      codes(
        Entity(name: "A", relationships: [relationship("r", "B2", "s")]),
        Entity(name: "A2", parentName: "A"),
        Entity(name: "B", relationships: [relationship("s", "A2", "r")]),
        Entity(name: "B2", parentName: "B")
      ).isEmpty)
  }

  @Test(arguments: [
    (0, 0, true), (5, 0, true), (1, 1, true), (2, 5, true), (2, 1, false), (6, 5, false),
    (-1, 1, false), (0, -1, false),
  ])
  func `the minimum count is at most the maximum`(_ minimum: Int, _ maximum: Int, _ isSound: Bool) {
    let found = codes(
      Entity(
        name: "A", relationships: [relationship("r", "A", "r", minimum: minimum, maximum: maximum)])
    )
    #expect(found == (isSound ? [] : ["MOD-023"]))
  }

  @Test func `a relationship without an inverse is a warning`() {
    let found = ModelChecker.check(
      Model(name: "M", entities: [Entity(name: "A", relationships: [relationship("r", "A", nil)])]))
    #expect(found.all.map(\.code) == ["MOD-024"])
    #expect(!found.hasErrors)
  }

  @Test func `constraints and indexes name existing properties`() {
    #expect(
      codes(Entity(name: "A", uniquenessConstraints: [[], ["x"]])) == ["MOD-030", "MOD-030"])
    #expect(
      codes(
        Entity(
          name: "A",
          indexes: [
            Entity.Index(name: "i", elements: []),
            Entity.Index(name: "j", elements: [.init(propertyName: "x")]),
          ])) == ["MOD-031", "MOD-031"])
  }

  @Test(arguments: [
    (AttributeType.integer16, Value.integer(40_000)), (.string, 1), (.boolean, 2),
    (.uuid, .blob([1])), (.date, "now"), (.double, .real(.infinity)), (.binary, "x"),
    (.objectID, 1), (.string, .malformedText([0xFF])),
  ])
  func `a default of the wrong type is an error`(_ type: AttributeType, _ value: Value) {
    #expect(
      codes(Entity(name: "A", attributes: [Attribute(name: "a", type: type, defaultValue: value)]))
        == ["MOD-040"])
  }

  @Test func `elements and the composite type go together`() {
    #expect(
      codes(Entity(name: "A", attributes: [Attribute(name: "a", type: .composite)])) == ["MOD-041"])
    #expect(
      codes(
        Entity(
          name: "A",
          attributes: [
            Attribute(
              name: "a", type: .string, elements: [Attribute(name: "1", type: .string)])
          ])) == ["MOD-041", "MOD-010"])
  }

  @Test func `a mistake that only hurts the hash is a warning`() {
    let found = ModelChecker.check(
      Model(
        name: "M",
        entities: [
          Entity(
            name: "A",
            attributes: [
              Attribute(name: "a", type: .string, derivation: "1 + 1"),
              Attribute(name: "b", type: .string, allowsExternalBinaryDataStorage: true),
            ])
        ]))
    #expect(found.all.map(\.code) == ["MOD-042", "MOD-043"])
    #expect(!found.hasErrors)
  }

  @Test func `a long name is not repeated whole in every finding about its parts`() {
    let long = String(repeating: "n", count: 1 << 20)
    let wrong = (0..<50).map { "E\($0)" }
    let indexed = Entity(
      name: "A", attributes: [Attribute(name: "a", type: .string)],
      indexes: [
        Entity.Index(name: long, elements: wrong.map { Entity.Index.Element(propertyName: $0) })
      ])
    let found = ModelChecker.check(
      Model(
        name: "M", entities: [indexed],
        configurations: [Model.Configuration(name: long, entityNames: wrong)]))
    #expect(found.all.count { $0.code == "MOD-031" } == 50)
    #expect(found.all.count { $0.code == "MOD-045" } == 50)
    #expect(found.all.allSatisfy { $0.message.utf8.count < 2_000 })
  }

  @Test(.timeLimit(.minutes(15)))
  func `a hundred thousand mistakes are counted, not listed`() {
    let entities = (0..<100_000).map { Entity(name: "E\($0)", parentName: "P\($0)") }
    let found = ModelChecker.check(Model(name: "M", entities: entities))
    #expect(found.all.count == 1_001)
    #expect(found.all.last?.code == "MOD-099")
    #expect(found.all.last?.message == "99000 more findings are not listed")
  }

  @Test(.timeLimit(.minutes(15)))
  func `a circle of a hundred thousand entities is refused quickly`() {
    let count = 100_000
    let circle = (0..<count).map { number in
      Entity(
        name: "E\(number)", parentName: "E\((number + 1) % count)",
        attributes: [Attribute(name: "a", type: .string)])
    }
    let found = #expect(throws: Diagnostics.self) {
      _ = try ReadModel(
        checking: Model(name: "M", entities: circle), findings: Diagnostics(),
        locations: ModelLocations())
    }
    #expect(found?.all.first?.code == "MOD-014")
    #expect(found?.all.count == 1_001)
  }
}
