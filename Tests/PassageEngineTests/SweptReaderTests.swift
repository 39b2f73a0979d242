import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import Synchronization
import Testing

/// Objects of which a policy makes others row by row are read from pages where that is possible, and
/// are those that SQLite reads.
@Suite(.serialized) struct SweptReaderTests {
  private static let source = Model(
    "1",
    [
      Entity(
        "Event", [.text("title"), .real("score"), .number("count")],
        [.one("place", "Place", inverse: "events")]),
      Entity("Place", [.text("name")], [.many("events", "Event", inverse: "place")]),
      Entity("City", parent: "Place", [.number("size")]),
    ])
  private static let destination = Model(
    "2",
    [
      Entity("Kind", [.text("title"), .real("score"), .number("place")]),
      Entity("Spot", [.text("name")]),
    ])

  private static let kept = Mutex<[SourceObject]>([])

  /// Keeps every object that it gets.
  private struct Shares: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      SweptReaderTests.kept.withLock { $0.append(source) }
      try context.findOrInsert("Kind", key: [source["count"] ?? .null], for: source) {
        try $0.set("title", to: source["title"] ?? .null)
        try $0.set("score", to: source["score"] ?? .null)
        try $0.set("place", to: source["place"] ?? .null)
      }
    }
  }

  /// Makes a spot of each name.
  private struct Spots: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      let name = source["name"] ?? .null
      try context.findOrInsert("Spot", key: [name], for: source) { try $0.set("name", to: name) }
    }
  }

  private static func trial() throws -> Trial {
    let mappings = try mapping(
      """
      {"type": "custom", "source": "Event", "destination": "Kind", "policy": "Shares"},
      {"type": "custom", "source": "Place", "destination": "Spot", "policy": "Spots"},
      {"type": "remove", "source": "City"}
      """)
    return try Trial(
      source, destination, [mappings], policies: [Shares.self, Spots.self]
    ) { store in
      let places = try (0..<30).map { number in
        try store.insert(number % 3 == 0 ? "City" : "Place", ["name": .text("p\(number % 7)")])
      }
      for number in 1...60 {
        try store.insert(
          "Event",
          [
            "title": number % 7 == 0
              ? .null : .text(String(repeating: "é\(number) ", count: number % 5 == 0 ? 3_000 : 1)),
            "score": .real(Double(number) / 4), "count": .integer(Int64(number % 4)),
          ], ["place": [places[number % 30]]])
      }
    }
  }

  private static func run(
    _ trial: Trial, to name: String, _ lane: MigrationOptions.Lane
  ) throws -> (report: MigrationReport, kept: [SourceObject]) {
    kept.withLock { $0 = [] }
    var options = MigrationOptions()
    options.lane = lane
    options.limits.workMemoryBytes = 0
    options.limits.batch = BatchLimits(rows: 7)
    let report = try trial.run(to: name, options: options)
    return (report, kept.withLock { $0 })
  }

  @Test func `they are the same objects, also when a policy keeps them`() throws {
    let trial = try Self.trial()
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    // Core Data ignores the number in a table of one entity.
    try connection.execute("UPDATE ZEVENT SET Z_ENT = 99 WHERE Z_PK % 3 = 1")
    let paged = try Self.run(trial, to: "paged.sqlite", .automatic)
    let rows = try Self.run(trial, to: "rows.sqlite", .row)
    #expect(paged.kept.map(\.key) == rows.kept.map(\.key))
    #expect(paged.kept.map(\.shape.names) == rows.kept.map(\.shape.names))
    // Long texts are not to be printed.
    #expect(paged.kept.map(\.values.hashValue) == rows.kept.map(\.values.hashValue))
    #expect(rows.kept.count == 60)
    // Only what is read from pages has a row whose cells are decoded later.
    #expect(paged.kept.allSatisfy { $0.row != nil })
    #expect(rows.kept.allSatisfy { $0.row == nil })
    let accounts = [paged, rows].map { $0.report.steps.flatMap(\.mappings) }
    #expect(accounts[0].map(\.foreignNumbers) == [20, 0, 0])
    #expect(accounts[0].map(\.foreignNumbers) == accounts[1].map(\.foreignNumbers))
    #expect(accounts[0].map(\.read) == accounts[1].map(\.read))
    #expect(accounts[0].map(\.merged) == accounts[1].map(\.merged))
  }

  @Test func `objects behind many of another entity are found, batch by batch`() throws {
    let trial = try Self.trial()
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    try connection.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 41000)
      INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZNAME)
      SELECT i, (SELECT max(Z_ENT) FROM ZPLACE), 1, 'city' FROM n;
      INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZNAME)
      SELECT 50000, (SELECT Z_ENT FROM ZPLACE WHERE Z_ENT <> (SELECT max(Z_ENT) FROM ZPLACE)), 1, 'last';
      """)
    let paged = try Self.run(trial, to: "paged.sqlite", .automatic).report
    let rows = try Self.run(trial, to: "rows.sqlite", .row).report
    let accounts = [paged, rows].map { $0.steps.flatMap(\.mappings) }
    #expect(accounts[0].map(\.read) == [60, 21, 40_011])
    #expect(accounts[0].map(\.read) == accounts[1].map(\.read))
    #expect(accounts[0].map(\.merged) == accounts[1].map(\.merged))
  }

  @Test func `all lanes make the same store`() throws { _ = try Self.trial().migrate() }
}
