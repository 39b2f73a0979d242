import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Inferred mappings, run in both lanes.
struct InferredMigrationTests {
  private func migrate(
    _ old: [Entity], _ new: [Entity], fill: (TestStore) throws -> Void
  ) throws -> StoreContents {
    let source = Model("1", old)
    let destination = Model("2", new)
    return try Trial(
      source, destination, [InferredMapping.infer(from: source, to: destination)], fill: fill
    ).migrate().contents
  }

  @Test
  func `every type keeps its values, and a default fills an attribute that became required`() throws
  {
    let types: [(AttributeType, Value, Value)] = [
      (.integer16, 5, 6), (.integer64, .integer(.max), 7), (.boolean, true, true),
      (.double, 0.125, 1.5), (.float, 0.5, 2.5), (.decimal, 10.25, 0.75), (.string, "a", "it's"),
      (.date, 99.5, -3.25), (.uri, "file:///x", "https://y.example"),
      (.uuid, .blob(Array(0..<16)), .blob(Array(16..<32))),
    ]
    func entity(isOptional: Bool) -> Entity {
      Entity(
        "Note",
        types.map { type, _, standard in
          Attribute(
            name: type.name, type: type, isOptional: isOptional,
            defaultValue: isOptional ? .null : standard)
        })
    }
    let found = try migrate([entity(isOptional: true)], [entity(isOptional: false)]) { store in
      try store.insert(
        "Note", Dictionary(uniqueKeysWithValues: types.map { ($0.0.name, $0.1) }))
      try store.insert("Note")
    }
    for (type, value, standard) in types {
      #expect(found["Note"].map { $0[type.name] } == [value, standard], "\(type)")
    }
  }

  /// `C` is new between `B` and its child `D`, so objects of `D` may stay related and those of `B`
  /// may not.
  @Test(arguments: [false, true])
  func `a relationship that narrows to a new subentity keeps the links that fit`(
    isToMany: Bool
  ) throws {
    func owner(_ end: String) -> Entity {
      Entity("A", [.text("name")], [isToMany ? .many("b", end) : .one("b", end)])
    }
    let source = Model("1", [owner("B"), Entity("B", [.text("x")]), Entity("D", parent: "B")])
    let destination = Model(
      "2",
      [
        owner("C"), Entity("B", [.text("x")]), Entity("C", parent: "B"), Entity("D", parent: "C"),
      ])
    let mapping = try InferredMapping.infer(from: source, to: destination)
    #expect(mapping.remarks.all.map(\.code) == ["INF-103"])
    let (found, report) = try Trial(source, destination, [mapping]) { store in
      let b = try store.insert("B", ["x": .text("b")])
      let d = try store.insert("D", ["x": .text("d")])
      for end in [b, d] { try store.insert("A", [:], ["b": [end]]) }
    }.migrate()
    #expect(found["A"].map { ($0.related["b"] ?? []).map(\.entityName) } == [[], ["D"]])
    #expect(found["B"].count == 1)
    let codes = report.warnings.all.map(\.code)
    #expect(codes.contains("INF-103"))
    #expect(codes.contains("RUN-082"))
  }

  @Test
  func `a relationship to a new subentity without objects loses its links, and says so`() throws {
    let source = Model("1", [Entity("A", [], [.one("b", "B")]), Entity("B")])
    let destination = Model(
      "2", [Entity("A", [], [.one("b", "C")]), Entity("B"), Entity("C", parent: "B")])
    let mapping = try InferredMapping.infer(from: source, to: destination)
    let (found, report) = try Trial(source, destination, [mapping]) { store in
      try store.insert("A", [:], ["b": [store.insert("B")]])
    }.migrate()
    #expect(found["A"].map { ($0.related["b"] ?? []).count } == [0])
    #expect(found["B"].count == 1)
    let codes = report.warnings.all.map(\.code)
    #expect(codes.contains("INF-103"))
    #expect(codes.contains("RUN-081"))
  }

  @Test(arguments: [false, true])
  func `a to-one relationship becomes to-many, with and without an order`(isOrdered: Bool) throws {
    let found = try migrate(
      [
        Entity("A", [], [.one("b", "B", inverse: "a")]),
        Entity("B", [], [.many("a", "A", inverse: "b")]),
      ],
      [
        Entity("A", [], [.many("b", "B", inverse: "a", isOrdered: isOrdered)]),
        Entity("B", [], [.many("a", "A", inverse: "b")]),
      ]
    ) { store in
      let targets = try (0..<2).map { _ in try store.insert("B") }
      for target in [0, 1, 0] { try store.insert("A", [:], ["b": [targets[target]]]) }
      try store.insert("A")
    }
    #expect(found["A"].map { $0.keys("b") } == [[1], [2], [1], []])
    #expect(found["B"].map { $0.keys("a") } == [[1, 3], [2]])
  }

  @Test(arguments: [(false, true), (true, false), (true, true)])
  func `a to-many relationship gains, loses and keeps its order`(before: Bool, after: Bool) throws {
    func entities(_ isOrdered: Bool, _ attribute: String) -> [Entity] {
      [
        Entity("A", [.text(attribute)], [.many("b", "B", inverse: "a", isOrdered: isOrdered)]),
        Entity("B", [], [.one("a", "A", inverse: "b")]),
      ]
    }
    let found = try migrate(entities(before, "old"), entities(after, "new")) { store in
      let targets = try (0..<3).map { _ in try store.insert("B") }
      try store.insert("A", [:], ["b": [targets[2], targets[0], targets[1]]])
    }
    #expect(found["A"].map { $0.keys("b") } == [before && after ? [3, 1, 2] : [1, 2, 3]])
  }

  @Test
  func `a new to-one inverse reads the links backwards`() throws {
    let found = try migrate(
      [Entity("A", [], [.one("b", "B")]), Entity("B")],
      [
        Entity("A", [], [.one("b", "B", inverse: "a")]),
        Entity("B", [], [.one("a", "A", inverse: "b")]),
      ]
    ) { store in
      let targets = try (0..<3).map { _ in try store.insert("B") }
      try store.insert("A", [:], ["b": [targets[2]]])
      try store.insert("A")
      try store.insert("A", [:], ["b": [targets[0]]])
    }
    #expect(found["A"].map { $0.keys("b") } == [[3], [], [1]])
    #expect(found["B"].map { $0.keys("a") } == [[3], [], [1]])
  }

  @Test
  func `a new to-one inverse of shared objects is refused with the first of them`() throws {
    let source = Model("1", [Entity("A", [], [.one("b", "B")]), Entity("B")])
    let destination = Model(
      "2",
      [
        Entity("A", [], [.one("b", "B", inverse: "a")]),
        Entity("B", [], [.one("a", "A", inverse: "b")]),
      ])
    let trial = try Trial(
      source, destination, [InferredMapping.infer(from: source, to: destination)]
    ) { store in
      let target = try store.insert("B")
      for _ in 0..<2 { try store.insert("A", [:], ["b": [target]]) }
    }
    #expect(try trial.failure().codes == ["RUN-023"])
  }

  @Test
  func `a new to-many inverse has the objects that led there`() throws {
    let found = try migrate(
      [Entity("A", [], [.one("b", "B")]), Entity("B")],
      [
        Entity("A", [], [.one("b", "B", inverse: "a")]),
        Entity("B", [], [.many("a", "A", inverse: "b")]),
      ]
    ) { store in
      let target = try store.insert("B")
      for _ in 0..<2 { try store.insert("A", [:], ["b": [target]]) }
    }
    #expect(found["B"].map { $0.keys("a") } == [[1, 2]])
  }

  @Test
  func `many-to-many links follow renamed entities and relationships`() throws {
    let found = try migrate(
      [
        Entity("A", [], [.many("bs", "B", inverse: "as")]),
        Entity("B", [], [.many("as", "A", inverse: "bs")]),
      ],
      [
        Entity(
          name: "Z",
          relationships: [
            Relationship(
              name: "ys", destinationEntityName: "Y", inverseName: "zs", maximumCount: 0,
              renamingIdentifier: "bs")
          ], renamingIdentifier: "A"),
        Entity(
          name: "Y",
          relationships: [
            Relationship(
              name: "zs", destinationEntityName: "Z", inverseName: "ys", maximumCount: 0,
              renamingIdentifier: "as")
          ], renamingIdentifier: "B"),
      ]
    ) { store in
      let targets = try (0..<3).map { _ in try store.insert("B") }
      try store.insert("A", [:], ["bs": [targets[0], targets[2]]])
      try store.insert("A", [:], ["bs": [targets[2]]])
    }
    #expect(found["Z"].map { $0.keys("ys") } == [[1, 3], [3]])
    #expect(found["Y"].map { $0.keys("zs") } == [[1], [], [1, 2]])
  }

  @Test
  func `an entity leaves its hierarchy, another joins one, and links to both follow`() throws {
    let found = try migrate(
      [
        Entity("Base", [.text("name")], [.many("links", "Link", inverse: "base")]),
        Entity("Leaver", parent: "Base"),
        Entity("Joiner", [.text("name")]),
        Entity("Host", [.number("n")]),
        Entity(
          "Link", [],
          [.one("base", "Base", inverse: "links"), .one("joiner", "Joiner"), .one("host", "Host")]),
      ],
      [
        Entity("Base", [.text("name")], [.many("links", "Link", inverse: "base")]),
        Entity("Leaver", parent: "Base"),
        Entity("Joiner", parent: "Host", [.text("name")]),
        Entity("Host", [.number("n")]),
        Entity(
          "Link", [],
          [.one("base", "Base", inverse: "links"), .one("joiner", "Joiner"), .one("host", "Host")]),
      ]
    ) { store in
      let base = try store.insert("Base", ["name": "base"])
      let leaver = try store.insert("Leaver", ["name": "leaver"])
      let hosts = try (1...2).map { try store.insert("Host", ["n": .integer($0)]) }
      let joiner = try store.insert("Joiner", ["name": "joiner"])
      try store.insert("Link", [:], ["base": [base], "joiner": [joiner], "host": [hosts[1]]])
      try store.insert("Link", [:], ["base": [leaver]])
    }
    let joiner = try #require(found["Joiner"].first)
    #expect(joiner["name"] == "joiner")
    #expect(found["Host"].map { $0["n"] } == [1, 2])
    #expect(found["Link"].map { $0.related["base"]?.map(\.entityName) } == [["Base"], ["Leaver"]])
    let first = try #require(found["Link"].first)
    #expect(first.related["joiner"] == [joiner.reference])
    let host = try #require(first.related["host"]?.first)
    #expect(found.object("Host", host.key)?["n"] == 2)
  }

  @Test
  func `an entity that leaves its hierarchy takes its properties along`() throws {
    let found = try migrate(
      [Entity("Base", [.text("name")]), Entity("Leaver", parent: "Base", [.number("n")])],
      [Entity("Base", [.text("name")]), Entity("Leaver", [.text("name"), .number("n")])]
    ) { store in
      try store.insert("Base", ["name": "base"])
      try store.insert("Leaver", ["name": "leaver", "n": 4])
    }
    #expect(found["Base"].map { $0["name"] } == ["base"])
    #expect(found["Leaver"].map { $0["name"] } == ["leaver"])
    #expect(found["Leaver"].map { $0["n"] } == [4])
  }

  @Test
  func `a new abstract parent takes properties up, and removed entities and links are left behind`()
    throws
  {
    let found = try migrate(
      [
        Entity("A", [.text("name")], [.one("gone", "Gone")]), Entity("Gone", [.text("x")]),
      ],
      [
        Entity("Item", isAbstract: true, [.text("name")]), Entity("A", parent: "Item"),
        Entity("New", parent: "Item", [.number("n")]),
      ]
    ) { store in
      let gone = try store.insert("Gone", ["x": "y"])
      try store.insert("A", ["name": "a"], ["gone": [gone]])
    }
    #expect(found.objects.map(\.entityName) == ["A"])
    #expect(found["A"].map { $0["name"] } == ["a"])
  }

  @Test
  func `an empty required to-many relationship without a minimum count is valid`() throws {
    let found = try migrate(
      [Entity("A")],
      [
        Entity("A", [], [.many("b", "B", inverse: "a", isOptional: false)]),
        Entity("B", [], [.many("a", "A", inverse: "b")]),
      ]
    ) { try $0.insert("A") }
    #expect(found["A"].map { $0.keys("b") } == [[]])
  }
}
