import Foundation
import Passage
import PassageEngine
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Random models, objects and mappings, compared with an interpreter in memory.
///
/// `PASSAGE_CAMPAIGN` says how many, `PASSAGE_SEED` where to begin; what fails prints its seed.
@Suite struct RandomMigrationTests {
  static var seeds: Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["PASSAGE_CAMPAIGN"].flatMap(UInt64.init) ?? 40
    let first = environment["PASSAGE_SEED"].flatMap(UInt64.init) ?? 1
    return first..<first + max(1, count)
  }

  private static func trial(_ world: RandomWorld, to destination: Model? = nil) throws -> Trial {
    try Trial(
      world.source, destination ?? world.destination, world.mappingModels(), fill: world.fill)
  }

  /// In every lane, the same must become of a source that may be damaged.
  private static func expectSameInEveryLane(
    _ trial: Trial, seed: UInt64, quarantined: Int = 0, _ count: LaneCount
  ) throws {
    var runs: [Run] = []
    for (way, found) in try trial.differences(
      quarantined: quarantined, noting: { runs.append(($0, $1)) })
    {
      #expect(
        found == [],
        """
        seed \(seed), lane \(way.lane), batch \(way.limits.batch.rows), jobs \(way.limits.jobs)
        """)
    }
    expectLanes(of: runs, count, share: 30)
  }

  // MARK: The lanes

  private typealias Run = (way: MigrationOptions, report: MigrationReport)

  /// One for each test, because what refuses or converts values runs by pages less often.
  private enum Counts {
    static let sound = LaneCount(worldCount: seeds.count)
    static let forms = LaneCount(worldCount: seeds.count)
    static let links = LaneCount(worldCount: seeds.count)
    static let types = LaneCount(worldCount: seeds.count)
    static let keys = LaneCount(worldCount: seeds.count)
    static let demands = LaneCount(worldCount: 2 * seeds.count)
  }

  /// Counts in which lanes a world ran, and judges all of them with the last world.
  ///
  /// - Parameters:
  ///   - share: how many of a hundred mappings run in the lane that is asked for, at least.
  ///   - inMemory: how many do so page by page in memory, at least.
  private static func expectLanes(
    of runs: [Run], _ count: LaneCount, share: Int = 90, inMemory: Int = 0
  ) {
    guard let counts = count.add(runs) else { return }
    print("RandomMigrationTests: \(counts)")
    // A few worlds tell nothing of shares.
    guard counts.worlds >= 20 else { return }
    #expect(counts.percent(.page, in: .page) >= share, "\(counts)")
    #expect(counts.percent(.set, in: .set) >= share, "\(counts)")
    #expect(counts.percent(.row, in: .row) == 100, "\(counts)")
    #expect(counts.percent(.automatic, in: .page) >= inMemory, "\(counts)")
  }

  /// Of a sound source, each mapping runs in the lane that the plan says.
  private static func expectPlannedLanes(_ trial: Trial, _ run: Run, seed: UInt64) throws {
    var trial = trial
    trial.worksInMemory = run.way.limits.workMemoryBytes > 0
    let plan = try trial.migration(to: .file(trial.directory.path("plan.sqlite")), options: run.way)
      .plan()
    let planned = plan.steps.flatMap(\.passes).flatMap(\.mappings)
    let ran = run.report.steps.flatMap(\.mappings)
    #expect(
      ran.map { "\($0.name): \($0.lane)" } == planned.map { "\($0.name): \($0.lane)" },
      "seed \(seed), lane \(run.way.lane)")
    #expect(run.report.warnings.all.filter { $0.code == "RUN-048" } == [], "seed \(seed)")
  }

  // MARK: Sound sources

  @Test(arguments: seeds)
  func `whatever the lane, the batch and the passes, the store is what the mapping says`(
    seed: UInt64
  ) throws {
    let world = RandomWorld(seed: seed)
    let trial = try Self.trial(world)
    let old = try StoreContents(path: trial.sourcePath, model: world.source)
    var runs: [Run] = []
    let new = try trial.migrate { runs.append(($0, $1)) }.contents
    for run in runs where [.page, .automatic].contains(run.way.lane) {
      try Self.expectPlannedLanes(trial, run, seed: seed)
    }
    Self.expectLanes(of: runs, Counts.sound, inMemory: 15)
    #expect(world.found(new) == world.expected(old), "seed \(seed)")
    let plain = try PlainReading(path: trial.directory.path("new-0.sqlite"), world)
    #expect(try plain.objects() == world.madeObjects, "seed \(seed)")
    #expect(try plain.links() == world.madeLinks, "seed \(seed)")
  }

  /// Few, because each takes a second or two.
  @Test(arguments: seeds.prefix(max(2, seeds.count / 20)))
  func `of thousands of objects with indexes and long texts, every lane makes the same`(
    seed: UInt64
  ) throws {
    let world = RandomWorld(seed: seed, size: .large)
    let trial = try Self.trial(world)
    let old = try StoreContents(path: trial.sourcePath, model: world.source)
    var numbers = SeededRandom(seed: seed)
    let ways = [MigrationOptions.Lane.set, .row, .page, .automatic].map { lane in
      var way = MigrationOptions()
      way.lane = lane
      way.limits.jobs = lane == .page ? numbers.pick([2, 3]) : numbers.pick([1, 2, 3])
      // The work of some is kept in memory.
      if lane != .automatic { way.limits.workMemoryBytes = 0 }
      return way
    }
    var runs: [Run] = []
    let new = try trial.migrate(ways) { runs.append(($0, $1)) }.contents
    #expect(world.found(new) == world.expected(old), "seed \(seed)")
    // Once more by one thread: only indexes that have a condition are left to SQLite.
    let count = StatementCount()
    let way = MigrationOptions.pages(jobs: 1)
    try StatementCount.$current.withValue(count) {
      runs.append((way, try trial.run(to: "one.sqlite", options: way)))
    }
    let indexes = count.counts.statements.filter { $0.contains("INDEX IF NOT EXISTS") }
    #expect(indexes.filter { !$0.contains(" WHERE ") } == [], "seed \(seed)")
    let rows = try ["new-0.sqlite", "one.sqlite"].map {
      try StoreRows(path: trial.directory.path($0))
    }
    #expect(rows[1].differences(from: rows[0]) == [], "seed \(seed)")
    for run in runs { try Self.expectPlannedLanes(trial, run, seed: seed) }
    let pages = runs.filter { $0.way.lane == .page }.flatMap(\.report.steps).flatMap(\.mappings)
    #expect(pages.filter { $0.destination != nil && $0.lane != .page }.map(\.laneReason) == [])
  }

  /// Pages of any size, pointer maps, free pages, commits that are still in the log, columns in another
  /// order, and indexes that are missing or not Core Data's.
  @Test(arguments: seeds)
  func `whatever the form of the file, the store is what the mapping says`(seed: UInt64) throws {
    let world = RandomWorld(seed: seed)
    let trial = try Self.trial(world)
    let old = try StoreContents(path: trial.sourcePath, model: world.source)
    var random = SeededRandom(seed: seed)
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    for table in StoreLayout(model: world.source).tables {
      let name = table.name.quotedIdentifier
      if random.chance(30) {
        var shuffled = table
        shuffled.columns.shuffle(using: &random)
        try store.remake(table.name, by: shuffled.createStatement)
      }
      if random.chance(30) {
        try store.execute(
          "CREATE INDEX \("own \(table.name)".quotedIdentifier) ON \(name) (ZTEXT, Z_PK)")
      }
    }
    try store.execute("CREATE TABLE other (bytes)")
    try store.execute("INSERT INTO other VALUES (zeroblob(300000))")
    try store.execute("PRAGMA journal_mode = DELETE")
    if random.chance(70) {
      try store.execute("PRAGMA page_size = \(random.pick([512, 1_024, 8_192, 65_536]))")
      try store.execute("PRAGMA auto_vacuum = \(random.pick(["NONE", "FULL", "INCREMENTAL"]))")
      try store.vacuum()
    }
    if random.chance(50) { try store.execute("PRAGMA journal_mode = WAL") }
    try store.execute("PRAGMA wal_autocheckpoint = 0")
    try store.execute("DROP TABLE other")
    for table in StoreLayout(model: world.source).tables where random.chance(50) {
      try store.execute("UPDATE \(table.name.quotedIdentifier) SET Z_OPT = Z_OPT + 1")
    }
    // As long as it is open, the log keeps its commits.
    try withExtendedLifetime(store) {
      var runs: [Run] = []
      let new = try trial.migrate { runs.append(($0, $1)) }.contents
      Self.expectLanes(of: runs, Counts.forms)
      #expect(world.found(new) == world.expected(old), "seed \(seed)")
    }
  }

  /// Objects are missing to which links lead, and links lead to keys that no object ever had.
  @Test(arguments: seeds)
  func `of a store with links to nothing, every lane makes and tells the same`(seed: UInt64) throws
  {
    let world = RandomWorld(seed: seed)
    let trial = try Self.trial(world)
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    let layout = StoreLayout(model: world.source)
    for table in layout.tables {
      try store.execute(
        "DELETE FROM \(table.name.quotedIdentifier) WHERE (Z_PK * 7 + \(seed)) % 5 = 0")
      for column in table.columns {
        guard case .foreignKey = column.role else { continue }
        let name = column.name.quotedIdentifier
        try store.execute(
          "UPDATE \(table.name.quotedIdentifier) SET \(name) = \(name) + 1000000 "
            + "WHERE (Z_PK * 3 + \(seed)) % 11 = 0")
      }
    }
    var runs: [Run] = []
    try trial.migrate(keepsLinksToNothing: true) { runs.append(($0, $1)) }
    Self.expectLanes(of: runs, Counts.links)
  }

  /// Cells hold values of other types than their attributes, and columns are declared otherwise, as SQLite
  /// lets any program do.
  @Test(arguments: seeds)
  func `of a store with values of other types, every lane makes the same or refuses`(
    seed: UInt64
  ) throws {
    let world = RandomWorld(seed: seed)
    let trial = try Self.trial(world)
    var random = SeededRandom(seed: seed)
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    for table in StoreLayout(model: world.source).tables {
      var statement = table.createStatement
      for column in table.columns {
        guard case .attribute = column.role, random.chance(10) else { continue }
        let type = random.pick(["INTEGER", "FLOAT", "VARCHAR", "BLOB", "DECIMAL", ""])
        statement.replace(
          "\(column.name) \(column.type.rawValue)", with: "\(column.name) \(type)")
      }
      try store.remake(table.name, by: statement)
    }
    for table in StoreLayout(model: world.source).tables {
      for column in table.columns {
        guard case .attribute = column.role, random.chance(33) else { continue }
        let value = random.pick([
          "'text'", "'12'", "x'3132'", "1.5", "-7", "9223372036854775807", "1e300", "''", "x''",
          "NULL",
          "'1.0'", "0.0",
        ])
        try store.execute(
          "UPDATE \(table.name.quotedIdentifier) SET \(column.name.quotedIdentifier) = \(value) "
            + "WHERE (Z_PK * 5 + \(seed)) % 3 = 0")
      }
    }
    try Self.expectSameInEveryLane(trial, seed: seed, Counts.types)
  }

  /// A destination that demands more than the source: values, limits, patterns, related objects.
  @Test(arguments: seeds, [0, 1_000])
  func `with a demanding destination, every lane makes the same or refuses`(
    seed: UInt64, quarantined: Int
  ) throws {
    let world = RandomWorld(seed: seed)
    var random = SeededRandom(seed: seed)
    let demanding = world.destination.entities.map { entity in
      var entity = entity
      for index in entity.attributes.indices where random.chance(40) {
        switch (entity.attributes[index].type, random.pick([0, 1, 2])) {
        case (_, 0): entity.attributes[index].isOptional = false
        case (.string, _): entity.attributes[index].regularExpression = "t[0-8].*"
        case (_, 1): entity.attributes[index].minimum = "2"
        default: entity.attributes[index].maximum = "5000"
        }
      }
      for index in entity.relationships.indices where random.chance(10) {
        entity.relationships[index].isOptional = false
        entity.relationships[index].minimumCount = 1
      }
      return entity
    }
    let trial = try Self.trial(world, to: Model(name: "2", entities: demanding))
    try Self.expectSameInEveryLane(
      trial, seed: seed, quarantined: quarantined, Counts.demands)
  }

  /// Keys, entity numbers and places that no program of Core Data's writes.
  @Test(arguments: seeds)
  func `of a store with keys of other types, every lane makes the same or refuses`(
    seed: UInt64
  ) throws {
    let world = RandomWorld(seed: seed)
    let trial = try Self.trial(world)
    var random = SeededRandom(seed: seed)
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    func spoil(_ column: String, of table: String) throws {
      let name = column.quotedIdentifier
      let value = random.pick([
        "'text'", "CAST(\(name) AS TEXT) || ' '", "CAST(\(name) AS BLOB)", "\(name) + 0.5",
        "-\(name)", "0", "9223372036854775807", "NULL", "\(name) + 1",
      ])
      // A join table has no pair twice.
      try store.execute(
        "UPDATE OR IGNORE \(table.quotedIdentifier) SET \(name) = \(value) "
          + "WHERE (rowid * 5 + \(seed)) % 4 = 0")
    }
    let layout = StoreLayout(model: world.source)
    for table in layout.tables {
      for column in table.columns {
        switch column.role {
        case .key, .attribute: continue
        case .entityNumber, .saveCount: if !random.chance(5) { continue }
        case .foreignKey, .foreignEntity, .order: if !random.chance(33) { continue }
        }
        try spoil(column.name, of: table.name)
      }
    }
    for table in layout.joinTables {
      for column in table.columns where random.chance(33) { try spoil(column, of: table.name) }
    }
    try Self.expectSameInEveryLane(trial, seed: seed, Counts.keys)
  }

  @Test(arguments: seeds.prefix(max(4, seeds.count / 10)))
  func `a run that is stopped and continued ends with the same store`(seed: UInt64) throws {
    let world = RandomWorld(seed: seed)
    let trial = try Self.trial(world)
    try trial.run(to: "whole.sqlite")
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    for lane in [MigrationOptions.Lane.automatic, .page] {
      for name in try Interruptions.anyBatches(of: trial, longest: 22, lane: lane) {
        let rows = try StoreRows(path: trial.directory.path(name))
        #expect(rows.differences(from: whole) == [], "seed \(seed), \(lane)")
      }
    }
  }
}
