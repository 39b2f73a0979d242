import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Pairs of keys that are copied page by page are those that SQLite copies.
@Suite struct PairCopierTests {
  static let seed = RandomSeed.told(for: "PairCopierTests")

  private static let table = """
    CREATE TABLE t (a INTEGER, b INTEGER, p INTEGER, q INTEGER, PRIMARY KEY (a, b))
    """

  /// A source with random pairs, some of whose ends are no keys.
  private static func fill(_ path: String, _ random: inout SeededRandom, odd: String?) throws {
    let store = try Connection(path: path, mode: .create, isSynced: false)
    try store.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try store.execute(table)
    let insert = try store.prepare("INSERT OR IGNORE INTO t VALUES (?, ?, ?, ?)")
    let widths: [Int64] = [1, 100, 40_000, 1 << 40, .max]
    for _ in 0..<Int.random(in: 0...3_000, using: &random) {
      func number() -> Value {
        let width = widths.randomElement(using: &random) ?? 1
        return .integer(Int64.random(in: -width...width, using: &random))
      }
      let end = Int.random(in: 0..<40, using: &random)
      try insert.bind([
        end == 0 ? .null : end == 1 ? .text("x") : number(), end == 2 ? .blob([1]) : number(),
        Bool.random(using: &random) ? .null : number(), number(),
      ])
      try insert.run()
    }
    if let odd { try store.execute("INSERT OR REPLACE INTO t VALUES (\(odd))") }
  }

  /// - Returns: the pairs in the order of their rows, from the copy and from SQLite.
  private static func copy(
    _ random: inout SeededRandom, odd: String? = nil
  ) throws -> (copied: [[Value]], expected: [[Value]]) {
    let folder = try TemporaryDirectory()
    let (old, new) = (folder.path("old.db"), folder.path("new.db"))
    try fill(old, &random, odd: odd)
    let shifts = (
      CopyProgram.Shift(offset: 0, largest: .max), CopyProgram.Shift(offset: 7, largest: 50_000)
    )
    let roots: [UInt32]
    do {
      let store = try Connection(path: new, mode: .create, isSynced: false)
      try store.execute("PRAGMA auto_vacuum = INCREMENTAL")
      try store.execute(table)
      roots = try store.rows("SELECT rootpage FROM sqlite_master ORDER BY type DESC").compactMap {
        $0[0].integer.flatMap { UInt32(exactly: $0) }
      }
    }
    do {
      let root = try Connection(path: old, mode: .readOnly).integer(
        "SELECT rootpage FROM sqlite_master WHERE type = 'table'")
      let reader = try PageReader(path: old, logPath: old + "-wal")
      let file = try PageFileWriter(path: new)
      let memory = SortMemory(byteCount: 1 << 16) {
        try FileSystem().makeFile(folder.path("sort"))
        return try PositionalFile(folder.path("sort"), mode: .updating)
      }
      let index = IndexBuilder(
        columns: [IndexColumn(position: 0), IndexColumn(position: 1)], isUnique: true,
        memory: memory)
      let writer = TableTreeWriter(file, root: roots[0])
      let copier = PairCopier(
        TableSweep(reader, root: UInt32(root), columnCount: 4), writer, index, columns: (1, 0),
        shifts: shifts, cells: [.end(0), .end(1), .null, .copy(2)])
      while try copier.run(rows: 100) {}
      try writer.finish()
      #expect(try index.write(to: file, root: roots[1]).isEmpty)
      try file.finish()
    }
    let store = try Connection(path: new, mode: .readOnly)
    #expect(try store.value("PRAGMA integrity_check")?.string == "ok")
    let source = try Connection(path: old, mode: .readOnly)
    return (
      try store.rows("SELECT rowid, * FROM t NOT INDEXED ORDER BY rowid"),
      try source.rows(
        "SELECT rowid, b, a + 7, NULL, p FROM t NOT INDEXED WHERE typeof(a) = 'integer' "
          + "AND typeof(b) = 'integer' AND a <= 50000 ORDER BY rowid")
    )
  }

  @Test(arguments: 0..<20)
  func `random pairs are copied as SQLite copies them`(round: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(round))
    let found = try Self.copy(&random)
    #expect(found.copied == found.expected)
  }

  @Test(arguments: ["1.5, 2, 3, 4", "1, 2.5, 3, 4", "1, 2, 'x', 4", "1, 2, 3.5, 4"])
  func `a pair with a value that is no whole number is left to SQLite`(odd: String) throws {
    var random = SeededRandom(seed: Self.seed)
    #expect(throws: ConvertedValue.self) { try Self.copy(&random, odd: odd) }
  }
}
