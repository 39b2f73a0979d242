import PassageDiagnostics
import PassageModels
import Testing

struct ModelInheritanceTests {
  private let model = Model(
    name: "M",
    entities: [
      Entity(name: "c", parentName: "a"), Entity(name: "b", parentName: "a"),
      Entity(name: "a", attributes: [Attribute(name: "n", type: .string)]),
      Entity(name: "d", parentName: "b", attributes: [Attribute(name: "m", type: .string)]),
      Entity(name: "lost", parentName: "nowhere"),
      Entity(name: "x", parentName: "y"), Entity(name: "y", parentName: "x"),
      Entity(name: "z", parentName: "y"), Entity(name: "self", parentName: "self"),
    ])

  private func entity(_ name: String) throws -> Entity { try #require(model.entity(named: name)) }

  @Test(arguments: [
    ("a", ["a"]), ("d", ["d", "b", "a"]), ("lost", ["lost"]), ("x", ["x", "y"]),
    ("z", ["z", "y", "x"]), ("self", ["self"]),
  ])
  func `the lineage goes up to the root or the end of a circle`(_ name: String, _ lineage: [String])
    throws
  {
    #expect(model.lineage(of: try entity(name)).map(\.name) == lineage)
    #expect(model.root(of: try entity(name)).name == lineage.last)
  }

  @Test(arguments: [
    ("a", ["b", "c"], ["a", "b", "d", "c"]), ("b", ["d"], ["b", "d"]), ("d", [], ["d"]),
    ("x", ["y"], ["x", "y", "z"]),
  ])
  func `the family is in preorder`(_ name: String, _ children: [String], _ family: [String]) throws
  {
    #expect(model.children(of: try entity(name)).map(\.name) == children)
    #expect(model.family(of: try entity(name)).map(\.name) == family)
  }

  @Test func `inherited properties are found and sorted`() throws {
    #expect(model.attributes(of: try entity("d")).map(\.name) == ["m", "n"])
    #expect(model.attribute("n", of: try entity("d"))?.type == .string)
    #expect(model.attribute("m", of: try entity("a")) == nil)
    #expect(model.isKind(try entity("d"), of: try entity("a")))
    #expect(!model.isKind(try entity("a"), of: try entity("d")))
  }

  @Test(.timeLimit(.minutes(15)))
  func `ten thousand entities are walked quickly`() throws {
    let entities = (0..<10_000).map { number in
      Entity(
        name: "E\(number)", parentName: number == 0 ? nil : "E\((number - 1) / 10)",
        attributes: [Attribute(name: "a\(number)", type: .string)])
    }
    let large = Model(name: "L", entities: entities)
    let root = try #require(large.entity(named: "E0"))
    #expect(large.family(of: root).count == 10_000)
    #expect(entities.map { large.lineage(of: $0).count }.max() == 5)
    #expect(large.versionHashes.count == 10_000)
    #expect(ModelChecker.check(large).all.isEmpty)
  }

  @Test func `equality ignores the order entities were given in`() {
    let shuffled = Model(name: "M", entities: model.entities.reversed())
    #expect(shuffled == model)
    #expect(shuffled.hashValue == model.hashValue)
    #expect(Model(name: "N", entities: model.entities) != model)
  }
}
