import Passage
import PassageTesting
import TestSupport
import Testing

/// Mapping models that list a relationship and its inverse: both must give the same links.
@Suite struct BothSidesTests {
  /// Owners with pets, clubs with members, people with cards, each stored in another way.
  private static func model(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Owner", [.text("name"), .text("in\(name)")],
          [
            .many("pets", "Pet", inverse: "owner", isOrdered: true),
            .many("clubs", "Club", inverse: "members", isOrdered: true),
            .one("card", "Card", inverse: "owner"),
          ]),
        Entity("Pet", [.text("name")], [.one("owner", "Owner", inverse: "pets")]),
        Entity(
          "Club", [.text("name")], [.many("members", "Owner", inverse: "clubs", isOrdered: true)]),
        Entity("Card", [.text("name")], [.one("owner", "Owner", inverse: "card")]),
      ])
  }

  private static func fill(_ store: TestStore) throws {
    let owners = try ["o1", "o2"].map { try store.insert("Owner", ["name": .text($0)]) }
    func insert(_ entity: String, _ names: String...) throws -> [ObjectReference] {
      try names.map { try store.insert(entity, ["name": .text($0)]) }
    }
    let pets = try insert("Pet", "c", "b", "a", "d")
    try store.relate(owners[0], "pets", to: Array(pets[..<3]))
    try store.relate(owners[1], "pets", to: [pets[3]])
    let clubs = try insert("Club", "y", "x", "z")
    try store.relate(owners[0], "clubs", to: [clubs[2], clubs[0], clubs[1]])
    try store.relate(owners[1], "clubs", to: [clubs[0]])
    let cards = try insert("Card", "k1", "k2")
    for (owner, card) in zip(owners, cards) {
      try store.relate(owner, "card", to: [card])
      try store.relate(card, "owner", to: [owner])
    }
  }

  private static func made(_ relationship: String, from value: String) -> String {
    "\"FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', "
      + "'\(relationship)', \(value))\""
  }

  /// - Parameters:
  ///   - owner: the relationship mappings of owners, besides those that are copied.
  ///   - other: the name of another entity, and its relationship mappings.
  ///   - filter: a filter of that entity's objects, which changes how links are found.
  private static func trial(
    owner: String, _ other: (entity: String, relationships: String), filter: String? = nil,
    isFirst: Bool = false
  ) throws -> Trial {
    let filter = filter.map { ", \"filter\": \"\($0)\"" } ?? ""
    func copy(_ entity: String, _ rest: String) -> String {
      #"{"type": "copy", "source": "\#(entity)", "destination": "\#(entity)"\#(rest)}"#
    }
    let own = copy("Owner", ", \"relationships\": {\(owner)}")
    let others = ["Pet", "Club", "Card"].map { entity in
      entity == other.entity
        ? copy(entity, "\(filter), \"relationships\": {\(other.relationships)}") : copy(entity, "")
    }
    let all = isFirst ? others + [own] : [own] + others
    return try Trial(
      Self.model("1"), Self.model("2"), [mapping(all.joined(separator: ", "))], fill: Self.fill)
  }

  /// What the side of the owners selects, and the entity whose mapping copies the other side.
  static let selections = [
    (made("pets", from: "SUBQUERY($source.pets, $p, $p.name != 'b')"), "pets", "Pet"),
    (made("clubs", from: "SUBQUERY($source.clubs, $c, $c.name != 'x')"), "clubs", "Club"),
    (made("card", from: "TERNARY($source.name == 'o1', $source.card, nil)"), "card", "Card"),
  ]

  @Test(arguments: selections, [false, true])
  func `what one side leaves out and the other gives is an error`(
    selection: (value: String, relationship: String, entity: String), isFirst: Bool
  ) throws {
    for filter in [nil, "name != 'none'"] {
      let trial = try Self.trial(
        owner: "\"\(selection.relationship)\": \(selection.value)", (selection.entity, ""),
        filter: filter, isFirst: isFirst)
      for options in Trial.ways {
        let error = try trial.failure(options: options)
        #expect(error.kind == .policyFailed)
        #expect(error.codes == ["RUN-089"])
        #expect(error.diagnostics.all[0].message.contains("“Owner.\(selection.relationship)”"))
      }
    }
  }

  @Test(arguments: selections)
  func `what one side leaves out is left out if the other is not listed`(
    selection: (value: String, relationship: String, entity: String)
  ) throws {
    let inverse = selection.entity == "Club" ? "members" : "owner"
    let trial = try Self.trial(
      owner: "\"\(selection.relationship)\": \(selection.value)",
      (selection.entity, "\"\(inverse)\": null"))
    let expected: [String: [[Int64]]] = [
      "pets": [[1, 3], [4]], "clubs": [[3, 1], [1]], "card": [[1], []],
    ]
    let found = try trial.migrate().contents
    #expect(
      found["Owner"].map { $0.keys(selection.relationship) } == expected[selection.relationship])
  }

  @Test func `both sides may leave out the same`() throws {
    let trial = try Self.trial(
      owner: "\"pets\": \(Self.made("pets", from: "SUBQUERY($source.pets, $p, $p.name != 'b')"))",
      (
        "Pet",
        "\"owner\": \(Self.made("owner", from: "TERNARY($source.name != 'b', $source.owner, nil)"))"
      ))
    let found = try trial.migrate().contents
    #expect(found["Owner"].map { $0.keys("pets") } == [[1, 3], [4]])
  }

  @Test func `a link that the other side replaces is an error`() throws {
    let trial = try Self.trial(
      owner: "\"pets\": \(Self.made("pets", from: "$source.card.owner.pets"))",
      ("Pet", "\"owner\": \(Self.made("owner", from: "lookupObject('Owner', 'name', 'o2')"))"))
    for options in Trial.ways {
      #expect(try trial.failure(options: options).codes == ["RUN-089"])
    }
  }

  /// The order of each side is its own, whichever is written first, and whatever writes it.
  @Test(arguments: [nil, "name != 'none'"], [false, true])
  func `the sorted side does not take the order from the other`(filter: String?, isFirst: Bool)
    throws
  {
    let trial = try Self.trial(
      owner: #""pets": {}"#,
      ("Club", #""members": {"sortedBy": {"value": "$element.name", "ascending": false}}"#),
      filter: filter, isFirst: isFirst)
    let found = try trial.migrate().contents
    #expect(found["Owner"].map { $0.keys("clubs") } == [[3, 1, 2], [1]])
    #expect(found["Club"].map { $0.keys("members") } == [[2, 1], [1], [1]])
    let swapped = try Self.trial(
      owner: #""clubs": {"sortedBy": "$element.name"}"#, ("Club", ""), filter: filter,
      isFirst: isFirst)
    let other = try swapped.migrate().contents
    #expect(other["Owner"].map { $0.keys("clubs") } == [[2, 1, 3], [1]])
    #expect(other["Club"].map { $0.keys("members") } == [[1, 2], [1], [1]])
  }
}
