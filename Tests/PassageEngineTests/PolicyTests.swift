import Passage
import PassageEngine
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Policies take part in a migration as Core Data's do.
@Suite struct PolicyTests {
  static let source = Model(
    "1",
    [
      Entity("Person", [.text("first"), .text("last"), .text("city")]),
      Entity("Dog", [.text("name")]),
    ])
  static let destination = Model(
    "2",
    [
      Entity("Person", [.text("fullName")], [.one("city", "City", inverse: "people")]),
      Entity(
        "City", [.text("name"), .number("count")], [.many("people", "Person", inverse: "city")]),
      Entity("Dog", [.text("name")]),
    ])

  static func fill(_ store: TestStore) throws {
    for (first, last, city) in [
      ("Ann", "Lee", "Rome"), ("Bob", "Ray", "Oslo"), ("Cy", "Fox", "Rome"), ("Di", "Orr", "Rome"),
      ("Ed", "Poe", "Oslo"),
    ] {
      try store.insert(
        "Person", ["first": .text(first), "last": .text(last), "city": .text(city)])
    }
    for name in ["Rex", "Ace"] { try store.insert("Dog", ["name": .text(name)]) }
  }

  static func trial(
    _ person: String, _ policies: [any MigrationPolicy.Type], userInfo: String = "{}"
  ) throws -> Trial {
    try Trial(
      source, destination,
      [
        mapping(
          """
          {"type": "custom", "source": "Person", "destination": "Person",
           "policy": {"name": "\(person)", "userInfo": \(userInfo)},
           "attributes": {"fullName": "$source.first"}},
          {"type": "copy", "source": "Dog", "destination": "Dog"}
          """)
      ], policies: policies, fill: fill)
  }

  // MARK: Making objects

  /// Two into one by key, found across batches and interruptions.
  struct Cities: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      var person = try context.defaultDestination(for: source)
      try person.set("fullName", to: .text("\(source["first"]?.string ?? "") x"))
      let made = try context.insert(person, for: source)
      let name = source["city"] ?? .null
      let city = try context.findOrInsert("City", key: [name], for: source) {
        try $0.set("name", to: name)
        try $0.set("count", to: 0)
      }
      if var object = try context.destinationObject(city.object) {
        try object.set("count", to: .integer((object["count"]?.integer ?? 0) + 1))
        try context.update(object)
      }
      try context.setRelationship("city", of: made, to: [city.object])
    }
  }

  @Test func `objects found by key are made once and shared`() throws {
    let (found, report) = try Self.trial("Cities", [Cities.self]).migrate()
    #expect(found["Person"].map { $0["fullName"] } == ["Ann x", "Bob x", "Cy x", "Di x", "Ed x"])
    #expect(found["City"].map { $0["name"] } == ["Rome", "Oslo"])
    #expect(found["City"].map { $0["count"] } == [3, 2])
    #expect(found["City"].map { $0.keys("people") } == [[1, 3, 4], [2, 5]])
    let account = try #require(report.steps[0].mappings.first)
    #expect(account.migrated == 5)
    #expect(account.split == 2)
    #expect(account.made == ["Person": 5, "City": 2])
  }

  /// None for some, two for others, the rest merged into the first.
  struct Uneven: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      switch source.key {
      case 1: return
      case 2:
        for number in 1...3 {
          var person = try context.makeObject(ofEntity: "Person")
          try person.set("fullName", to: .text("Bob \(number)"))
          try context.insert(person, for: source)
        }
      case 3:
        try context.associate(
          source,
          with: context.destinationInstances(forMappingNamed: "PersonToPerson", sourceKey: 2)[0])
      default: try context.insert(context.defaultDestination(for: source), for: source)
      }
    }
  }

  @Test func `a policy makes none, one or many, and merges`() throws {
    let (found, report) = try Self.trial("Uneven", [Uneven.self]).migrate()
    #expect(found["Person"].map { $0["fullName"] } == ["Bob 1", "Di", "Ed", "Bob 2", "Bob 3"])
    #expect(found["Person"].map(\.key) == [2, 4, 5, 6, 7])
    let account = try #require(report.steps[0].mappings.first)
    #expect(account.removed == 1)
    #expect(account.merged == 1)
    #expect(account.migrated == 3)
    #expect(account.split == 2)
  }

  struct Names: MigrationPolicy {
    let separator: String
    init(mapping: PolicyMapping) { separator = mapping.userInfo["separator"] ?? "?" }
    var functions: [String: PolicyFunction] {
      [
        "fullName:": { [separator] arguments in
          guard case .object(let source)? = arguments.first else { return .null }
          return .text(
            "\(source["first"]?.string ?? "")\(separator)\(source["last"]?.string ?? "")")
        },
        "join:with:": { arguments in
          let parts = arguments.map { argument in
            if case .value(.text(let text)) = argument { text } else { "-" }
          }
          return .text(parts.joined(separator: "+"))
        },
      ]
    }
  }

  @Test(arguments: [
    ("FUNCTION($entityPolicy, 'fullName:', $source)", "Ann, Lee"),
    ("FUNCTION($entityPolicy, 'join:with:', $source.first, $source.last)", "Ann+Lee"),
  ])
  func `value functions of the policy compute values`(expression: String, first: Value) throws {
    let trial = try Trial(
      Self.source, Self.destination,
      [
        mapping(
          """
          {"type": "transform", "source": "Person", "destination": "Person",
           "policy": {"name": "Names", "userInfo": {"separator": ", "}},
           "attributes": {"fullName": "\(expression)"}},
          {"type": "remove", "source": "Dog"}
          """)
      ], policies: [Names.self], fill: Self.fill)
    let (found, report) = try trial.migrate()
    #expect(found["Person"].first?["fullName"] == first)
    #expect(report.steps[0].mappings.map(\.removed) == [0, 2])
  }

  // MARK: Hooks

  /// What was called, by the name the test gave; tests run beside one another.
  static let calls = Mutex<[String: [String]]>([:])

  struct Recorder: MigrationPolicy {
    let mapping: PolicyMapping
    func note(_ what: String) {
      PolicyTests.calls.withLock { $0[mapping.userInfo["log"] ?? "", default: []].append(what) }
    }
    func begin(in context: MigrationContext) { note("begin \(mapping.name)") }
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      note("create \(source.shape.entityName) \(source.key)")
      try context.insert(context.defaultDestination(for: source), for: source)
    }
    func endInstanceCreation(in context: MigrationContext) { note("created \(mapping.name)") }
    func createRelationships(for object: DestinationObject, in context: MigrationContext) throws {
      note("relate \(object.entityName) \(object.key)")
      try context.createDefaultRelationships(for: object)
    }
    func endRelationshipCreation(in context: MigrationContext) { note("related \(mapping.name)") }
    func performCustomValidation(in context: MigrationContext) { note("validate \(mapping.name)") }
    func end(in context: MigrationContext) { note("end \(mapping.name)") }
  }

  @Test(arguments: [1, 100])
  func `hooks are called in Core Data's order`(batch: Int) throws {
    let log = "order \(batch)"
    let trial = try Trial(
      Model("1", [Entity("A", [.text("x")]), Entity("B")]),
      Model("2", [Entity("A", [.text("y")]), Entity("B", [.text("y")])]),
      [
        mapping(
          ["A", "B"].map {
            """
            {"type": "custom", "source": "\($0)", "destination": "\($0)",
             "policy": {"name": "Recorder", "userInfo": {"log": "\(log)"}}}
            """
          }.joined(separator: ", "))
      ], policies: [Recorder.self]
    ) { store in
      for _ in 1...2 { try store.insert("A") }
      try store.insert("B")
    }
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: batch)
    try trial.run(options: options)
    #expect(
      Self.calls.withLock { $0[log] } == [
        "begin AToA", "create A 1", "create A 2", "created AToA",
        "begin BToB", "create B 1", "created BToB",
        "relate A 1", "relate A 2", "related AToA", "relate B 1", "related BToB",
        "validate AToA", "end AToA", "validate BToB", "end BToB",
      ])
  }

  @Test func `relating is asked for the objects of one mapping, not for others in its table`()
    throws
  {
    let log = "two feeds"
    let trial = try Trial(
      Model("1", [Entity("A"), Entity("B")]), Model("2", [Entity("C", [.text("y")])]),
      [
        mapping(
          ["A", "B"].map {
            """
            {"type": "custom", "source": "\($0)", "destination": "C",
             "policy": {"name": "Recorder", "userInfo": {"log": "\(log)"}}}
            """
          }.joined(separator: ", "))
      ], policies: [Recorder.self]
    ) { store in
      for _ in 1...2 { try store.insert("A") }
      for _ in 1...2 { try store.insert("B") }
    }
    try trial.run()
    #expect(
      Self.calls.withLock { $0[log] ?? [] }.filter { $0.hasPrefix("relate") } == [
        "relate C 1", "relate C 2", "related AToC", "relate C 3", "relate C 4", "related BToC",
      ])
  }

  struct Thrown: Error {}

  struct Thrower: MigrationPolicy {
    let hook: String
    init(mapping: PolicyMapping) { hook = mapping.userInfo["hook"] ?? "" }
    func fail(_ name: MigrationHook) throws { if hook == name.rawValue { throw Thrown() } }
    func begin(in context: MigrationContext) throws { try fail(.begin) }
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      if source.key == 4 { try fail(.createDestinationInstances) }
      try context.insert(context.defaultDestination(for: source), for: source)
    }
    func endInstanceCreation(in context: MigrationContext) throws { try fail(.endInstanceCreation) }
    func createRelationships(for object: DestinationObject, in context: MigrationContext) throws {
      if object.key == 3 { try fail(.createRelationships) }
    }
    func endRelationshipCreation(in context: MigrationContext) throws {
      try fail(.endRelationshipCreation)
    }
    func performCustomValidation(in context: MigrationContext) throws {
      try fail(.performCustomValidation)
    }
    func end(in context: MigrationContext) throws { try fail(.end) }
  }

  @Test(arguments: MigrationHook.allCases)
  func `a hook that throws ends the migration and leaves no half store`(hook: MigrationHook) throws
  {
    let trial = try Self.trial(
      "Thrower", [Thrower.self], userInfo: "{\"hook\": \"\(hook.rawValue)\"}")
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 2)
    let error = try trial.failure(options: options)
    #expect(error.kind == .policyFailed)
    #expect(error.kind.rawValue == 41)
    #expect(error.codes == ["RUN-041"])
    #expect(error.description.contains(hook.rawValue))
    #expect(trial.directory.contents("new.sqlite") == nil)
    // The same command without the mistake continues.
    var mended = trial
    mended.mappings = try Self.trial("Thrower", [Thrower.self]).mappings
    #expect(try mended.run(options: options).outcome == .migrated)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  // MARK: Associations

  /// Reads what an earlier pass made of the same objects.
  struct Later: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let made = try context.destinationInstances(
        forMappingNamed: "PersonToPerson", sourceKey: source.key)
      var dog = try context.makeObject(ofEntity: "Dog")
      let back = try made.first.map {
        try context.sourceKeys(forMappingNamed: "PersonToPerson", destination: $0)
      }
      try dog.set("name", to: .text("\(made.map(\.key)) \(back ?? [])"))
      try context.insert(dog, for: source)
    }
  }

  @Test func `associations lead both ways and across passes`() throws {
    let first = try Self.trial("Uneven", [Uneven.self])
    var trial = first
    trial.policies = [Uneven.self, Later.self]
    trial.mappings.append(
      try mapping(
        """
        {"type": "custom", "source": "Person", "destination": "Dog", "name": "Tale",
         "policy": "Later"}
        """, named: "Second"))
    let found = try trial.migrate().contents
    #expect(
      found["Dog"].map { $0["name"] } == [
        "Rex", "Ace", "[] []", "[2, 6, 7] [2, 3]", "[2] [2, 3]", "[4] [4]", "[5] [5]",
      ])
  }

  // MARK: Plan

  @Test func `a policy that nobody registered is an error in the plan, with its place`() throws {
    let trial = try Self.trial("Citie", [Cities.self])
    let error = try #require(throws: MigrationError.self) {
      try trial.migration(to: .inPlace).plan()
    }
    #expect(error.kind == .wrongFile)
    #expect(error.codes == ["MAP-019"])
    #expect(error.diagnostics.all.first?.location?.line == 3)
    #expect(error.description.contains("did you mean “Cities”?"))
    #expect(trial.directory.names == ["old.sqlite"])
  }

  /// Has the type `Cities` too.
  enum Elsewhere {
    struct Cities: MigrationPolicy {
      init(mapping: PolicyMapping) {}
    }
  }

  @Test func `two policies with one name are an error in the plan`() throws {
    let trial = try Self.trial("Cities", [Cities.self, Elsewhere.Cities.self])
    let error = try trial.failure()
    #expect(error.kind == .wrongFile)
    #expect(error.codes == ["MAP-041"])
    #expect(error.description.contains("“Cities”"))
    #expect(error.description.contains("PolicyTests.Elsewhere.Cities”"))
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `a policy that is registered twice is one`() throws {
    try Self.trial("Cities", [Cities.self, Thrower.self, Cities.self]).run()
  }

  struct Refuser: MigrationPolicy {
    init(mapping: PolicyMapping) throws { throw PolicyMistake("needs a city") }
  }

  @Test func `a policy that refuses its mapping is an error in the plan`() throws {
    let error = try Self.trial("Refuser", [Refuser.self]).failure()
    #expect(error.codes == ["MAP-028"])
    #expect(error.description.contains("needs a city"))
  }

  // MARK: Two passes

  /// Makes a city of the first three persons.
  struct FirstPass: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let made = try context.insert(context.defaultDestination(for: source), for: source)
      guard source.key == 3 else { return }
      let rome = try context.findOrInsert("City", key: ["Rome"], for: source) { _ in }
      let people = (1...3).map { ObjectReference(entityName: made.entityName, key: Int64($0)) }
      try context.setRelationship("people", of: rome.object, to: people)
    }
  }

  /// Decides anew who lives there: the last two, the later one first.
  struct SecondPass: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      try context.insert(context.defaultDestination(for: source), for: source)
      guard source.key == 1, let rome = try context.find("City", key: ["Rome"]) else { return }
      let people = try [5, 4].flatMap {
        try context.destinationInstances(forMappingNamed: "PersonToPerson", sourceKey: $0)
      }
      try context.setRelationship("people", of: rome, to: people)
    }
  }

  @Test(arguments: [1, 50_000])
  func `of two passes that relate the same object, the later one counts`(rows: Int) throws {
    let trial = try Trial(
      Self.source, Self.destination,
      [
        mapping(
          """
          {"type": "custom", "source": "Person", "destination": "Person",
           "policy": {"name": "FirstPass"}, "attributes": {"fullName": "$source.first"}}
          """),
        mapping(
          """
          {"type": "custom", "source": "Dog", "destination": "Dog",
           "policy": {"name": "SecondPass"}, "attributes": {"name": "$source.name"}}
          """),
      ], policies: [FirstPass.self, SecondPass.self], fill: Self.fill)
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: rows)
    try trial.run(options: options)
    let found = try StoreContents(
      path: trial.directory.path("new.sqlite"), model: Self.destination)
    #expect(found["City"].map { $0.keys("people") } == [[4, 5]])
  }

  // MARK: Going on

  /// Numbers objects by what it keeps on disk, and makes an object when it begins.
  final class Counter: MigrationPolicy {
    var town: ObjectReference?
    init(mapping: PolicyMapping) {}
    func begin(in context: MigrationContext) throws {
      var city = try context.makeObject(ofEntity: "City")
      try city.set("name", to: "Unknown")
      town = try context.insert(city)
    }
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let number = (Int(try context.userInfo.value("count") ?? "0") ?? 0) + 1
      try context.userInfo.set("count", to: "\(number)")
      var person = try context.defaultDestination(for: source)
      try person.set("fullName", to: .text("number \(number)"))
      let made = try context.insert(person, for: source)
      if let town { try context.setRelationship("city", of: made, to: [town]) }
    }
    func endInstanceCreation(in context: MigrationContext) throws {
      var city = try context.makeObject(ofEntity: "City")
      try city.set("name", to: .text("made \(try context.userInfo.value("count") ?? "none")"))
      try context.insert(city)
    }
    func end(in context: MigrationContext) throws {
      var city = try context.makeObject(ofEntity: "City")
      try city.set("name", to: "end")
      try context.insert(city)
    }
  }

  @Test func `what a policy keeps on disk and makes when it begins survives every interruption`()
    throws
  {
    let trial = try Self.trial("Counter", [Counter.self])
    let expected = try trial.migrate()
    #expect(expected.contents["Person"].last?["fullName"] == "number 5")
    #expect(expected.contents["City"].map { $0["name"] } == ["Unknown", "made 5", "end"])
    #expect(expected.contents["City"].first?.keys("people") == [1, 2, 3, 4, 5])
    let found = try Interruptions.anyBatches(of: trial, places: 8)
    let rows = try StoreRows(path: trial.directory.path("new-0.sqlite"))
    for name in found {
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: rows) == [])
    }
  }
}
