import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Policies give objects back that are not those of their hooks: read again, put together, or of
/// another entity. They are taken for what they are, or refused.
@Suite struct GivenObjectTests {
  private static let source = Model(
    "1",
    [
      Entity(
        "Person", [.text("first"), .text("last"), .number("age")],
        [.one("dept", "Dept", inverse: "people")]),
      Entity("Dept", [.text("name")], [.many("people", "Person", inverse: "dept")]),
      Entity("Other", [.text("label"), .number("size")]),
    ])
  private static let destination = Model(
    "2",
    [
      Entity(
        "Person",
        [.text("first"), .text("last"), .number("age"), .text("upper"), .text("deptName")],
        [.one("dept", "Dept", inverse: "people")]),
      Entity("Dept", [.text("name")], [.many("people", "Person", inverse: "dept")]),
      Entity("Other", [.text("label"), .number("size")]),
    ])

  /// - Parameter readsPath: whether the mapping reads along a relationship, which is not done page by
  ///   page.
  private static func trial(
    _ policy: any MigrationPolicy.Type, _ way: String, readsPath: Bool = true
  ) throws -> Trial {
    let path = readsPath ? #", "deptName": "$source.dept.name""# : ""
    let mappings = try mapping(
      """
      {"type": "custom", "source": "Person", "destination": "Person", "name": "People",
       "policy": {"name": "\(policy.name)", "userInfo": {"way": "\(way)"}},
       "attributes": {"first": {}, "last": {}, "age": {},
                      "upper": "$source.last.uppercaseString"\(path)},
       "relationships": {"dept": {}}},
      {"type": "copy", "source": "Dept", "destination": "Dept", "attributes": {"name": {}}},
      {"type": "copy", "source": "Other", "destination": "Other"}
      """)
    return try Trial(source, destination, [mappings], policies: [policy]) { store in
      let depts = try ["Sales", "Stock"].map { try store.insert("Dept", ["name": .text($0)]) }
      for number in 1...8 {
        try store.insert(
          "Person",
          [
            "first": .text("First \(number)"),
            "last": number == 5 ? .null : .text("last \(number)"),
            "age": .integer(Int64(20 + number)),
          ], number == 3 ? [:] : ["dept": [depts[number % 2]]])
        try store.insert(
          "Other", ["label": .text("Other \(number)"), "size": .integer(Int64(number))])
      }
    }
  }

  private static let pages: MigrationOptions = {
    var options = MigrationOptions()
    options.lane = .page
    return options
  }()

  // MARK: Default objects

  /// Of which object a default object is made.
  enum Given: String, CaseIterable {
    case own, readAgain, reversed, lacking, changed
    /// Refused.
    case other, unknown, renamed

    static let taken = [readAgain, reversed, lacking]

    /// What the message says.
    var mistake: String {
      switch self {
      case .other: "“People” is for objects of “Person”, and was given one of “Other”"
      case .renamed: "“People” is for objects of “Person”, and was given one of “Human”"
      case .unknown: "and the source has no “Person” with the key 99"
      default: "nothing"
      }
    }
  }

  private class Gives: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    class var needs: Set<MigrationContext.Need> { Set(MigrationContext.Need.allCases) }
    class var name: String { "Gives" }
    private let way: Given
    required init(mapping: PolicyMapping) {
      way = Given(rawValue: mapping.userInfo["way"] ?? "") ?? .own
    }

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      if let given = try object(source, context) {
        try context.insert(context.defaultDestination(for: given), for: source)
      }
    }

    private func object(
      _ source: SourceObject, _ context: MigrationContext
    ) throws -> SourceObject? {
      func made(
        _ names: [String], entity: String = "Person", key: Int64? = nil, values: [Value]? = nil
      ) -> SourceObject {
        SourceObject(
          shape: ObjectShape(entityName: entity, names: names), key: key ?? source.key,
          values: values ?? names.map { source[$0] ?? .null })
      }
      switch way {
      case .own: return source
      case .readAgain: return try context.sourceObject(ofEntity: "Person", key: source.key)
      case .reversed: return made(source.shape.names.reversed())
      case .lacking: return made(["last"])
      case .changed: return made(["last", "age"], values: ["changed", 7])
      case .other: return try context.sourceObject(ofEntity: "Other", key: source.key)
      case .unknown: return made(["last"], key: 99)
      case .renamed: return made(source.shape.names, entity: "Human")
      }
    }
  }

  private final class GivesInPages: Gives {
    override class var needs: Set<MigrationContext.Need> { [] }
    override class var name: String { "GivesInPages" }
  }

  @Test(arguments: Given.taken, [false, true])
  func `the cells of an object are taken by their names`(given: Given, readsPath: Bool) throws {
    for policy in [Gives.self, GivesInPages.self] {
      let own = try Self.trial(policy, "own", readsPath: readsPath).migrate().contents
      #expect(own["Person"].first?["deptName"] == (readsPath ? "Stock" : .null))
      #expect(own["Person"].first?["upper"] == "LAST 1")
      let found = try Self.trial(policy, given.rawValue, readsPath: readsPath).migrate().contents
      #expect(found == own)
    }
  }

  @Test func `the cells that an object has are not read again`() throws {
    for policy in [Gives.self, GivesInPages.self] {
      let people = try Self.trial(policy, "changed").migrate().contents["Person"]
      #expect(people.map { $0["upper"] } == Array(repeating: "CHANGED", count: 8))
      #expect(people.map { $0["age"] } == Array(repeating: 7, count: 8))
      #expect(people[1]["first"] == "First 2")
      #expect(people[1]["deptName"] == "Sales")
    }
  }

  @Test(arguments: [Given.other, .unknown, .renamed], [false, true])
  func `no default object is made of what is no source object`(
    given: Given, isInPages: Bool
  ) throws {
    let trial = try Self.trial(
      isInPages ? GivesInPages.self : Gives.self, given.rawValue, readsPath: !isInPages)
    let error = try trial.failure(options: isInPages ? Self.pages : MigrationOptions())
    #expect(error.codes == ["RUN-041"])
    #expect(error.description.contains(given.mistake))
    #expect(trial.directory.contents("new.sqlite") == nil)
  }

  // MARK: Source objects

  /// What is done for a source object of another entity.
  enum Deed: String, CaseIterable {
    case inserts, insertsAnother, associates, finds, insertsInEnd
  }

  /// Gives an object of another entity with the key of the hook's, or with the next.
  private class Confuses: MigrationPolicy {
    class var hooks: Set<MigrationHook> { [.createDestinationInstances, .endInstanceCreation] }
    class var needs: Set<MigrationContext.Need> { Set(MigrationContext.Need.allCases) }
    class var name: String { "Confuses" }
    private let deed: Deed?

    required init(mapping: PolicyMapping) {
      deed = Deed(rawValue: mapping.userInfo["way"] ?? "")
    }

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let object = try context.defaultDestination(for: source)
      guard let other = try context.sourceObject(ofEntity: "Other", key: source.key) else { return }
      switch deed {
      case .inserts: try context.insert(object, for: other)
      case .insertsAnother:
        try context.insert(object, for: source)
        try context.insert(context.makeObject(ofEntity: "Dept"), for: other)
      case .associates:
        let made = try context.insert(object, for: source)
        if let next = try context.sourceObject(ofEntity: "Other", key: source.key + 1) {
          try context.associate(next, with: made)
        }
      case .finds: try context.findOrInsert("Dept", key: [1], for: other) { _ in }
      default: try context.insert(object, for: source)
      }
    }

    func endInstanceCreation(in context: MigrationContext) throws {
      guard deed == .insertsInEnd,
        let other = try context.sourceObject(ofEntity: "Other", key: 1)
      else { return }
      try context.insert(context.makeObject(ofEntity: "Dept"), for: other)
    }
  }

  private final class ConfusesInPages: Confuses {
    override class var hooks: Set<MigrationHook> { [.createDestinationInstances] }
    override class var needs: Set<MigrationContext.Need> { [] }
    override class var name: String { "ConfusesInPages" }
  }

  private static func expectConfusion(_ error: MigrationError) {
    #expect(error.codes == ["RUN-041"])
    #expect(
      error.description.contains(
        "“People” is for objects of “Person”, and was given one of “Other”"))
  }

  @Test(arguments: Deed.allCases)
  func `an object of another entity is no source object`(deed: Deed) throws {
    Self.expectConfusion(try Self.trial(Confuses.self, deed.rawValue).failure())
  }

  @Test func `nor is it page by page`() throws {
    let trial = try Self.trial(ConfusesInPages.self, "inserts", readsPath: false)
    Self.expectConfusion(try trial.failure(options: Self.pages))
  }

  private struct Replaces: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      try context.findOrInsert("Dept", key: [1], for: source) {
        $0 = try context.makeObject(ofEntity: "Other")
      }
    }
  }

  @Test func `a shared object is of the entity that was asked for`() throws {
    let error = try Self.trial(Replaces.self, "").failure()
    #expect(error.codes == ["RUN-041"])
    #expect(error.description.contains("puts an object of “Other” in the place of the “Dept”"))
  }

  private struct ReadsParent: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      guard let pet = try context.sourceObject(ofEntity: "Pet", key: source.key) else { return }
      try context.insert(context.defaultDestination(for: pet), for: pet)
    }
  }

  @Test func `an object that was read as one of its parent is taken`() throws {
    let entities = [
      Entity("Pet", [.text("name")]), Entity("Dog", parent: "Pet", [.text("breed")]),
    ]
    let trial = try Trial(
      Model("1", entities), Model("2", entities + [Entity("More", [.text("text")])]),
      [
        mapping(
          """
          {"type": "custom", "source": "Dog", "destination": "Dog", "policy": "ReadsParent",
           "attributes": {"name": {}, "breed": {}}},
          {"type": "copy", "source": "Pet", "destination": "Pet"}
          """)
      ], policies: [ReadsParent.self]
    ) { store in
      try store.insert("Pet", ["name": "Ace"])
      try store.insert("Dog", ["name": "Rex", "breed": "Collie"])
    }
    let dogs = try trial.migrate().contents["Dog"]
    #expect(dogs.map { $0["name"] } == ["Rex"])
    #expect(dogs.map { $0["breed"] } == ["Collie"])
  }
}
