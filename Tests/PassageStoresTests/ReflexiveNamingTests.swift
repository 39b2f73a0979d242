import Foundation
import PassageDiagnostics
import PassageModels
import TestSupport
import Testing

@testable import PassageStores

/// Names that follow from the order of a dictionary's keys.
@Suite struct ReflexiveNamingTests {
  static let seed = RandomSeed.told(for: "ReflexiveNamingTests")

  @Test func `a string has the hash that CoreFoundation gives it`() {
    var random = SeededRandom(seed: Self.seed)
    var texts = ["", "a", "name", "größe", "🏔", "_Z_FOK_OWNER"]
    for length in 0...300 {
      texts.append(
        String((0..<length).map { _ in random.pick(["a", "Z", "_", "7", "é", "字", "🏔"]) }))
    }
    for text in texts {
      #expect(DictionaryOrder.hash(text) == UInt64(UInt(bitPattern: NSString(string: text).hash)))
    }
  }

  @Test func `keys that want one slot are met in the order in which they came`() {
    let keys = (0..<200).map { "k\($0)" }
    let first = keys[0]
    let rivals = keys.filter { DictionaryOrder.hash($0) % 7 == DictionaryOrder.hash(first) % 7 }
    let three = Array(rivals.prefix(3))
    let met = DictionaryOrder.enumerated(three, slots: 7)
    let turned = DictionaryOrder.enumerated(three.reversed(), slots: 7)
    #expect(met != turned)
    #expect(Set(met) == Set(three) && Set(turned) == Set(three))
    // A dictionary grows when it is full.
    #expect([3, 4, 32, 33, 1_732].map(DictionaryOrder.slots(for:)) == [3, 7, 41, 71, 2_803])
    #expect(DictionaryOrder.slots(for: 1_733) == nil)
  }

  /// The numbers of attributes with which the table's name changes, worked out by a second program.
  @Test(
    arguments: [
      (2, "following"), (4, "followers"), (6, "following"), (10, "followers"), (13, "following"),
      (14, "followers"), (25, "followers"), (26, "following"), (39, "following"),
    ])
  func `one more attribute can turn the name`(attributes: Int, owner: String) throws {
    let layout = StoreLayout(model: Self.model(attributes: attributes))
    let table = try #require(layout.joinTables.first)
    let other = owner == "followers" ? "following" : "followers"
    #expect(table.name == "Z_1\(owner.uppercased())")
    #expect(table.columns == ["Z_1\(other.uppercased())", "Z_1\(owner.uppercased())"])
    let warning = try #require(layout.unsupported.all.first)
    #expect(warning.code == "STO-206")
    #expect(warning.message.contains("is named after “\(owner)”"))
    #expect(warning.remedy?.contains("into the user info “joinTable”") == true)
  }

  @Test(arguments: ["followers", "following"], ["followers", "following"])
  func `what a store has shown wins over the rule`(told: String, teller: String) throws {
    let layout = StoreLayout(
      model: Self.model(attributes: 3, userInfo: [teller: ["joinTable": told]]))
    #expect(layout.joinTables.map(\.name) == ["Z_1\(told.uppercased())"])
    #expect(layout.unsupported.all.isEmpty)
  }

  @Test func `a name that is neither end's proves nothing`() {
    let layout = StoreLayout(
      model: Self.model(attributes: 3, userInfo: ["followers": ["joinTable": "friends"]]))
    #expect(layout.joinTables.map(\.name) == ["Z_1FOLLOWING"])
    #expect(layout.unsupported.all.map(\.code) == ["STO-206"])
  }

  /// Works are in places and in shows, and both call them works: the first table that is made gets
  /// the name, and the next one a number.
  @Test func `equal columns are numbered in the order in which their tables are made`() {
    func layout(attributes: Int) -> StoreLayout {
      StoreLayout(
        model: Model(
          name: "m",
          entities: [
            Entity(
              name: "A", attributes: Self.attributes(attributes),
              relationships: [
                Self.many("locations", "B", "works"), Self.many("shows", "C", "works"),
              ]
            ),
            Entity(name: "B", relationships: [Self.many("works", "A", "locations")]),
            Entity(name: "C", relationships: [Self.many("works", "A", "shows")]),
          ]))
    }
    #expect(
      layout(attributes: 20).joinTables.map { "\($0.name) \($0.columns[0])" }
        == ["Z_1SHOWS Z_1WORKS", "Z_1LOCATIONS Z_1WORKS1"])
    #expect(
      layout(attributes: 40).joinTables.map { "\($0.name) \($0.columns[0])" }
        == ["Z_1LOCATIONS Z_1WORKS", "Z_1SHOWS Z_1WORKS1"])
  }

  @Test func `an entity with more properties than any dictionary seen keeps the order of names`() {
    let layout = StoreLayout(model: Self.model(attributes: 1_800))
    #expect(layout.joinTables.map(\.name) == ["Z_1FOLLOWING"])
  }

  @Test func `many relationships of an entity with itself are named without hanging`() {
    let relationships = (0..<800).flatMap { number in
      [
        Self.many("a\(number)", "Person", "b\(number)"),
        Self.many("b\(number)", "Person", "a\(number)"),
      ]
    }
    let model = Model(
      name: "m", entities: [Entity(name: "Person", relationships: relationships)])
    var count = 0
    let seconds = HangGuard.seconds { count = StoreLayout(model: model).joinTables.count }
    #expect(count == 800)
    #expect(seconds < HangGuard.bound)
  }

  private static func model(
    attributes count: Int, userInfo: [String: [String: String]] = [:]
  ) -> Model {
    var entity = Entity(
      name: "Person", attributes: attributes(count),
      relationships: [
        many("followers", "Person", "following"), many("following", "Person", "followers"),
      ])
    for index in entity.relationships.indices {
      entity.relationships[index].userInfo = userInfo[entity.relationships[index].name] ?? [:]
    }
    return Model(name: "m", entities: [entity])
  }

  private static func attributes(_ count: Int) -> [Attribute] {
    (0..<count).map { Attribute(name: "field\($0)", type: .string) }
  }

  private static func many(
    _ name: String, _ destination: String, _ inverse: String
  ) -> Relationship {
    Relationship(
      name: name, destinationEntityName: destination, inverseName: inverse, maximumCount: 0)
  }
}
