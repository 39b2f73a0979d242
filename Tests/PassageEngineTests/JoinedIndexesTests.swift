import Passage
import PassageEngine
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// The indexes of join tables are copied from the source's indexes over the same ends, where these have
/// the pairs of the table.
@Suite struct JoinedIndexesTests {
  private static func model(_ name: String, _ person: String, _ tag: String) -> Model {
    Model(
      name,
      [
        Entity(person, [.text("name")], [.many("tags", tag, inverse: "persons")]),
        Entity(tag, [.text("name")], [.many("persons", person, inverse: "tags")]),
        Entity("Zone", [.text("name")]),
      ])
  }

  /// A source whose tags get other keys, because zones become tags too.
  ///
  /// - Parameter isSwapped: whether the names of the entities, and with them the order of the join
  ///   table's columns, change places.
  private static func trial(
    isSwapped: Bool = false, persons: Int = 700, tags: Int = 20, perPerson: Int = 3
  ) throws -> Trial {
    let (human, label) = isSwapped ? ("Zuman", "Label") : ("Human", "Label")
    func ask(_ mapping: String, _ path: String) -> String {
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
        + "\\\"\(mapping)\\\", $source.\(path))"
    }
    var trial = try Trial(
      model("1", "Person", "Tag"), model("2", human, label),
      [
        try mapping(
          """
          {"name": "Zones", "source": "Zone", "destination": "\(label)", "type": "transform",
           "attributes": {"name": {}}},
          {"name": "Tags", "source": "Tag", "destination": "\(label)", "type": "transform",
           "attributes": {"name": {}}},
          {"name": "Persons", "source": "Person", "destination": "\(human)", "type": "transform",
           "attributes": {"name": {}}, "relationships": {"tags": "\(ask("Tags", "tags"))"}}
          """)
      ]
    ) { store in
      for number in 0..<5 { try store.insert("Zone", ["name": .text("z\(number)")]) }
      let tags = try (0..<tags).map { try store.insert("Tag", ["name": .text("t\($0)")]) }
      for number in 0..<persons {
        let person = try store.insert("Person", ["name": .text("p\(number)")])
        let related = (0..<perPerson).map { tags[(number * 7 + $0 * 5) % tags.count] }
        try store.relate(person, "tags", to: related)
      }
    }
    // In memory, SQLite makes the indexes of the model.
    trial.worksInMemory = false
    return trial
  }

  private static let table = "Z_1TAGS"

  /// The index of the source's join table that begins with the tags.
  private static func index(_ store: Connection) throws -> (name: String, sql: String) {
    let row = try store.rows(
      "SELECT name, sql FROM sqlite_master WHERE tbl_name = ? AND sql LIKE 'CREATE INDEX%'",
      [.text(table)])
    let found = try #require(row.first)
    return (found[0].string ?? "", found[1].string ?? "")
  }

  /// Changes the source's index over the tags.
  enum Change: CaseIterable {
    case none
    /// The source has no such index.
    case missing
    /// The index lacks a pair.
    case lacking
    /// The index has another pair than its table.
    case other
  }

  private static func change(_ change: Change, _ path: String) throws {
    guard change != .none else { return }
    let store = try Connection(path: path, mode: .readWrite)
    let index = try index(store)
    if change == .missing { return try store.execute("DROP INDEX \(index.name)") }
    let columns = try store.rows("SELECT name FROM pragma_table_info(?)", [.text(table)])
      .compactMap { $0[0].string }
    let root = try store.integer(
      "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(index.name)])
    // SQLite does not know the index while the table changes.
    try store.rewriteSchema {
      try store.execute("DELETE FROM sqlite_master WHERE name = ?", [.text(index.name)])
    }
    if change == .lacking {
      try store.execute("INSERT INTO \(table) VALUES (1, 20)")
    } else {
      try store.execute(
        "UPDATE \(table) SET \(columns[1]) = 20 WHERE rowid = (SELECT max(rowid) FROM \(table))")
    }
    try store.rewriteSchema {
      try store.execute(
        "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES "
          + "('index', ?, ?, ?, ?)",
        [.text(index.name), .text(table), .integer(root), .text(index.sql)])
    }
  }

  private static func pairs(_ path: String) throws -> [[Value]] {
    let store = try Connection(path: path, mode: .readOnly)
    #expect(try store.rows("PRAGMA integrity_check") == [["ok"]])
    let table = try #require(
      try store.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
      ).first?[0].string)
    return try store.rows("SELECT * FROM \(table) NOT INDEXED ORDER BY 1, 2")
  }

  @Test(arguments: Change.allCases)
  func `an index of the source is used where it has the pairs of its table`(change: Change) throws {
    let trial = try Self.trial()
    try Self.change(change, trial.sourcePath)
    for jobs in [1, 2] {
      let report = try trial.run(to: "\(jobs).sqlite", options: .pages(jobs: jobs))
      #expect(report.steps[0].mappings.map(\.lane) == [.page, .page, .page])
      #expect(report.warnings.all.map(\.code) == [])
      try Self.expectPairs(of: trial, "\(jobs).sqlite")
    }
  }

  /// Expects the pairs of the source's table, moved.
  private static func expectPairs(of trial: Trial, _ name: String) throws {
    let source = try Connection(path: trial.sourcePath, mode: .readOnly)
    let moved = try source.rows(
      "SELECT Z_1PERSONS AS p, Z_2TAGS + 5 AS t FROM \(table) NOT INDEXED ORDER BY p, t")
    var found = try pairs(trial.directory.path(name))
    if found.first != moved.first { found = found.map { [$0[1], $0[0]] }.sorted(by: isBefore) }
    #expect(found == moved)
  }

  private static func isBefore(_ one: [Value], _ other: [Value]) -> Bool {
    let (one, other) = (one.map { $0.integer ?? 0 }, other.map { $0.integer ?? 0 })
    return one.lexicographicallyPrecedes(other)
  }

  @Test(arguments: Change.allCases)
  func `columns that change places take the other index of the source`(change: Change) throws {
    let trial = try Self.trial(isSwapped: true)
    try Self.change(change, trial.sourcePath)
    switch change {
    case .none, .missing:
      for jobs in [1, 2] {
        let report = try trial.run(to: "\(jobs).sqlite", options: .pages(jobs: jobs))
        #expect(report.steps[0].mappings.map(\.lane) == [.page, .page, .page])
        try Self.expectPairs(of: trial, "\(jobs).sqlite")
      }
    case .other:
      // SQLite reads the pairs where the index does not have them.
      let report = try trial.run(options: .pages(jobs: 1))
      #expect(report.warnings.all.map(\.code) == ["RUN-048"])
      _ = try Self.pairs(trial.directory.path("new.sqlite"))
    case .lacking:
      let error = try trial.failure(options: .pages(jobs: 1))
      #expect(error.diagnostics.map(\.code) == ["RUN-034"])
    }
  }

  /// SQLite's own check of the pages takes no steps that are counted. Steps are told in thousands for each
  /// statement, so that some are nothing, and there are 13,300 pairs more.
  @Test func `no pair costs a step of SQLite`() throws {
    func steps(perPerson: Int) throws -> Int {
      let trial = try Self.trial(perPerson: perPerson)
      return try StatementSteps.count {
        try trial.runInOneMoment(to: "new.sqlite", options: .pages(jobs: 1))
      }
    }
    #expect(try steps(perPerson: 20) - steps(perPerson: 1) < 13_300 / 2)
  }

  @Test(arguments: Change.allCases)
  func `SQLite makes an index only where the source's has other pairs`(change: Change) throws {
    let trial = try Self.trial()
    try Self.change(change, trial.sourcePath)
    let count = StatementCount()
    try StatementCount.$current.withValue(count) {
      _ = try trial.run(options: .pages(jobs: 1))
    }
    let made = count.counts.statements.filter { $0.contains("CREATE INDEX") }
    #expect(made.count == (change == .none || change == .missing ? 0 : 1))
  }

  @Test func `any number of threads makes the same pages`() throws {
    let trial = try Self.trial(persons: 40_000, tags: 300, perPerson: 3)
    // Smaller stores have nothing to share.
    #expect(try PageReader(path: trial.sourcePath).pageCount >= 1_024)
    let report = try trial.runInOneMoment(to: "1.sqlite", options: .pages(jobs: 1))
    #expect(report.steps[0].mappings.map(\.lane) == [.page, .page, .page])
    #expect(try Self.pairs(trial.directory.path("1.sqlite")).count == 120_000)
    for jobs in [2, 3, 7] {
      try trial.runInOneMoment(to: "\(jobs).sqlite", options: .pages(jobs: jobs))
      #expect(try trial.differingPages("1.sqlite", "\(jobs).sqlite") == [])
    }
  }

  @Test func `stopped anywhere and continued, the indexes are the same`() throws {
    let trial = try Self.trial(persons: 2_000)
    try trial.run(to: "whole.sqlite", options: .pages(jobs: 1))
    let expected = try Self.pairs(trial.directory.path("whole.sqlite"))
    for stop in 1...40 {
      let name = "stopped\(stop).sqlite"
      for round in 0..<50 {
        let control = StoppingControl(after: stop)
        let options = MigrationOptions.pages(jobs: 1 + (stop + round) % 2, batch: 500)
        if (try? trial.run(to: name, options: options, control: control.control)) != nil { break }
      }
      try trial.run(to: name, options: .pages(jobs: 2))
      #expect(try Self.pairs(trial.directory.path(name)) == expected)
    }
  }
}
