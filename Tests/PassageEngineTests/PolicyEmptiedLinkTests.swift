import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// The danger that links are lost in silence because a policy makes the objects that have them.
@Suite struct PolicyEmptiedLinkTests {
  /// Makes what the mapping makes.
  struct Plain: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    static let needs: Set<MigrationContext.Need> = []

    init(mapping: PolicyMapping) {}
  }

  /// Has every hook, all of them as they are.
  struct Whole: MigrationPolicy {
    init(mapping: PolicyMapping) {}
  }

  /// Makes nothing of the first name.
  struct Choosing: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]

    init(mapping: PolicyMapping) {}

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      if source["name"] == "a" { return }
      try context.insert(context.defaultDestination(for: source), for: source)
    }
  }

  /// Makes one object of the first two names.
  struct Merging: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]

    init(mapping: PolicyMapping) {}

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let name = source["name"]?.string ?? ""
      try context.findOrInsert("Person", key: [.text(name < "c" ? "ab" : name)], for: source) {
        try $0.set("name", to: .text(name))
      }
    }
  }

  /// Sets the relationship that its user info names, of objects with a name that begins with “a”.
  struct Deciding: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    private let relationship: String

    init(mapping: PolicyMapping) { relationship = mapping.userInfo["relationship"] ?? "" }

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let made = try context.insert(context.defaultDestination(for: source), for: source)
      if source["name"]?.string?.hasPrefix("a") == true {
        try context.setRelationship(relationship, of: made, to: [])
      }
    }
  }

  /// Leaves the links of the first name out.
  struct Leaving: MigrationPolicy {
    init(mapping: PolicyMapping) {}

    func createRelationships(
      for destination: DestinationObject, in context: MigrationContext
    ) throws {
      if destination["name"] == "a" { return }
      try context.createDefaultRelationships(for: destination)
    }
  }

  private static var policies: [any MigrationPolicy.Type] {
    [Plain.self, Whole.self, Choosing.self, Merging.self, Deciding.self, Leaving.self]
  }

  private static func emptied(_ report: MigrationReport) -> [String] {
    report.losses.filter { $0.reason == .emptied }.map { "\($0.name) \($0.count ?? -1)" }
  }

  private static func policy(_ name: String, _ relationship: String) -> String {
    #""policy": {"name": "\#(name)", "userInfo": {"relationship": "\#(relationship)"}}"#
  }

  private static func people(_ version: String) -> Model {
    Model(
      version,
      [
        Entity("Person", [.text("name")], [.many("tags", "Tag", inverse: "people")]),
        Entity("Tag", [.text("label")], [.many("people", "Person", inverse: "tags")]),
      ])
  }

  /// The persons a, b, c and d have the first tag; a and b have the second one too, which is left out.
  @Test(arguments: [
    ("Plain", 2), ("Whole", 2), ("Choosing", 1), ("Merging", 2), ("Deciding", 1), ("Leaving", 1),
  ])
  func `links of objects that a policy makes are counted in every lane`(
    policy: String, count: Int
  ) throws {
    let trial = try Trial(
      Self.people("1"), Self.people("2"),
      [
        mapping(
          """
          {"name": "People", "type": "transform", "source": "Person", "destination": "Person",
           \(Self.policy(policy, "tags")), "attributes": {"name": {}}, "relationships": {"tags": {}}},
          {"type": "transform", "source": "Tag", "destination": "Tag", "filter": "label != 'u'",
           "attributes": {"label": {}}}
          """)
      ], policies: Self.policies
    ) { store in
      let tags = try ["t", "u"].map { try store.insert("Tag", ["label": .text($0)]) }
      for name in ["d", "c", "b", "a"] {
        let person = try store.insert("Person", ["name": .text(name)])
        try store.relate(person, "tags", to: name < "c" ? tags : [tags[0]])
      }
    }
    let report = try trial.migrate().report
    let expected = ["Person.tags \(count)"]
    // The tag that is there has lost the person of whom nothing was made, and the mapping of persons
    // alone keeps its links.
    #expect(Self.emptied(report).filter { $0.hasPrefix("Person") } == expected)
    var options = MigrationOptions()
    options.allowed.losses = .none
    for isInMemory in [false, true] {
      var run = trial
      run.worksInMemory = isInMemory
      #expect(
        try run.failure(to: "refused-\(isInMemory).sqlite", options: options).kind == .valuesLost)
    }
  }

  private static func family(_ version: String) -> Model {
    Model(
      version,
      [
        Entity("Parent", [.text("name")], [.many("children", "Child", inverse: "parent")]),
        Entity("Child", [.text("name")], [.one("parent", "Parent", inverse: "children")]),
      ])
  }

  /// The children a1 and b1 have the first parent; a2, b2 and b3 have the second one, which is left out.
  @Test(arguments: [("Plain", 3), ("Whole", 3), ("Deciding", 2)])
  func `links that only the other side keeps are counted`(policy: String, count: Int) throws {
    let trial = try Trial(
      Self.family("1"), Self.family("2"),
      [
        mapping(
          """
          {"type": "transform", "source": "Parent", "destination": "Parent", "filter": "name != 'q'",
           "attributes": {"name": {}}, "relationships": {"children": {}}},
          {"type": "transform", "source": "Child", "destination": "Child",
           \(Self.policy(policy, "parent")), "attributes": {"name": {}}}
          """)
      ], policies: Self.policies
    ) { store in
      let parents = try ["p", "q"].map { try store.insert("Parent", ["name": .text($0)]) }
      for (name, parent) in [("a1", 0), ("b1", 0), ("a2", 1), ("b2", 1), ("b3", 1)] {
        try store.insert("Child", ["name": .text(name)], ["parent": [parents[parent]]])
      }
    }
    #expect(try Self.emptied(trial.migrate().report) == ["Child.parent \(count)"])
  }

  /// Makes a child of the parent q, or says that it has become the first child, so that nothing is left to
  /// which its children can lead.
  struct Turning: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    static let needs: Set<MigrationContext.Need> = [.furtherObjects, .order]
    private let isNamed: Bool

    init(mapping: PolicyMapping) { isNamed = mapping.userInfo["relationship"] == "named" }

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      if source["name"] != "q" {
        try context.insert(context.defaultDestination(for: source), for: source)
      } else if isNamed {
        try context.associate(source, with: ObjectReference(entityName: "Child", key: 1))
      } else {
        try context.insert(context.makeObject(ofEntity: "Child"), for: source)
      }
    }
  }

  @Test(arguments: ["made", "named"])
  func `links to objects of which another entity's were made are counted`(way: String) throws {
    let trial = try Trial(
      Self.family("1"), Self.family("2"),
      [
        mapping(
          """
          {"type": "transform", "source": "Child", "destination": "Child",
           "attributes": {"name": {}}, "relationships": {"parent": {}}},
          {"type": "custom", "source": "Parent", "destination": "Parent",
           \(Self.policy("Turning", way)), "attributes": {"name": {}}}
          """)
      ], policies: [Turning.self]
    ) { store in
      let parents = try ["p", "q"].map { try store.insert("Parent", ["name": .text($0)]) }
      for (name, parent) in [("a1", 0), ("b1", 0), ("a2", 1), ("b2", 1), ("b3", 1)] {
        try store.insert("Child", ["name": .text(name)], ["parent": [parents[parent]]])
      }
    }
    #expect(try Self.emptied(trial.migrate().report) == ["Child.parent 3"])
    var options = MigrationOptions()
    options.allowed.losses = .none
    #expect(try trial.failure(to: "refused.sqlite", options: options).kind == .valuesLost)
  }

  /// The mapping itself names an entity to which the relationship does not lead.
  @Test func `links to objects that a mapping turns into another entity's are counted`() throws {
    let trial = try Trial(
      Self.family("1"), Self.family("2"),
      [
        mapping(
          """
          {"type": "transform", "source": "Child", "destination": "Child",
           "attributes": {"name": {}}, "relationships": {"parent": {}}},
          {"type": "custom", "source": "Parent", "destination": "Child",
           \(Self.policy("Plain", "")), "attributes": {"name": {}}}
          """)
      ], policies: Self.policies
    ) { store in
      let parent = try store.insert("Parent", ["name": .text("p")])
      for name in ["a", "b"] {
        try store.insert("Child", ["name": .text(name)], ["parent": [parent]])
      }
    }
    #expect(try Self.emptied(trial.migrate().report) == ["Child.parent 2"])
  }
}
