import Foundation
import PassageModels
import PassagePlatform
import PassageValues
import Testing

struct VersionHashTests {
  private func sha256(_ parts: [UInt8]...) -> [UInt8] {
    MessageDigest.of(parts.flatMap(\.self))
  }

  private func model(_ entities: Entity...) -> Model { Model(name: "M", entities: entities) }

  private func hash(_ entity: Entity) -> [UInt8] { model(entity).versionHash(of: entity) }

  /// Written out by hand from the rule, apart from the code that computes it.
  @Test func `the hash is made of the bytes the rule names`() {
    let base = sha256(Array("count".utf8), [1, 0], Array("m".utf8))
    let attribute = sha256(base, [200, 0, 0, 0], [1])
    let other = sha256(
      sha256(Array("other".utf8), [0, 0]), Array("B".utf8), Array("back".utf8), [0, 0, 0, 0],
      [2, 0, 0, 0], [1, 0])
    let entity = Entity(
      name: "A", isAbstract: true,
      attributes: [
        Attribute(
          name: "count", type: .integer32, preservesValueOnDeletion: true,
          versionHashModifier: "m")
      ],
      relationships: [
        Relationship(
          name: "other", destinationEntityName: "B", inverseName: "back", isOptional: false,
          minimumCount: 2, maximumCount: 0, isOrdered: true)
      ], uniquenessConstraints: [["count", "x"]], versionHashModifier: "e")
    #expect(
      hash(entity)
        == sha256(Array("A".utf8), [1], attribute, other, Array("e".utf8), Array("count.x".utf8)))
  }

  @Test func `a child carries its parent's hash and inherited properties`() {
    let parent = Entity(name: "P", attributes: [Attribute(name: "z", type: .string)])
    let child = Entity(
      name: "C", parentName: "P", attributes: [Attribute(name: "a", type: .string)])
    let both = model(parent, child)
    func attribute(_ name: String) -> [UInt8] {
      sha256(sha256(Array(name.utf8), [1, 0]), [188, 2, 0, 0])
    }
    let parentHash = sha256(Array("P".utf8), [0], attribute("z"))
    #expect(both.versionHash(of: parent) == parentHash)
    #expect(
      both.versionHash(of: child)
        == sha256(Array("C".utf8), [0], parentHash, attribute("a"), attribute("z")))
    #expect(both.versionHashes == ["P": parentHash, "C": both.versionHash(of: child)])
  }

  @Test func `a relationship that is its own inverse hashes without it`() {
    func friend(_ inverse: String?) -> Entity {
      Entity(
        name: "Person",
        relationships: [
          Relationship(name: "friend", destinationEntityName: "Person", inverseName: inverse)
        ])
    }
    #expect(hash(friend("friend")) == hash(friend(nil)))
    let pair = [
      Entity(
        name: "A",
        relationships: [Relationship(name: "r", destinationEntityName: "B", inverseName: "r")]),
      Entity(
        name: "B",
        relationships: [Relationship(name: "r", destinationEntityName: "A", inverseName: "r")]),
    ]
    var alone = pair
    alone[0].relationships[0].inverseName = nil
    let paired = Model(name: "M", entities: pair)
    #expect(
      paired.versionHash(of: pair[0])
        != Model(name: "M", entities: alone).versionHash(of: alone[0]))
  }

  @Test(
    arguments: [
      { $0.className = "X" }, { $0.userInfo = ["a": "b"] }, { $0.renamingIdentifier = "X" },
      { $0.indexes = [Entity.Index(name: "i", elements: [.init(propertyName: "a")])] },
      { $0.fetchedProperties = [Entity.FetchedProperty(name: "f")] },
      { $0.attributes[0].defaultValue = "x" },
      { $0.attributes[0].minimum = "1" }, { $0.attributes[0].regularExpression = "." },
      { $0.attributes[0].isIndexed = true }, { $0.attributes[0].renamingIdentifier = "b" },
      { $0.attributes[0].valueTransformerName = "T" }, { $0.relationships[0].deleteRule = .deny },
      { $0.attributes.append(Attribute(name: "t", type: .string, isTransient: true)) },
      { $0.attributes.reverse() },
    ] as [@Sendable (inout Entity) -> Void])
  func `a member that is not stored does not change the hash`(
    _ change: @Sendable (inout Entity) -> Void
  ) {
    var changed = Self.sample
    change(&changed)
    #expect(changed != Self.sample)
    #expect(hash(changed) == hash(Self.sample))
  }

  @Test(
    arguments: [
      { $0.name = "F" }, { $0.isAbstract = true }, { $0.versionHashModifier = "1" },
      { $0.uniquenessConstraints = [["a"]] }, { $0.attributes[0].name = "c" },
      { $0.attributes[0].type = .uri }, { $0.attributes[0].isOptional = false },
      { $0.attributes[0].isTransient = true }, { $0.attributes[0].versionHashModifier = "1" },
      { $0.attributes[0].allowsExternalBinaryDataStorage = true },
      { $0.attributes[0].preservesValueOnDeletion = true },
      { $0.attributes[0].derivation = "b" }, { $0.relationships[0].isOptional = false },
      { $0.relationships[0].minimumCount = 1 }, { $0.relationships[0].maximumCount = 0 },
      { $0.relationships[0].isOrdered = true }, { $0.relationships[0].inverseName = "x" },
      { $0.relationships[0].destinationEntityName = "G" },
      { $0.relationships[0].isTransient = true },
    ] as [@Sendable (inout Entity) -> Void])
  func `a member that is stored changes the hash`(_ change: @Sendable (inout Entity) -> Void) {
    var changed = Self.sample
    change(&changed)
    #expect(hash(changed) != hash(Self.sample))
  }

  private static let sample = Entity(
    name: "E",
    attributes: [Attribute(name: "a", type: .string), Attribute(name: "b", type: .integer16)],
    relationships: [Relationship(name: "r", destinationEntityName: "E")])

  @Test(arguments: [
    ("pages.@count", "count:(pages)"), ("primaryLabel.code", "primaryLabel.code"),
    ("now()", "now()"), ("count:(pages)", "count:(pages)"), (" title ", "title"),
  ])
  func `a derived attribute hashes as its printed expression alone`(
    _ written: String, _ printed: String
  ) {
    let entity = Entity(
      name: "E",
      attributes: [Attribute(name: "d", type: .integer64, isOptional: false, derivation: written)])
    #expect(hash(entity) == sha256(Array("E".utf8), [0], sha256(Array(printed.utf8))))
    #expect(model(entity).unprovedHashes.isEmpty)
  }

  @Test(arguments: [
    ("pages.length.@sum", "sum:(pages.length)"), ("pages.@avg.length", "average:(pages.length)"),
    ("canonical:(title)", "canonical:(title)"), ("uppercase:( title )", "uppercase:(title)"),
    ("pages.length.@max", "max:(pages.length)"),
  ])
  func `a derivation known by analogy is hashed and named`(_ written: String, _ printed: String) {
    let entity = Entity(
      name: "E", attributes: [Attribute(name: "d", type: .string, derivation: written)])
    #expect(hash(entity) == sha256(Array("E".utf8), [0], sha256(Array(printed.utf8))))
    #expect(
      model(entity).unprovedHashes.map(\.reason)
        == [.unconfirmedDerivation(attribute: "d", expression: written)])
  }

  @Test(arguments: ["", "a b", "@count", "@count.pages", "a..b", "f(", "f:(a,b)", "a.@b", "1 + 1"])
  func `a derivation that is not understood is named`(_ written: String) {
    let entity = Entity(
      name: "E", attributes: [Attribute(name: "d", type: .string, derivation: written)])
    let expected: [UnprovedHash.Reason] = [.unknownDerivation(attribute: "d", expression: written)]
    #expect(model(entity).unprovedHashes.map(\.reason) == expected)
  }

  @Test func `every unproved rule is named for the entity and its descendants`() {
    let parent = Entity(
      name: "P",
      attributes: [
        Attribute(name: "c", type: .composite), Attribute(name: "o", type: .objectID),
        Attribute(
          name: "f", type: .binary, allowsExternalBinaryDataStorage: true,
          preservesValueOnDeletion: true),
        Attribute(name: "é", type: .string),
        Attribute(name: "d", type: .string, derivation: "c", versionHashModifier: "1"),
        Attribute(name: "t", type: .composite, isTransient: true),
      ], uniquenessConstraints: [["c"], ["o"]])
    let child = Entity(name: "Q", parentName: "P")
    #expect(
      model(parent, child).unprovedHashes
        == [
          .severalUniquenessConstraints(2), .nameOutsideASCII("é"), .compositeAttribute("c"),
          .objectIDAttribute("o"), .twoStorageFlags(attribute: "f"),
          .derivationWithModifier(attribute: "d"),
        ].map { UnprovedHash(entityName: "P", reason: $0) }
        + [UnprovedHash(entityName: "Q", reason: .parent("P"))])
  }

  @Test func `digest and checksum cover all entities in code-unit order`() {
    let hashes: [String: [UInt8]] = ["b": [2], "B": [1], "a": [3]]
    let digest = MessageDigest.of(
      Array("B".utf8) + [1] + Array("a".utf8) + [3] + Array("b".utf8) + [2], by: .sha512)
    #expect(Model.versionHashesDigest(of: hashes) == Data(digest).base64EncodedString())
    #expect(
      Model.versionChecksum(of: hashes)
        == Data(MessageDigest.of([1, 3, 2])).base64EncodedString())
  }

  @Test func `a thousand levels and a circle are hashed without end`() {
    let chain = (0..<1_000).map { level in
      Entity(name: "E\(level)", parentName: level == 0 ? nil : "E\(level - 1)")
    }
    #expect(Model(name: "M", entities: chain).versionHashes.count == 1_000)
    let circle = [Entity(name: "A", parentName: "B"), Entity(name: "B", parentName: "A")]
    #expect(Model(name: "M", entities: circle).versionHashes.count == 2)
  }
}
