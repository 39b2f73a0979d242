import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import Testing

/// A small migration whose mappings all run page by page makes its store in memory in one go.
@Suite struct MemoryPagesTests {
  private static func lanes(_ report: MigrationReport) -> Set<MigrationPlan.Lane> {
    Set(report.steps.flatMap(\.mappings).map(\.lane))
  }

  /// Migrates in memory by pages and by SQL, and expects the same store and the same counts.
  ///
  /// - Returns: the report of the run by pages.
  @discardableResult
  private static func compare(
    _ trial: Trial, lanes expected: Set<MigrationPlan.Lane> = [.page],
    options: MigrationOptions = MigrationOptions()
  ) throws -> MigrationReport {
    var trial = trial
    trial.worksInMemory = true
    let plan = try trial.migration(
      to: .file(trial.directory.path("pages.sqlite")), options: options
    ).plan()
    #expect(plan.steps.flatMap(\.passes).flatMap(\.mappings).allSatisfy { $0.lane == .page })
    let report = try trial.run(to: "pages.sqlite", options: options)
    #expect(lanes(report) == expected)
    var sets = options
    sets.lane = .set
    let other = try trial.run(to: "set.sqlite", options: sets)
    let rows = try ["set.sqlite", "pages.sqlite"].map {
      try StoreRows(path: trial.directory.path($0))
    }
    #expect(rows[1].differences(from: rows[0]) == [])
    let bookkeeping = try ["set.sqlite", "pages.sqlite"].map { name in
      let store = try Connection(path: trial.directory.path(name), mode: .readOnly)
      return try [
        "SELECT * FROM Z_PRIMARYKEY", "SELECT rowid, * FROM Z_MODELCACHE",
        "SELECT Z_VERSION, Z_UUID, typeof(Z_PLIST) FROM Z_METADATA",
      ].map { try store.rows($0) }
    }
    #expect(bookkeeping[1] == bookkeeping[0])
    let found = try StoreAudit(
      path: trial.directory.path("pages.sqlite"), model: trial.destination
    ).findings
    #expect(found == [])
    for (one, two) in zip(report.steps.flatMap(\.mappings), other.steps.flatMap(\.mappings)) {
      #expect(one.made == two.made)
      #expect((one.read, one.filtered, one.becameNil) == (two.read, two.filtered, two.becameNil))
    }
    return report
  }

  private static let people = Model("1", [Entity("Person", [.text("name"), .number("age")])])

  /// Persons of all ages from 0 to 99.
  private static func fill(_ store: TestStore) throws {
    for number in 0..<1_000 {
      try store.insert(
        "Person", ["name": .text("p\(number)"), "age": .integer(Int64(number % 100))])
    }
  }

  @Test func `links, join tables and indexes are those of the other lanes`() throws {
    let trial = try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2,
      [
        try mapping(
          RelationshipTests.entities.map {
            #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
          }.joined(separator: ", "))
      ], fill: RelationshipTests.fill)
    let report = try Self.compare(trial)
    #expect(report.warnings.all.filter { $0.code == "RUN-048" } == [])
  }

  @Test func `a table that two passes fill gets the rows of both`() throws {
    let halves = try ["age < 50", "age >= 50"].enumerated().map { number, filter in
      try mapping(
        """
        {"type": "transform", "source": "Person", "destination": "Human", "filter": "\(filter)",
         "attributes": {"name": "uppercase:($source.name)", "age": "$source.age + \(number)"}}
        """, named: "Half \(number)")
    }
    let trial = try Trial(
      Self.people, Model("2", [Entity("Human", [.number("age"), .text("name")])]), halves,
      fill: Self.fill)
    let report = try Self.compare(trial)
    #expect(report.steps.flatMap(\.mappings).map(\.made) == [["Human": 500], ["Human": 500]])
  }

  @Test func `an attribute that must have a value is missed as in the other lanes`() throws {
    let strict = Model(
      "2",
      [
        Entity(
          "Person", [.number("age"), Attribute(name: "name", type: .string, isOptional: false)])
      ])
    let copy = try mapping(#"{"type": "copy", "source": "Person", "destination": "Person"}"#)
    var trial = try Trial(Self.people, strict, [copy]) { store in
      try Self.fill(store)
      try store.insert("Person", ["age": 3])
    }
    trial.worksInMemory = true
    let error = try trial.failure()
    #expect(error.codes == ["VAL-001"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test(arguments: [false, true])
  func `a policy that decides relationships is left to SQL, and the report says so`(
    isQuiet: Bool
  ) throws {
    let policy = isQuiet ? "QuietRelatingPolicy" : "RelatingPolicy"
    func model(_ name: String, _ attributes: [Attribute]) -> Model {
      Model(
        name,
        [
          Entity(
            "Person", attributes,
            [Relationship(name: "friend", destinationEntityName: "Person")])
        ])
    }
    let trial = try Trial(
      model("1", [.text("name")]), model("2", [.number("age"), .text("name")]),
      [
        try mapping(
          """
          {"type": "custom", "source": "Person", "destination": "Person", "policy": "\(policy)",
           "attributes": {"name": "$source.name"}}
          """)
      ], policies: [RelatingPolicy.self, QuietRelatingPolicy.self]
    ) { store in
      for number in 1...20 { try store.insert("Person", ["name": .text("p\(number)")]) }
    }
    let report = try Self.compare(trial, lanes: [.row])
    #expect(report.warnings.all.map(\.code).contains("RUN-048"))
  }

  @Test func `a store that outgrows its memory is made in the folder`() throws {
    let trial = try Trial(
      Self.people, Model("2", [Entity("Person", [.number("age"), .text("name")])]),
      [
        try mapping(
          """
          {"type": "custom", "source": "Person", "destination": "Person",
           "policy": "GrowingPolicy", "attributes": {"name": "$source.name"}}
          """)
      ], policies: [GrowingPolicy.self], fill: Self.fill)
    var options = MigrationOptions()
    options.limits.workMemoryBytes = 1 << 20
    try Self.compare(trial, options: options)
  }

  @Test func `damage of the source is told with the table and the page`() throws {
    let copy = try mapping(#"{"type": "copy", "source": "Person", "destination": "Person"}"#)
    var trial = try Trial(
      Self.people, Model("2", [Entity("Person", [.number("age"), .text("name")])]), [copy],
      fill: Self.fill)
    trial.worksInMemory = true
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // The type of the last column stands right before its value and that of the age.
    let text = Array("p321".utf8)
    let place = try #require(
      bytes.indices.dropLast(text.count).first { Array(bytes[$0..<$0 + text.count]) == text })
    let type = try #require((place - 4..<place).first { bytes[$0] == UInt8(13 + 2 * text.count) })
    bytes[type] = 11
    try trial.directory.write(bytes, to: "old.sqlite")
    let error = try trial.failure()
    #expect(error.kind == .sourceDamaged)
    let page = place / 4_096 + 1
    #expect("\(error)".contains("ZPERSON: page \(page) has a record"), "\(error)")
    #expect(trial.directory.names == ["old.sqlite"])
  }
}

/// Empties a relationship of every object while the objects are made.
private struct RelatingPolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    let made = try context.insert(context.defaultDestination(for: source), for: source)
    try context.setRelationship("friend", of: made, to: [made])
  }
}

/// Does the same, and ignores what is thrown.
private struct QuietRelatingPolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    let made = try context.insert(context.defaultDestination(for: source), for: source)
    try? context.setRelationship("friend", of: made, to: [made])
  }
}

/// Makes values that are much larger than the source.
private struct GrowingPolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    var person = try context.defaultDestination(for: source)
    try person.set("name", to: .text(String(repeating: "large ", count: 1_000)))
    try context.insert(person, for: source)
  }
}
