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
    try store.execute("CREATE INDEX other ON t (b, a)")
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

  /// How the index of the copy is made.
  enum Way: CaseIterable {
    case sorted
    /// From the source's index over the same ends.
    case copied
    /// The same, in ranges.
    case copiedInRanges
  }

  /// Where the copy and the two databases are.
  private struct Copy {
    let folder: TemporaryDirectory
    let reader: PageReader
    let file: PageFileWriter
    /// Of the destination's table and index.
    let roots: [UInt32]
    /// Of the source's table, of the index of its key, and of the one in the other order.
    let oldRoots: [UInt32]
    let job: PairCopier.Job

    static let shifts = (
      CopyProgram.Shift(offset: 0, keys: nil),
      CopyProgram.Shift(
        offset: 7, keys: CopyProgram.KeyBounds(smallest: -30, largest: 50_000))
    )

    init(_ folder: TemporaryDirectory) throws {
      self.folder = folder
      let (old, new) = (folder.path("old.db"), folder.path("new.db"))
      func roots(_ connection: Connection) throws -> [UInt32] {
        try connection.rows(
          "SELECT rootpage FROM sqlite_master ORDER BY type DESC, name LIKE '%auto%' DESC"
        ).compactMap { $0[0].integer.flatMap { UInt32(exactly: $0) } }
      }
      do {
        // Another copy may have been made.
        try? FileSystem().remove(new)
        let store = try Connection(path: new, mode: .create, isSynced: false)
        try store.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try store.execute(table)
        self.roots = try roots(store)
      }
      oldRoots = try roots(Connection(path: old, mode: .readOnly))
      reader = try PageReader(path: old, logPath: old + "-wal")
      file = try PageFileWriter(path: new)
      job = PairCopier.Job(
        reader, root: oldRoots[0], columnCount: 4, columns: (1, 0), shifts: Self.shifts,
        cells: [.end(0), .end(1), .null, .copy(2)])
    }

    func run(_ way: Way) throws {
      let writer = TableTreeWriter(file, root: roots[0])
      if way == .sorted {
        let memory = SortMemory(byteCount: 1 << 16) { [folder] in
          try FileSystem().makeFile(folder.path("sort"))
          return try PositionalFile(folder.path("sort"), mode: .updating)
        }
        let index = IndexBuilder(
          columns: [IndexColumn(position: 0), IndexColumn(position: 1)], isUnique: true,
          memory: memory)
        _ = try copyRows(to: writer, index)
        try writer.finish()
        #expect(try index.write(to: file, root: roots[1]).isEmpty)
      } else {
        let counts = try way == .copied ? copyRows(to: writer, nil) : copyRanges(to: writer)
        try writer.finish()
        // The copy begins with the source's second column, as the other index does.
        #expect(
          try copyIndex(oldRoots[2], isReversed: false, to: roots[1]) == counts)
      }
      try file.finish()
    }

    private func copyRows(
      to writer: TableTreeWriter, _ index: IndexBuilder?
    ) throws -> PairCounts {
      let copier = PairCopier(job)
      var counts = PairCounts()
      while let pairs = try copier.copyNext(rows: 100, index: index) {
        try writer.append(pairs.rows)
        counts.add(pairs.counts)
      }
      return counts
    }

    private func copyRanges(to writer: TableTreeWriter) throws -> PairCounts {
      let ranges = job.makeRanges()
      var counts = PairCounts()
      var count = 0
      while let range = try ranges.next() {
        let pairs = try PairCopier(ofRanges: job).copy(range)
        try writer.append(pairs.rows)
        counts.add(pairs.counts)
        count += 1
      }
      return count > 0 ? counts : try copyRows(to: writer, nil)
    }

    /// - Parameter isReversed: whether the source's index begins with its first column.
    func copyIndex(_ old: UInt32, isReversed: Bool, to root: UInt32) throws -> PairCounts {
      let job = PairIndexCopier.Job(
        reader, root: old, shifts: Self.shifts, isReversed: isReversed, isUnique: true)
      let writer = PairIndexWriter(file, root: root, isUnique: true)
      let (ranges, copier) = (job.makeRanges(), PairIndexCopier(job))
      while let range = try ranges.next() { try writer.append(copier.copy(range)) }
      try writer.finish()
      return writer.counts
    }
  }

  /// - Returns: the pairs in the order of their rows, from the copy and from SQLite.
  private static func copy(
    _ random: inout SeededRandom, _ way: Way, odd: String? = nil
  ) throws -> (copied: [[Value]], expected: [[Value]]) {
    let folder = try TemporaryDirectory()
    let (old, new) = (folder.path("old.db"), folder.path("new.db"))
    try fill(old, &random, odd: odd)
    try Copy(folder).run(way)
    let store = try Connection(path: new, mode: .readOnly)
    #expect(try store.value("PRAGMA integrity_check")?.string == "ok")
    let source = try Connection(path: old, mode: .readOnly)
    return (
      try store.rows("SELECT rowid, * FROM t NOT INDEXED ORDER BY rowid"),
      try source.rows(
        "SELECT rowid, b, a + 7, NULL, p FROM t NOT INDEXED WHERE typeof(a) = 'integer' "
          + "AND typeof(b) = 'integer' AND a BETWEEN -30 AND 50000 ORDER BY rowid")
    )
  }

  @Test(arguments: 0..<20, Way.allCases)
  func `random pairs are copied as SQLite copies them`(round: Int, way: Way) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(round))
    let found = try Self.copy(&random, way)
    #expect(found.copied == found.expected)
  }

  @Test(arguments: ["1.5, 2, 3, 4", "1, 2.5, 3, 4", "1, 2, 'x', 4"], Way.allCases)
  func `a pair with a value that is no whole number is left to SQLite`(
    odd: String, way: Way
  ) throws {
    var random = SeededRandom(seed: Self.seed)
    #expect(throws: ConvertedValue.self) { try Self.copy(&random, way, odd: odd) }
  }

  @Test(arguments: ["1.5, 2, 3, 4", "1, 2.5, 3, 4"])
  func `an index with a number that is not whole is left to SQLite`(odd: String) throws {
    var random = SeededRandom(seed: Self.seed)
    let folder = try TemporaryDirectory()
    try Self.fill(folder.path("old.db"), &random, odd: odd)
    let copy = try Copy(folder)
    #expect(throws: ConvertedValue.self) {
      try copy.copyIndex(copy.oldRoots[2], isReversed: false, to: copy.roots[1])
    }
  }

  @Test func `the index in the other order tells the same pairs`() throws {
    var random = SeededRandom(seed: Self.seed)
    let folder = try TemporaryDirectory()
    try Self.fill(folder.path("old.db"), &random, odd: nil)
    let copy = try Copy(folder)
    let counts = try copy.copyIndex(copy.oldRoots[1], isReversed: true, to: copy.roots[1])
    let other = try Copy(folder)
    #expect(try other.copyIndex(other.oldRoots[2], isReversed: false, to: other.roots[1]) == counts)
    #expect(counts.readCount > 0)
  }

  /// Indexes over `b` and `a` that are copied as if they were those of an empty table.
  ///
  /// - Parameter statements: make them, in a database with the table.
  /// - Returns: what the index of a name tells.
  private static func indexes(
    _ statements: [String]
  ) throws -> (_ name: String) throws -> PairCounts {
    let folder = try TemporaryDirectory()
    do {
      let store = try Connection(path: folder.path("old.db"), mode: .create, isSynced: false)
      for statement in [table, "CREATE INDEX other ON t (b, a)"] + statements {
        try store.execute(statement)
      }
    }
    return { name in
      let copy = try Copy(folder)
      let root = try Connection(path: folder.path("old.db"), mode: .readOnly).integer(
        "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)])
      return try copy.copyIndex(UInt32(root), isReversed: false, to: copy.roots[1])
    }
  }

  @Test func `an index that lacks a pair or has another one tells other pairs`() throws {
    let counts = try Self.indexes([
      "INSERT INTO t VALUES (1, 5, 0, 0), (2, 6, 0, 0)",
      // The same numbers, but those of two rows changed places.
      "CREATE TABLE u (a INTEGER, b INTEGER)", "CREATE INDEX swapped ON u (b, a)",
      "INSERT INTO u VALUES (2, 5), (1, 6)",
      "CREATE TABLE v (a INTEGER, b INTEGER)", "CREATE INDEX short ON v (b, a)",
      "INSERT INTO v VALUES (1, 5)",
    ])
    let whole = try counts("other")
    #expect(whole.copied.count == 2)
    let swapped = try counts("swapped")
    #expect(swapped.copied.count == 2 && swapped != whole)
    #expect(try counts("short") != whole)
  }

  @Test func `a range of an index that another copier has come to is damage`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("old.db")
    let store = try Connection(path: path, mode: .create, isSynced: false)
    for statement in [
      Self.table, "CREATE INDEX other ON t (b, a)", "INSERT INTO t VALUES (1, 5, 0, 0)",
    ] {
      try store.execute(statement)
    }
    let root = try store.integer("SELECT rootpage FROM sqlite_master WHERE name = 'other'")
    let job = PairIndexCopier.Job(
      counting: try PageReader(path: path), root: UInt32(root), isReversed: false)
    let range = try #require(try job.makeRanges().next())
    #expect(try PairIndexCopier(job).count(range).copied.count == 1)
    #expect(throws: PageDamage.self) { try PairIndexCopier(job).count(range) }
  }

  @Test func `an index that is out of order is not copied`() throws {
    let counts = try Self.indexes([
      "CREATE TABLE u (a INTEGER, b INTEGER)", "CREATE INDEX falling ON u (b DESC, a)",
      "INSERT INTO u VALUES (1, 5), (1, 6), (1, 7)",
      "CREATE TABLE v (a INTEGER, b INTEGER)", "CREATE INDEX twice ON v (b, a)",
      "INSERT INTO v VALUES (1, 5), (1, 5)",
    ])
    for name in ["falling", "twice"] {
      #expect(throws: EntryOutOfOrder.self) { try counts(name) }
    }
  }

  /// A damaged index gives an error, or pairs, but never a trap or an endless walk.
  @Test(arguments: 0..<200)
  func `bytes flipped in an index are an error or tell pairs`(round: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(round))
    let folder = try TemporaryDirectory()
    let old = folder.path("old.db")
    do {
      let store = try Connection(path: old, mode: .create, isSynced: false)
      try store.execute("PRAGMA page_size = 512")
      try store.execute(Self.table)
      try store.execute("CREATE INDEX other ON t (b, a)")
      try store.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO t SELECT i % 77, i * i, NULL, NULL FROM n
        """)
    }
    let copy = try Copy(folder)
    let whole = try copy.copyIndex(copy.oldRoots[2], isReversed: false, to: copy.roots[1])
    #expect(whole.copied.count == 3_000 - whole.leftOut)
    let pageCount = Int(copy.reader.pageCount)
    let file = try PositionalFile(old, mode: .updating)
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      // The root is hit often: most others are leaves.
      let page =
        Int.random(in: 0..<4, using: &random) == 0
        ? Int(copy.oldRoots[2]) - 1 : Int.random(in: 1..<pageCount, using: &random)
      let place =
        Int.random(in: 0..<2, using: &random) == 0
        ? Int.random(in: 0..<40, using: &random) : Int.random(in: 0..<512, using: &random)
      let byte = [UInt8.random(in: 0...255, using: &random)]
      try byte.withUnsafeBytes { try file.write($0, at: Int64(page * 512 + place)) }
    }
    let damaged = try Copy(folder)
    do {
      _ = try damaged.copyIndex(damaged.oldRoots[2], isReversed: false, to: damaged.roots[1])
    } catch {
      #expect(error is PageDamage || error is EntryOutOfOrder || error is ConvertedValue)
    }
  }
}
