import Passage
import PassageTesting
import TestSupport
import Testing

/// A to-many relationship that is its own inverse: its join table has each link in both directions, wherever
/// the mapping finds it.
@Suite struct OwnInverseTests {
  private static func model(_ name: String, isOrdered: Bool = false) -> Model {
    Model(
      name,
      [
        Entity(
          "Person", [.text("name"), .text("in\(name)")],
          [
            .many("friends", "Person", inverse: "friends", isOrdered: isOrdered),
            .one("next", "Person", inverse: "previous"),
            .many("previous", "Person", inverse: "next"),
          ])
      ])
  }

  /// Persons 1, 2, 3 and 4; 1 to 3 are each other's friends, and 1, 3 and 4 lead to 2, which leads to 1.
  private static func fill(_ store: TestStore) throws {
    let people = try ["a", "b", "c", "d"].map { try store.insert("Person", ["name": .text($0)]) }
    for person in 0..<3 {
      let friends = (0..<3).filter { $0 != person }.map { people[$0] }
      try store.relate(people[person], "friends", to: friends)
    }
    for (person, next) in [(0, 1), (1, 0), (2, 1), (3, 1)] {
      try store.relate(people[person], "next", to: [people[next]])
    }
  }

  private static func friends(
    _ mappings: String, isOrdered: Bool = false, policies: [any MigrationPolicy.Type] = []
  ) throws -> [[Int64]] {
    let trial = try Trial(
      model("1"), model("2", isOrdered: isOrdered), [mapping(mappings)], policies: policies,
      fill: fill)
    return try trial.migrate().contents["Person"].map { $0.keys("friends") }
  }

  @Test(arguments: [false, true])
  func `links of a path that leads in one direction are written in both`(isOrdered: Bool) throws {
    let friends = try Self.friends(
      """
      {"type": "transform", "source": "Person", "destination": "Person", "relationships": {
        "friends": "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'next', $source.next)"}}
      """, isOrdered: isOrdered)
    #expect(friends == [[2], [1, 3, 4], [2], [2]])
  }

  @Test func `links that a value selects are written in both directions`() throws {
    let friends = try Self.friends(
      """
      {"name": "People", "type": "transform", "source": "Person", "destination": "Person",
       "relationships": {"friends":
         "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'People', SUBQUERY($source.friends, $p, $p.name == 'b'))"}}
      """)
    #expect(friends == [[2], [1, 3], [2], []])
  }

  @Test func `links that one of two mappings has are written in both directions`() throws {
    let friends = try Self.friends(
      """
      {"name": "First", "type": "copy", "source": "Person", "destination": "Person",
       "filter": "name == 'a'"},
      {"name": "Others", "type": "copy", "source": "Person", "destination": "Person",
       "filter": "name != 'a'", "relationships": {"friends": null}}
      """)
    // What the second mapping makes has keys after those of the first.
    #expect(friends == [[6, 7], [1], [1], []])
  }

  @Test func `a copy keeps them`() throws {
    let friends = try Self.friends(
      #"{"type": "copy", "source": "Person", "destination": "Person"}"#)
    #expect(friends == [[2, 3], [1, 3], [1, 2], []])
  }

  /// Gives the fourth person the first one, and takes all friends from the third.
  struct OtherFriends: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createRelationships]
    init(mapping: PolicyMapping) {}

    func createRelationships(for person: DestinationObject, in context: MigrationContext) throws {
      try context.createDefaultRelationships(for: person)
      guard person.key > 2 else { return }
      try context.setRelationship(
        "friends", of: person.reference,
        to: person.key == 4 ? [ObjectReference(entityName: "Person", key: 1)] : [])
    }
  }

  @Test func `what a policy decides holds for both sides`() throws {
    let friends = try Self.friends(
      """
      {"type": "copy", "source": "Person", "destination": "Person", "policy": "OtherFriends"}
      """, policies: [OtherFriends.self])
    #expect(friends == [[2, 4], [1], [], [1]])
  }
}
