import Passage
import PassageEngine
import PassageQueries
import PassageTesting
import TestSupport
import Testing

/// Filters that go to SQL in part only, with policies and without: the same objects and accounts as
/// where everything is evaluated in memory, with batches of any size.
@Suite struct FilterPartsTests {
  static let source = Model(
    "1", [Entity("Note", [.text("title"), .number("weight")]), Entity("Other", [.text("title")])])
  static let destination = Model("2", [Entity("Note", [.text("title"), .number("weight")])])

  /// Forty notes at keys with gaps; every tenth without a title.
  static func fill(_ store: TestStore) throws {
    for weight in 1...60 {
      let title: Value = weight % 10 == 0 ? .null : .text("note \(weight % 7)")
      try store.insert("Note", ["title": title, "weight": .integer(Int64(weight))])
    }
    try store.execute("DELETE FROM ZNOTE WHERE Z_PK BETWEEN 11 AND 25 OR Z_PK IN (1, 58, 59, 60)")
  }

  /// Makes one object of each, and another of those of weight 30.
  struct Doubling: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      for _ in 0..<(source["weight"] == 30 ? 2 : 1) {
        _ = try context.insert(try context.defaultDestination(for: source), for: source)
      }
    }
  }

  static func trial(_ filter: String, hasPolicy: Bool) throws -> Trial {
    let policy = hasPolicy ? #""policy": {"name": "Doubling"}, "attributes": {"weight": {}}, "# : ""
    return try Trial(
      source, destination,
      [
        mapping(
          """
          {"type": "\(hasPolicy ? "custom" : "copy")", "source": "Note", "destination": "Note",
           \(policy)"filter": "\(filter)"},
          {"type": "remove", "source": "Other"}
          """)
      ], policies: [Doubling.self], fill: fill)
  }

  private static let filters: [(String, [Int64])] = [
    ("weight > 28 AND title MATCHES 'note [12]'", [29, 36, 37, 43, 44, 51, 57]),
    ("title MATCHES 'note [12]' AND weight > 28 AND weight < 40", [29, 36, 37]),
    ("weight == 30", [30]), ("weight > 1000", []), ("weight > 1000 AND title LIKE 'x'", []),
    ("title LIKE 'note 3' AND NOT (weight > 10)", [3]),
    ("($n := weight) > 55 AND $n < 57 AND length:(title) > 0", [56]),
    ("title == nil AND (weight == 40 OR uppercase:(title) == 'X')", [40]),
  ]

  @Test(arguments: filters.indices, [false, true])
  func `a filter takes the same objects wherever its parts are evaluated`(
    index: Int, hasPolicy: Bool
  ) throws {
    let (filter, weights) = Self.filters[index]
    let (found, report) = try Self.trial(filter, hasPolicy: hasPolicy).migrate()
    let made = weights + (hasPolicy ? weights.filter { $0 == 30 } : [])
    #expect(found["Note"].compactMap { $0["weight"].integer }.sorted() == made.sorted())
    let account = try #require(report.steps.flatMap(\.mappings).first { $0.source == "Note" })
    #expect(account.read == 41)
    #expect(account.filtered == 41 - Int64(weights.count))
  }

  @Test func `a plan says which part runs where and why`() throws {
    let trial = try Self.trial(
      "weight > 28 AND title LIKE 'a*' AND title != nil", hasPolicy: true)
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    let parts = try #require(plan.steps.first?.passes.first?.mappings.first).filterParts
    #expect(parts.map(\.text) == ["weight > 28", "title LIKE \"a*\"", "title != nil"])
    #expect(parts.map(\.isInSQL) == [true, false, true])
    #expect(parts[1].reason == "it can fail for an object, and SQL does not report for which")
  }

  @Test func `in the set lane every part of a filter runs in SQL`() throws {
    let trial = try Self.trial("weight > 28 AND title LIKE 'a*'", hasPolicy: false)
    for (lane, isInSQL) in [(MigrationOptions.Lane.set, true), (.automatic, false)] {
      var options = MigrationOptions()
      options.lane = lane
      let plan = try trial.migration(
        to: .file(trial.directory.path("new.sqlite")), options: options
      ).plan()
      let mapping = try #require(plan.steps.first?.passes.first?.mappings.first)
      #expect(mapping.lane == (isInSQL ? .set : .page))
      #expect(mapping.filterParts.map(\.isInSQL) == [isInSQL, isInSQL])
    }
  }

  /// The part that cannot be read comes first, and still fails for no object that another part
  /// leaves out.
  @Test(arguments: [false, true])
  func `a part that fails is not asked about objects that another part leaves out`(
    hasPolicy: Bool
  ) throws {
    let filter = "parseNumber(title, 'en_US') == 5 AND weight > 100"
    let (found, _) = try Self.trial(filter, hasPolicy: hasPolicy).migrate()
    #expect(found["Note"].isEmpty)
  }

  @Test func `parts that are too large for one statement together are taken apart`() throws {
    let list = (31..<20_031).map(String.init).joined(separator: ",")
    let text = """
      {"name": "Step", "source": "1", "destination": "2", "variables": {"LIST": [\(list)]},
       "entityMappings": [
        {"type": "custom", "source": "Note", "destination": "Note", "policy": {"name": "Doubling"},
         "filter": "weight IN $LIST AND weight + 1 IN $LIST"},
        {"type": "remove", "source": "Other"}]}
      """
    let trial = try Trial(
      Self.source, Self.destination,
      [MappingDocument.decode(Array(text.utf8), file: "Step.json")], policies: [Doubling.self],
      fill: Self.fill)
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    let parts = try #require(plan.steps.first?.passes.first?.mappings.first).filterParts
    #expect(parts.map(\.reason) == [nil, "the parts before it fill one statement"])
    #expect(try trial.migrate().contents["Note"].count == 27)
  }
}
