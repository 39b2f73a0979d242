import PassageEngine
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// What several threads tell of a table is what one sweep tells.
@Suite struct LeafTotalsTests {
  private static let threadCounts = [1, 2, 3, 7]

  /// A database with a table of many leaves, and one of a single leaf.
  private struct Database {
    let folder: TemporaryDirectory
    var path: String { folder.path("table.db") }
    let roots: (many: UInt32, one: UInt32)

    init() throws {
      folder = try TemporaryDirectory()
      let connection = try Connection(path: folder.path("table.db"), mode: .create, isSynced: false)
      try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
      try connection.execute("CREATE TABLE many (key INTEGER PRIMARY KEY, number, text)")
      try connection.execute("CREATE TABLE one (key INTEGER PRIMARY KEY, number, text)")
      try connection.execute(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 20000)
        INSERT INTO many SELECT n,
          CASE WHEN n % 3 THEN n % 3 WHEN n % 7 THEN -n % 1000 WHEN n % 5 THEN 'x' END,
          hex(zeroblob(n % 600)) || iif(n % 500, '', hex(zeroblob(5000)))
        FROM number
        """)
      try connection.execute("INSERT INTO one VALUES (1, 300, 'x')")
      let found = try connection.rows("SELECT rootpage FROM sqlite_master ORDER BY name")
      roots = (UInt32(found[0][0].integer ?? 0), UInt32(found[1][0].integer ?? 0))
    }
  }

  /// What is told of a table: the count of its rows, in all, by number and of those with some values, and
  /// whether its digest is that one.
  private static func told(
    _ database: Database, root: UInt32, _ written: PageDigest, threadCount: Int
  ) throws -> String {
    let totals = LeafTotals(try PageReader(path: database.path), threadCount: threadCount)
    let count = Result { try totals.rowCount(root: root) }
    let matches = Result { try totals.matches(written, root: root) }
    let byNumber = Result { try totals.rowCounts(root: root, byColumn: 1) }.map {
      $0.byNumber.sorted { $0.key < $1.key }.map { "\($0):\($1)" } + ["\($0.otherCount)"]
    }
    let values = Result {
      try totals.valueCounts(
        root: root,
        [
          CountedColumns(entityNumber: nil, columns: [(1, .isPresent), (1, .isOutside(-50, 1))]),
          CountedColumns(entityNumber: 2, columns: [(2, .isPresent), (1, .isPresent)]),
        ], entityColumn: 1,
        of: TableColumns(affinities: [.numeric, .blob, .blob], keyColumn: 0)
      ).counts.description
    }
    return "\(count) \(byNumber) \(values) \(matches)"
  }

  /// The counts by number and of values, as SQLite has them.
  private static func counts(_ database: Database, root: UInt32) throws -> String {
    let connection = try Connection(path: database.path, mode: .readOnly)
    let name = root == database.roots.many ? "many" : "one"
    let counts = try connection.rows(
      "SELECT number || ':' || count(*) FROM \(name) WHERE typeof(number) = 'integer' "
        + "GROUP BY number ORDER BY number")
    let others = try connection.integer(
      "SELECT count(*) FROM \(name) WHERE typeof(number) != 'integer'")
    let values = try connection.rows(
      "SELECT count(number), sum(typeof(number) = 'integer' AND (number < -50 OR number >= 2)), "
        + "sum(number IS 2), sum(number IS 2) FROM \(name)")[0].map { $0.integer ?? 0 }
    return "success(\(counts.compactMap(\.first?.string) + ["\(others)"])) "
      + "success(\"[[\(values[0]), \(values[1])], [\(values[2]), \(values[3])]]\")"
  }

  @Test(arguments: threadCounts)
  func `any number of threads counts and compares alike`(threadCount: Int) throws {
    let database = try Database()
    let reader = try PageReader(path: database.path)
    #expect(reader.pageCount > 1_100)
    for (root, rows) in [(database.roots.many, 20_000), (database.roots.one, 1)] {
      let counts = try Self.counts(database, root: root)
      let written = try TableSweep(reader, root: root, columnCount: 1).digest()
      #expect(written.rowCount == Int64(rows))
      let told = try Self.told(database, root: root, written, threadCount: threadCount)
      #expect(told == "success(\(rows)) \(counts) success(true)")
      let other = PageDigest(sum: written.sum &+ 1, rowCount: written.rowCount)
      let toldOfOther = try Self.told(database, root: root, other, threadCount: threadCount)
      #expect(toldOfOther == "success(\(rows)) \(counts) success(false)")
    }
  }

  @Test(arguments: threadCounts)
  func `conditions decide which rows are counted`(threadCount: Int) throws {
    let database = try Database()
    let totals = LeafTotals(try PageReader(path: database.path), threadCount: threadCount)
    var isText = CellProgram()
    isText.steps = [
      // What is greater than each number is left undecided.
      .test(
        .columnCompares(1, .greater, constant: 0, withNull: false), ifTrue: 1,
        ifFalse: CellProgram.fails)
    ]
    isText.constants = [.integer(.max)]
    isText.columns = [1]
    let conditions = [
      RowCondition(program: isText, columns: [0, 1]) { key, cells in
        #expect(cells == [.integer(key), .text("x")])
        return key % 2 == 0
      },
      RowCondition(program: nil, columns: [0]) { _, cells in (cells[0].integer ?? 0) > 19_000 },
    ]
    let counts = try totals.valueCounts(
      root: database.roots.many,
      [
        CountedColumns(entityNumber: nil, columns: [(1, .isPresent)], conditions: conditions),
        CountedColumns(entityNumber: 2, columns: [(2, .isPresent)], conditions: [conditions[1]]),
        CountedColumns(entityNumber: nil, columns: [(1, .isPresent)]),
      ], entityColumn: 1,
      of: TableColumns(affinities: [.numeric, .blob, .blob], keyColumn: 0)
    ).counts
    let connection = try Connection(path: database.path, mode: .readOnly)
    let expected = try connection.rows(
      "SELECT sum(number IS NOT NULL AND (number = 'x' AND key % 2 = 0 OR key > 19000)), "
        + "sum(number IS 2 AND key > 19000), count(number) FROM many")[0].map { $0.integer ?? 0 }
    #expect(counts == expected.map { [$0] })
  }

  @Test func `any number of threads tells the same damage`() throws {
    let database = try Database()
    let root = database.roots.many
    let written = try TableSweep(PageReader(path: database.path), root: root, columnCount: 1)
      .digest()
    let sound = try #require(database.folder.contents("table.db"))
    var kinds: Set<String> = []
    for page in Array(stride(from: Int(root) - 1, to: sound.count / 4_096, by: 97)) {
      for place in [0, 4, 8, 40] {
        var bytes = sound
        bytes[page * 4_096 + place] ^= 0x7F
        try database.folder.write(bytes, to: "table.db")
        let told = try Self.threadCounts.map {
          try Self.told(database, root: root, written, threadCount: $0)
        }
        #expect(told.allSatisfy { $0 == told[0] }, "page \(page + 1) at \(place): \(told)")
        kinds.insert(told[0])
      }
    }
    // Some changes are damage, some are other values only.
    #expect(kinds.contains { $0.hasPrefix("success(20000)") && $0.hasSuffix("success(false)") })
    #expect(kinds.contains { $0.contains("failure") })
  }

  /// A damaged table may have a number for each row.
  @Test(arguments: [1, 3]) func `no more numbers are kept than there is room for`(threadCount: Int)
    throws
  {
    let folder = try TemporaryDirectory()
    let connection = try Connection(path: folder.path("table.db"), mode: .create, isSynced: false)
    try connection.execute("CREATE TABLE numbers (key INTEGER PRIMARY KEY, number, text)")
    try connection.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
      INSERT INTO numbers SELECT i, i * 1000, hex(zeroblob(40)) FROM n
      """)
    let root = UInt32(try connection.integer("SELECT rootpage FROM sqlite_master"))
    let totals = LeafTotals(
      try PageReader(path: folder.path("table.db")), threadCount: threadCount)
    let counts = try totals.rowCounts(root: root, byColumn: 1)
    #expect(counts.byNumber.count == 1 << 16)
    #expect(counts.otherCount == 70_000 - (1 << 16))
  }

  @Test(arguments: [1, 3]) func `it stops when the run should`(threadCount: Int) throws {
    let database = try Database()
    let control = RunControl(willContinue: { false })
    let totals = LeafTotals(
      try PageReader(path: database.path), threadCount: threadCount, control: control)
    #expect(throws: Cancellation.self) { try totals.rowCount(root: database.roots.many) }
  }

  /// A command that reads only has no run that could stop.
  @Test(arguments: [1, 3]) func `it stops when its statements should`(threadCount: Int) throws {
    let database = try Database()
    let totals = LeafTotals(try PageReader(path: database.path), threadCount: threadCount)
    #expect(throws: Cancellation.self) {
      try StatementWatch.$current.withValue(StatementWatch { true }) {
        try totals.rowCounts(root: database.roots.many, byColumn: 1)
      }
    }
  }
}
