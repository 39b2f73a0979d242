import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Pairs whose ends have become other objects, made page by page, are those that SQLite finds with
/// tables that say what the ends have become.
@Suite struct LinkedPairsTests {
  static let seed = RandomSeed.told(for: "LinkedPairsTests")

  private static let keys: ClosedRange<Int64> = 1...300

  /// What the objects of one end have become.
  private struct Ends {
    let table = LinkTable()
    /// The new keys by source key; `nil` for an object that has become nothing.
    var fates: [Int64: Int64?] = [:]

    init(isInjective: Bool, _ random: inout SeededRandom) throws {
      let set = try #require(KeySet(keys, limit: 1_000))
      let map = try #require(KeyMap(keys, to: 1_000...1_400, limit: 10_000))
      let existing = try #require(KeySet(keys, limit: 1_000))
      for key in keys where Int.random(in: 0..<8, using: &random) > 0 {
        existing.insert(key)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          set.insert(key)
          fates[key] = .some(key + 7)
        case 1:
          let value = isInjective ? 1_400 - key : Int64.random(in: 1_000...1_010, using: &random)
          #expect(map.insert(key, value))
          fates[key] = .some(value)
        default: fates[key] = .some(nil)
        }
      }
      table.append(set, offset: 7, entityNumber: 1)
      table.append(map, entityNumber: 2)
      table.existing = existing
    }

    func store(_ name: String, _ store: Connection) throws {
      try store.execute("CREATE TABLE \(name) (old INTEGER PRIMARY KEY, new INTEGER)")
      for (old, new) in fates {
        try store.execute(
          "INSERT INTO \(name) VALUES (?, ?)", [.integer(old), new.map { .integer($0) } ?? .null])
      }
    }
  }

  private static func table(_ places: String) -> String {
    "CREATE TABLE t (a INTEGER, b INTEGER\(places), PRIMARY KEY (a, b))"
  }

  private static func roots(_ store: Connection) throws -> [UInt32] {
    try store.rows("SELECT rootpage FROM sqlite_master WHERE tbl_name = 't' ORDER BY type DESC")
      .compactMap { $0[0].integer.flatMap { UInt32(exactly: $0) } }
  }

  private struct Made {
    var rows: [[Value]]
    var expected: [[Value]]
    var lost: LinkedPairs.Lost
    var expectedLost: LinkedPairs.Lost
    var hasSpilled: Bool
  }

  private static func make(
    isPlaced: Bool, isInjective: Bool, pairs count: Int, _ random: inout SeededRandom
  ) throws -> Made {
    let folder = try TemporaryDirectory()
    let (old, new) = (folder.path("old.db"), folder.path("new.db"))
    let places = isPlaced ? ", p INTEGER, q INTEGER" : ""
    let ends = (
      try Ends(isInjective: isInjective, &random), try Ends(isInjective: isInjective, &random)
    )
    let root: UInt32
    do {
      let store = try Connection(path: old, mode: .create, isSynced: false)
      try store.execute(table(places))
      try store.transaction {
        let marks = isPlaced ? "?, ?, ?, ?" : "?, ?"
        let insert = try store.prepare("INSERT OR IGNORE INTO t VALUES (\(marks))")
        for _ in 0..<count {
          func end() -> Value {
            switch Int.random(in: 0..<200, using: &random) {
            case 0: .text("x")
            case 1: .integer(.min)
            case 2: .integer(.max)
            default: .integer(Int64.random(in: 0...302, using: &random))
            }
          }
          let place: Value = .integer(Int64.random(in: -1_000_000...1_000_000, using: &random))
          let values = [end(), end(), Bool.random(using: &random) ? .null : place, place]
          try insert.bind(Array(values.prefix(isPlaced ? 4 : 2)))
          try insert.run()
        }
        try ends.0.store("first", store)
        try ends.1.store("second", store)
      }
      root = try #require(try roots(store).first)
    }
    let file: [UInt32]
    do {
      let store = try Connection(path: new, mode: .create, isSynced: false)
      try store.execute("PRAGMA auto_vacuum = INCREMENTAL")
      try store.execute(table(places))
      file = try roots(store)
    }
    let spill = folder.path("sort")
    let pairs = LinkedPairs(
      TableSweep(
        try PageReader(path: old, logPath: old + "-wal"), root: root, columnCount: isPlaced ? 4 : 2),
      // The first column of the destination is the second of the source.
      ends: (
        LinkedPairs.End(column: 1, links: ends.1.table),
        LinkedPairs.End(column: 0, links: ends.0.table)
      ), cells: [.end(0), .end(1)] + (isPlaced ? [.copy(3), .copy(2)] : []),
      memory: SortMemory(byteCount: 1 << 14) {
        try FileSystem().makeFile(spill)
        return try PositionalFile(spill, mode: .updating)
      })
    while try pairs.run(rows: 100) {}
    let writer = try PageFileWriter(path: new)
    _ = try pairs.write(to: writer, table: file[0], index: file[1])
    try writer.finish()
    let store = try Connection(path: new, mode: .readOnly)
    #expect(try store.value("PRAGMA integrity_check")?.string == "ok")
    let source = try Connection(path: old, mode: .readOnly)
    let joined = "FROM t NOT INDEXED LEFT JOIN first f ON f.old = a LEFT JOIN second s ON s.old = b"
    let both = "f.new IS NOT NULL AND s.new IS NOT NULL"
    let isThere = "f.old IS NOT NULL AND s.old IS NOT NULL"
    #expect(try pairs.read.readCount == source.integer("SELECT count(*) \(joined)"))
    return Made(
      rows: try store.rows("SELECT rowid, * FROM t NOT INDEXED ORDER BY rowid"),
      expected: try source.rows(
        "SELECT row_number() OVER (ORDER BY 2, 3), * FROM (SELECT DISTINCT s.new, f.new"
          + "\(isPlaced ? ", q, p" : "") \(joined) WHERE \(both) ORDER BY 1, 2)"),
      lost: pairs.lost,
      expectedLost: LinkedPairs.Lost(
        ofFirst: try source.integer(
          "SELECT count(*) \(joined) WHERE \(isThere) AND s.new IS NULL AND f.new IS NOT NULL"),
        ofSecond: try source.integer(
          "SELECT count(*) \(joined) WHERE \(isThere) AND f.new IS NULL AND s.new IS NOT NULL"),
        dangling: try source.integer("SELECT count(*) \(joined) WHERE NOT (\(isThere))")),
      hasSpilled: folder.contents("sort") != nil)
  }

  @Test(arguments: 0..<8, [(false, false), (false, true), (true, true)])
  func `random pairs are made as SQLite makes them`(
    round: Int, way: (isPlaced: Bool, isInjective: Bool)
  ) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(round))
    let made = try Self.make(
      isPlaced: way.isPlaced, isInjective: way.isInjective,
      pairs: round == 0 ? 0 : Int.random(in: 2_000...8_000, using: &random), &random)
    #expect(made.rows == made.expected)
    #expect(made.lost == made.expectedLost)
    #expect(made.hasSpilled == (round > 0))
  }

  @Test func `pairs with different places that have become equal are refused`() throws {
    var random = SeededRandom(seed: Self.seed)
    #expect(throws: AmbiguousPair.self) {
      try Self.make(isPlaced: true, isInjective: false, pairs: 3_000, &random)
    }
  }
}
