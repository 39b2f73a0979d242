import Passage
import PassageTesting
import TestSupport
import Testing

/// A relationship from one object to one is stored on both sides; both must say the same.
@Suite struct OneToOneTests {
  static func model(_ name: String, isMany: Bool = false) -> Model {
    Model(
      name,
      [
        Entity(
          "Person", [.text("name"), .text("in\(name)")],
          [
            isMany
              ? .many("card", "Card", inverse: "person") : .one("card", "Card", inverse: "person")
          ]),
        Entity("Card", [.text("text")], [.one("person", "Person", inverse: "card")]),
      ])
  }

  static func fill(_ store: TestStore) throws {
    let people = try (1...4).map { try store.insert("Person", ["name": .text("p\($0)")]) }
    for number in [3, 1] {
      let card = try store.insert("Card", ["text": .text("c\(number)")])
      try store.relate(card, "person", to: [people[number]])
      try store.relate(people[number], "card", to: [card])
    }
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func `either side is enough`(person: Bool, card: Bool) throws {
    let mappings = try mapping(
      """
      {"type": "transform", "source": "Person", "destination": "Person",
       "relationships": {\(person ? "\"card\": {}" : "")}},
      {"type": "transform", "source": "Card", "destination": "Card",
       "relationships": {\(card ? "\"person\": {}" : "")}}
      """)
    let found = try Trial(Self.model("1"), Self.model("2"), [mappings], fill: Self.fill).migrate()
      .contents
    #expect(found["Person"].map { $0.keys("card") } == [[], [2], [], [1]])
    #expect(found["Card"].map { $0.keys("person") } == [[4], [2]])
  }

  @Test func `two objects that lead to one are an error`() throws {
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Person", "destination": "Person", "relationships": {"card": null}},
      {"type": "copy", "source": "Card", "destination": "Card"}
      """)
    let trial = try Trial(Self.model("1", isMany: true), Self.model("2"), [mappings]) { store in
      let person = try store.insert("Person")
      for _ in 1...2 { try store.insert("Card", [:], ["person": [person]]) }
    }
    for options in Trial.ways {
      let error = try trial.failure(options: options)
      #expect(error.codes == ["RUN-023"])
      let reason = try #require(error.diagnostics.all[0].reason)
      #expect(reason == "the first such object is the one of “Person” with key 1")
    }
  }

  /// Person 1 has card 1, which has person 2; person 2 has none, and person 3 has card 2, which has it.
  @Test func `a link that only the side has that no mapping reads is counted`() throws {
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Person", "destination": "Person"},
      {"type": "transform", "source": "Card", "destination": "Card",
       "attributes": {"text": "$source.text"}}
      """)
    let trial = try Trial(Self.model("1"), Self.model("2"), [mappings]) { store in
      let people = try (1...3).map { try store.insert("Person", ["name": .text("p\($0)")]) }
      let cards = try (1...2).map { try store.insert("Card", ["text": .text("c\($0)")]) }
      try Self.relate(store, people[0], cards[0])
      try Self.relate(store, people[2], cards[1])
      try store.execute("UPDATE ZCARD SET ZPERSON = 2 WHERE Z_PK = 1")
    }
    let (found, report) = try trial.migrate()
    #expect(found["Person"].map { $0.keys("card") } == [[1], [], [2]])
    #expect(found["Card"].map { $0.keys("person") } == [[1], [3]])
    #expect(LossTests.texts(report.losses) == ["unread Card.person 1"])
    for var options in Trial.ways {
      options.allowed.losses = AllowedLosses.none
      #expect(try trial.failure(options: options).codes == ["RUN-083"])
    }
  }

  // MARK: Objects that become one

  private static func emptied(_ report: MigrationReport) -> [String] {
    report.losses.filter { $0.reason == .emptied }.map { "\($0.name) \($0.count ?? -1)" }
  }

  private static func relate(_ store: TestStore, _ person: ObjectReference, _ card: ObjectReference)
    throws
  {
    try store.relate(person, "card", to: [card])
    try store.relate(card, "person", to: [person])
  }

  /// Persons 1 and 2 become one, and so do 3, which has no card, and 4.
  @Test(arguments: [(false, false), (true, false), (false, true)])
  func `cards of persons that become one lead to the person whose card is kept`(
    isLast: Bool, isCardFirst: Bool
  ) throws {
    let merge = isLast ? #"{"value": "$source.name", "keep": "last"}"# : #""$source.name""#
    let mappings = [
      #"{"type": "copy", "source": "Person", "destination": "Person", "mergeBy": \#(merge)}"#,
      #"{"type": "copy", "source": "Card", "destination": "Card"}"#,
    ]
    let trial = try Trial(
      Self.model("1"), Self.model("2"),
      [mapping((isCardFirst ? mappings.reversed() : mappings).joined(separator: ", "))]
    ) { store in
      let people = try ["a", "a", "b", "b", "c"].map {
        try store.insert("Person", ["name": .text($0)])
      }
      for number in [0, 1, 3, 4] {
        let card = try store.insert("Card", ["text": .text("c\(number)")])
        try Self.relate(store, people[number], card)
      }
    }
    let (found, report) = try trial.migrate()
    #expect(found["Person"].map(\.key) == (isLast ? [2, 4, 5] : [1, 3, 5]))
    #expect(
      found["Person"].map { $0.keys("card") } == (isLast ? [[2], [3], [4]] : [[1], [], [4]]))
    #expect(
      found["Card"].map { $0.keys("person") }
        == (isLast ? [[], [2], [4], [5]] : [[1], [], [], [5]]))
    #expect(Self.emptied(report) == ["Card.person \(isLast ? 1 : 2)"])
  }

  @Test func `partners of objects that become one lead to each other or to nobody`() throws {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity(
            "Person", [.text("name"), .text("in\(name)")],
            [.one("partner", "Person", inverse: "partner")])
        ])
    }
    let trial = try Trial(
      model("1"), model("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "Person", "destination": "Person",
           "mergeBy": "$source.name"}
          """)
      ]
    ) { store in
      let people = try (["a", nil, "a", nil] as [String?]).map { name in
        try store.insert("Person", ["name": name.map { .text($0) } ?? .null])
      }
      for (one, other) in [(0, 1), (1, 0), (2, 3), (3, 2)] {
        try store.relate(people[one], "partner", to: [people[other]])
      }
    }
    let (found, report) = try trial.migrate()
    #expect(found["Person"].map(\.key) == [1, 2, 4])
    #expect(found["Person"].map { $0.keys("partner") } == [[2], [1], []])
    #expect(Self.emptied(report) == ["Person.partner 1"])
  }

  /// Gives every person the card of the next one.
  struct NextCard: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createRelationships]
    init(mapping: PolicyMapping) {}

    func createRelationships(for person: DestinationObject, in context: MigrationContext) throws {
      if person.key == 4 {
        try context.setRelationship(
          "card", of: person.reference, to: [ObjectReference(entityName: "Card", key: 2)])
      } else {
        try context.createDefaultRelationships(for: person)
      }
    }
  }

  @Test func `a policy's decision takes the object from whoever had it`() throws {
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Person", "destination": "Person", "policy": "NextCard"},
      {"type": "copy", "source": "Card", "destination": "Card"}
      """)
    let found = try Trial(
      Self.model("1"), Self.model("2"), [mappings], policies: [NextCard.self], fill: Self.fill
    ).migrate().contents
    #expect(found["Person"].map { $0.keys("card") } == [[], [], [], [2]])
    #expect(found["Card"].map { $0.keys("person") } == [[], [4]])
  }
}
