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
      try connection.execute("CREATE TABLE many (key INTEGER PRIMARY KEY, text)")
      try connection.execute("CREATE TABLE one (key INTEGER PRIMARY KEY, text)")
      try connection.execute(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 60000)
        INSERT INTO many SELECT n, hex(zeroblob(n % 200)) || iif(n % 500, '', hex(zeroblob(5000)))
        FROM number
        """)
      try connection.execute("INSERT INTO one VALUES (1, 'x')")
      let found = try connection.rows("SELECT rootpage FROM sqlite_master ORDER BY name")
      roots = (UInt32(found[0][0].integer ?? 0), UInt32(found[1][0].integer ?? 0))
    }
  }

  /// What is told of a table: the count of its rows, and whether its digest is that one.
  private static func told(
    _ database: Database, root: UInt32, _ written: PageDigest, threadCount: Int
  ) throws -> String {
    let totals = LeafTotals(try PageReader(path: database.path), threadCount: threadCount)
    let count = Result { try totals.rowCount(root: root) }
    let matches = Result { try totals.matches(written, root: root) }
    return "\(count) \(matches)"
  }

  @Test(arguments: threadCounts)
  func `any number of threads counts and compares alike`(threadCount: Int) throws {
    let database = try Database()
    let reader = try PageReader(path: database.path)
    #expect(reader.pageCount > 1_100)
    for (root, rows) in [(database.roots.many, 60_000), (database.roots.one, 1)] {
      let written = try TableSweep(reader, root: root, columnCount: 1).digest()
      #expect(written.rowCount == Int64(rows))
      #expect(
        try Self.told(database, root: root, written, threadCount: threadCount)
          == "success(\(rows)) success(true)")
      let other = PageDigest(sum: written.sum &+ 1, rowCount: written.rowCount)
      #expect(
        try Self.told(database, root: root, other, threadCount: threadCount)
          == "success(\(rows)) success(false)")
    }
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
    #expect(kinds.contains("success(60000) success(false)"))
    #expect(kinds.contains { $0.contains("failure") })
  }

  @Test func `threads stop when the run should`() throws {
    let database = try Database()
    let control = RunControl(willContinue: { false })
    let totals = LeafTotals(try PageReader(path: database.path), threadCount: 3, control: control)
    #expect(throws: Cancellation.self) { try totals.rowCount(root: database.roots.many) }
  }
}
