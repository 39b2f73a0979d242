import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// The danger that a policy links objects by keys that it made up, and the store is put in place with
/// links that lead to nothing.
@Suite struct PolicyLinkTests {
  /// What a policy does.
  enum Call: String, CaseIterable, Sendable {
    /// All objects exist.
    case sound
    /// Pairs of a join table, a key in the object's own row, and a key in the related object's row.
    case pairs, toOne, toMany
    /// Of an object that does not exist.
    case owner
    /// With an object of the same table, but of another entity.
    case otherEntity
    case associate

    /// The mapping with the policy.
    var mapping: String {
      switch self {
      case .sound, .pairs: "Groups"
      case .toOne: "People"
      case .toMany, .owner, .associate: "Clubs"
      case .otherEntity: "Cats"
      }
    }
  }

  /// Does what its user info says.
  struct Linker: MigrationPolicy {
    private let call: Call

    init(mapping: PolicyMapping) { call = Call(rawValue: mapping.userInfo["call"] ?? "") ?? .sound }

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      if call == .associate, source.key == 2 {
        return try context.associate(source, with: Self.object("Club", 99))
      }
      let made = try context.insert(context.defaultDestination(for: source), for: source)
      switch call {
      case .sound:
        try context.setRelationship(
          "people", of: made, to: [Self.object("Person", 3), Self.object("Person", 1)])
      case .pairs:
        try context.setRelationship(
          "people", of: made, to: [1, 2, 3].map { Self.object("Person", $0) })
      case .toOne:
        try context.setRelationship("club", of: made, to: [Self.object("Club", 99)])
      case .toMany:
        try context.setRelationship("members", of: made, to: [Self.object("Person", 2)])
      case .owner:
        try context.setRelationship("club", of: Self.object("Person", 2), to: [made])
      case .otherEntity:
        try context.setRelationship("friend", of: made, to: [Self.object("Dog", made.key)])
      case .associate: break
      }
    }

    private static func object(_ entity: String, _ key: Int64) -> ObjectReference {
      ObjectReference(entityName: entity, key: key)
    }
  }

  private static func model(_ version: String, isNamed: Bool = false) -> Model {
    Model(
      version,
      [
        Entity(
          "Person", [.text("name", isOptional: !isNamed)],
          [
            .one("club", "Club", inverse: "members"), .many("groups", "Group", inverse: "people"),
          ]),
        Entity("Club", [.text("name")], [.many("members", "Person", inverse: "club")]),
        Entity("Group", [.text("name")], [.many("people", "Person", inverse: "groups")]),
        Entity("Pet", [.text("name")], [.one("friend", "Pet")]),
        Entity("Cat", parent: "Pet"), Entity("Dog", parent: "Pet"),
      ])
  }

  /// Three persons, of whom a mapping leaves the second one out, two clubs, two groups, a cat and a dog.
  private static func trial(
    _ call: Call, filter: String = #""filter": "name != 'b'","#, isNamed: Bool = false
  ) throws -> Trial {
    func part(_ name: String, _ entity: String, _ more: String = "") -> String {
      let policy =
        name == call.mapping
        ? #""policy": {"name": "Linker", "userInfo": {"call": "\#(call.rawValue)"}},"# : ""
      return """
        {"name": "\(name)", "type": "transform", "source": "\(entity)", "destination": "\(entity)",
         \(policy) \(more) "attributes": {"name": {}}}
        """
    }
    let parts = [
      part("People", "Person", filter), part("Clubs", "Club"), part("Groups", "Group"),
      part("Cats", "Cat"), part("Dogs", "Dog"),
    ]
    return try Trial(
      model("1"), model("2", isNamed: isNamed),
      [mapping(parts.joined(separator: ","))], policies: [Linker.self]
    ) { store in
      for name in ["a", "b", "c"] {
        try store.insert("Person", ["name": isNamed && name == "b" ? .null : .text(name)])
      }
      for entity in ["Club", "Group"] {
        for name in ["d", "e"] { try store.insert(entity, ["name": .text(name)]) }
      }
      for entity in ["Cat", "Dog"] { try store.insert(entity, ["name": .text(entity)]) }
    }
  }

  @Test(arguments: [
    (
      Call.pairs, "VAL-006",
      "the policy of “Groups” links “Group.people” to objects that do not exist: 2 links",
      "the first lead from key 1 to key 2, from key 2 to key 2"
    ),
    (
      Call.toOne, "VAL-006",
      "the policy of “People” links “Person.club” to objects that do not exist: 2 links",
      "the first lead from key 1 to key 99, from key 3 to key 99"
    ),
    (
      Call.toMany, "VAL-006",
      "the policy of “Clubs” links “Club.members” to objects that do not exist: 2 links",
      "the first lead from key 1 to key 2, from key 2 to key 2"
    ),
    (
      Call.owner, "VAL-006",
      "the policy of “Clubs” sets “Person.club” of objects that do not exist: 1 object",
      "the first keys are 2"
    ),
    (
      Call.otherEntity, "VAL-006",
      "the policy of “Cats” links “Cat.friend” to objects that do not exist: 1 link",
      "the first lead from key 1 to key 1"
    ),
    (
      Call.associate, "VAL-007",
      "the policy of “Clubs” associates source objects with objects of “Club” that do not exist: 1 association",
      "the first associate key 2 with key 99"
    ),
  ])
  func `what a policy links to nothing ends the migration in every lane`(
    call: Call, code: String, message: String, reason: String
  ) throws {
    let trial = try Self.trial(call)
    for way in Trial.ways {
      var run = trial
      run.worksInMemory = way.limits.workMemoryBytes > 0
      let error = try run.failure(options: way)
      #expect(error.codes == [code])
      #expect(error.kind == .policyFailed)
      #expect(error.diagnostics.first?.message == message)
      #expect(error.diagnostics.first?.reason == reason)
      #expect(!trial.directory.names.contains("new.sqlite"))
    }
  }

  @Test func `links of objects that exist are written`() throws {
    let found = try Self.trial(.sound).migrate().contents
    #expect(found["Group"].map { $0.keys("people") } == [[1, 3], [1, 3]])
  }

  @Test func `an object that is quarantined is no mistake of the policy`() throws {
    let trial = try Self.trial(.pairs, filter: "", isNamed: true)
    for way in Trial.ways {
      var (run, way) = (trial, way)
      run.worksInMemory = way.limits.workMemoryBytes > 0
      way.allowed.quarantined = 1
      let name = "quarantined-\(way.lane)-\(way.limits.batch.rows)-\(run.worksInMemory).sqlite"
      try run.run(to: name, options: way)
      let path = trial.directory.path(name)
      #expect(try StoreAudit(path: path, model: trial.destination).findings == [])
      let found = try StoreContents(path: path, model: trial.destination)
      #expect(found["Group"].map { $0.keys("people") } == [[1, 3], [1, 3]])
    }
  }

  /// Associates while pages may be written without a journal.
  struct Late: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    static let needs: Set<MigrationContext.Need> = [.order]

    init(mapping: PolicyMapping) {}

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      if source.key == 1 {
        try context.insert(context.defaultDestination(for: source), for: source)
      } else {
        try context.associate(source, with: ObjectReference(entityName: "Club", key: 1))
      }
    }
  }

  @Test func `a policy associates in every lane`() throws {
    let trial = try Trial(
      Model("1", [Entity("Club", [.text("name")])]), Model("2", [Entity("Club", [.text("name")])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Club", "destination": "Club", "policy": "Late",
           "attributes": {"name": {}}}
          """)
      ], policies: [Late.self]
    ) { store in
      for name in ["a", "b", "c"] { try store.insert("Club", ["name": .text(name)]) }
    }
    let (found, report) = try trial.migrate()
    #expect(found["Club"].map { $0["name"] } == ["a"])
    #expect(report.steps[0].mappings.map(\.merged) == [2])
  }
}
