import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Pairs of many-to-many relationships between objects that a filter leaves behind or a policy makes:
/// the same in every lane, and made by pages without a statement for each.
@Suite struct JoinedPairTests {
  static let seed = RandomSeed.told(for: "JoinedPairTests")

  /// What becomes of the objects of an entity.
  enum Making: String, CaseIterable, Sendable {
    case all
    case filtered
    /// Each becomes an object with a new key, or nothing.
    case moved = "Moved"
    /// Several become one, some nothing, and some keep their keys.
    case shared = "Shared"

    var text: String {
      switch self {
      case .all: #""type": "transform""#
      case .filtered: #""type": "transform", "filter": "number != 0""#
      case .moved, .shared: #""type": "custom", "policy": "\#(rawValue)""#
      }
    }
  }

  struct Moved: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      guard try source.integer("number") != 0 else { return }
      var object = try context.makeObject(ofEntity: context.mapping.destinationEntityName ?? "")
      try object.set("name", to: source["name"] ?? .null)
      try context.insert(object, for: source)
    }
  }

  struct Shared: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      let entity = context.mapping.destinationEntityName ?? ""
      switch try source.integer("number") ?? 0 {
      case 0: break
      case 1: try context.insert(try context.defaultDestination(for: source), for: source)
      default:
        try context.findOrInsert(entity, key: [source["name"] ?? .null], for: source) {
          try $0.set("name", to: source["name"] ?? .null)
        }
      }
    }
  }

  /// Adds an association after all objects and pairs were made.
  struct Late: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances, .end]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      guard source.key == 1 else { return }
      try context.insert(try context.defaultDestination(for: source), for: source)
    }

    func end(in context: MigrationContext) throws {
      for key in Int64(2)...9 {
        guard let other = try context.sourceObject(ofEntity: "Person", key: key) else { continue }
        try context.associate(other, with: ObjectReference(entityName: "Human", key: 1))
      }
    }
  }

  private static func trial(
    _ persons: String, _ tags: String, isOrdered: (Bool, Bool) = (false, false),
    hasBothSides: Bool = false, count: Int, pairs: Int, _ random: inout SeededRandom
  ) throws -> Trial {
    func entities(_ one: String, _ ones: String, _ other: String, _ others: String) -> [Entity] {
      [
        Entity(
          one, [.text("name"), .number("number")],
          [.many(others, other, inverse: ones, isOrdered: isOrdered.0)]),
        Entity(
          other, [.text("name"), .number("number")],
          [.many(ones, one, inverse: others, isOrdered: isOrdered.1)]),
        // Keys that are not those of the source.
        Entity("Zone", [.text("name")]),
      ]
    }
    func ask(_ mapping: String, _ path: String) -> String {
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
        + "\\\"\(mapping)\\\", $source.\(path))"
    }
    let other = hasBothSides ? #""humans": "\#(ask("Humans", "persons"))""# : ""
    let mappings = try mapping(
      """
      {"name": "Zones", "source": "Zone", "destination": "Label", "type": "transform",
       "attributes": {"name": {}}},
      {"name": "Labels", "source": "Tag", "destination": "Label", \(tags),
       "attributes": {"name": {}}, "relationships": {\(other)}},
      {"name": "Humans", "source": "Person", "destination": "Human", \(persons),
       "attributes": {"name": {}}, "relationships": {"labels": "\(ask("Labels", "tags"))"}}
      """)
    return try Trial(
      Model("1", entities("Person", "persons", "Tag", "tags")),
      Model("2", entities("Human", "humans", "Label", "labels")), [mappings],
      policies: [Moved.self, Shared.self, Late.self]
    ) { store in
      for number in 0..<3 { try store.insert("Zone", ["name": .text("z\(number)")]) }
      func objects(_ entity: String) throws -> [ObjectReference] {
        try (0..<count).map { _ in
          try store.insert(
            entity,
            [
              "name": .text("n\(Int.random(in: 0..<4, using: &random))"),
              "number": .integer(Int64.random(in: 0..<4, using: &random)),
            ])
        }
      }
      let (persons, tags) = (try objects("Person"), try objects("Tag"))
      guard count > 0 else { return }
      for person in persons {
        let related = tags.shuffled(using: &random).prefix(
          Int.random(in: 0...max(1, 2 * pairs / count), using: &random))
        try store.relate(person, "tags", to: Array(related))
      }
    }
  }

  private static let pages: MigrationOptions = {
    var options = MigrationOptions()
    options.lane = .page
    return options
  }()

  private static func warnings(_ trial: Trial) throws -> [[String]] {
    try [MigrationOptions.Lane.page, .set, .row].enumerated().map { number, lane in
      var options = MigrationOptions()
      options.lane = lane
      let report = try trial.run(to: "told-\(number).sqlite", options: options)
      return report.warnings.all.map { "\($0.code) \($0.message)" }.sorted()
    }
  }

  // MARK: The same pairs

  @Test(arguments: Making.allCases, Making.allCases)
  func `every lane gives the same pairs, accounts and warnings`(persons: Making, tags: Making)
    throws
  {
    // Which of several places a pair gets is not told where objects become one.
    let isInjective = persons != .shared && tags != .shared
    var random = SeededRandom(
      seed: Self.seed &+ UInt64(persons.text.utf8.count * 31 + tags.text.utf8.count))
    let isOrdered = (0..<2).map { _ in random.chance(50) && isInjective }
    let trial = try Self.trial(
      persons.text, tags.text, isOrdered: (isOrdered[0], isOrdered[1]),
      hasBothSides: random.chance(50), count: Int.random(in: 0...60, using: &random), pairs: 300,
      &random)
    _ = try trial.migrate()
    let told = try Self.warnings(trial)
    #expect(told[1] == told[0] && told[2] == told[0])
  }

  private static func joinTable(_ store: Connection) throws -> (name: String, columns: [String]) {
    let name = try store.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
    ).first?[0].string
    let table = try #require(name)
    let columns = try store.rows("SELECT name FROM pragma_table_info(?)", [.text(table)])
    return (table, columns.compactMap { $0[0].string })
  }

  @Test(
    arguments: [(Making.filtered, false), (.filtered, true), (.shared, false), (.moved, true)],
    ["-7, 4", "4, 9223372036854775807", "NULL, 4", "'x', 2", "3, x'01'", nil])
  func `pairs that lead to no object are counted in every lane`(
    way: (making: Making, hasBothSides: Bool), odd: String?
  ) throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      way.making.text, Making.filtered.text, hasBothSides: way.hasBothSides, count: 40, pairs: 200,
      &random)
    do {
      let store = try Connection(path: trial.sourcePath, mode: .readWrite)
      let (table, columns) = try Self.joinTable(store)
      if let odd {
        try store.execute("INSERT INTO \(table) (\(columns[0]), \(columns[1])) VALUES (\(odd))")
      } else {
        try store.execute("DELETE FROM ZPERSON WHERE Z_PK % 7 = 3")
        try store.execute("DELETE FROM ZTAG WHERE Z_PK % 5 = 1")
      }
    }
    let report = try trial.migrate().report
    #expect(report.warnings.all.map(\.code).contains("RUN-024"))
    let told = try Self.warnings(trial)
    #expect(told[1] == told[0] && told[2] == told[0])
  }

  @Test func `pairs with a key that SQLite would convert are left to it`() throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Making.filtered.text, Making.all.text, count: 20, pairs: 100, &random)
    do {
      let store = try Connection(path: trial.sourcePath, mode: .readWrite)
      let (table, columns) = try Self.joinTable(store)
      try store.execute("INSERT INTO \(table) (\(columns[0]), \(columns[1])) VALUES (1.5, 2)")
    }
    _ = try trial.migrate()
  }

  @Test func `an association that is added after the pairs were made gives its pairs too`() throws {
    var random = SeededRandom(seed: Self.seed)
    let late = #""type": "custom", "policy": "Late""#
    let trial = try Self.trial(late, Making.filtered.text, count: 20, pairs: 100, &random)
    _ = try trial.migrate()
  }

  @Test(arguments: [Making.filtered, .shared])
  func `a run that is stopped and continued writes the same pairs`(making: Making) throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      making.text, Making.moved.text, count: 6, pairs: 12, &random)
    try trial.run(to: "whole.sqlite", options: Self.pages)
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    for name in try Interruptions.anyBatches(of: trial, lane: .page) {
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [])
    }
  }

  @Test func `with too little memory the pairs are left to the assembly`() throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Making.shared.text, Making.filtered.text, count: 40, pairs: 200, &random)
    _ = try StepMemory.$allowed.withValue(StepMemory(tableBytes: 8, runBytes: 0)) {
      try trial.migrate()
    }
  }

  // MARK: The way

  @Test(arguments: [(Making.filtered, Making.filtered), (.moved, .filtered), (.shared, .moved)])
  func `pairs that are not arithmetic need no more statements than those that are`(
    persons: Making, tags: Making
  ) throws {
    func steps(_ persons: Making, _ tags: Making, pairs: Int) throws -> Int {
      var random = SeededRandom(seed: Self.seed)
      let trial = try Self.trial(persons.text, tags.text, count: 200, pairs: pairs, &random)
      return try StatementSteps.count { try trial.run(options: Self.pages) }
    }
    func growth(_ persons: Making, _ tags: Making) throws -> Int {
      try steps(persons, tags, pairs: 8_000) - steps(persons, tags, pairs: 1_000)
    }
    let arithmetic = try growth(.all, .all)
    #expect(try growth(persons, tags) - arithmetic < 7_000)
    let lookedUp = try StepMemory.$allowed.withValue(StepMemory(tableBytes: 0, runBytes: 0)) {
      try growth(persons, tags)
    }
    #expect(lookedUp - arithmetic > 7_000)
  }

  @Test func `a run that was killed while pairs were put in place starts its pass again`() throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Making.filtered.text, Making.moved.text, count: 6, pairs: 12, &random)
    try Interruptions.killInMoment(of: trial, begun: "joined:begun:%")
  }
}
