import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Leaves of one table that are taken over into another make the table that SQLite makes of all
/// rows.
@Suite struct LeafMergeTests {
  typealias Row = (key: Int64, values: [Value])

  /// Where the keys of the added rows are.
  enum Place: CaseIterable {
    case above
    case below
    case between
  }

  private static let values: [Value] = [
    .text("a"), .integer(1), .real(0.5), .null, .blob([1, 2]), .integer(2),
  ]

  static let seed = RandomSeed.told(for: "LeafMergeTests")

  static func rows(_ random: inout SeededRandom, from first: Int64, step: Int64) -> [Row] {
    RandomRows(random: &random).rows.enumerated().map { number, row in
      (first + Int64(number) * step, row.values)
    }
  }

  /// Two databases with a table of the same columns, and one with no rows for what SQLite makes.
  struct Pair {
    let folder: TemporaryDirectory
    let roots: [UInt32]

    var into: String { folder.path("into.db") }
    var from: String { folder.path("from.db") }
    var made: String { folder.path("made.db") }

    init(pageBytes: Int, _ isAutoVacuum: (into: Bool, from: Bool)) throws {
      folder = try TemporaryDirectory()
      roots = try [
        ("into.db", isAutoVacuum.into), ("from.db", isAutoVacuum.from), ("made.db", true),
      ].map { [folder] name, isAutoVacuum in
        try TableTreeWriterTests.makeDatabase(
          at: folder.path(name), pageBytes: pageBytes, isAutoVacuum: isAutoVacuum)
      }
    }

    /// Fills a table, through SQL or page by page.
    func fill(_ rows: [Row], _ path: String, throughSQL: Bool) throws {
      if throughSQL {
        try TableTreeWriterTests.insert(rows, into: path)
      } else {
        try TableTreeWriterTests.write(rows, to: path, root: roots[path == into ? 0 : 1])
      }
    }

    func sweep(_ path: String) throws -> TableSweep {
      try TableSweep(
        PageReader(path: path), root: roots[path == into ? 0 : 1],
        columnCount: TableTreeWriterTests.columns.count + 1)
    }

    /// The pages that belong to the database, without what a writer left behind them.
    private func database() throws -> [UInt8] {
      let pages = try Connection(path: into, mode: .readOnly).integer("PRAGMA page_count")
      let reader = try PageReader(path: into)
      let bytes = try #require(FileSystem().contents(into))
      return Array(bytes.prefix(Int(pages) * reader.geometry.pageBytes))
    }

    /// Takes the leaves over, and compares the digest.
    ///
    /// - Returns: whether it was possible.
    func merge() throws -> Bool {
      let table = try sweep(into)
      let before = try table.digest()
      let bytes = try database()
      let writer = try PageFileWriter(path: into, keepsPages: true)
      let merge = LeafMerge(
        into: table, of: table.reader, from: try sweep(from), file: writer)
      let added = try merge.run()
      // Until the end, the database is as it was.
      let isKept = try database() == bytes
      #expect(isKept)
      guard let added else {
        try writer.discard()
        let isRestored = FileSystem().contents(into) == bytes
        #expect(isRestored)
        return false
      }
      try writer.finish()
      #expect(try sweep(into).digest() == before.adding(added))
      return true
    }

    /// Holds the table against the one that SQLite makes, and uses it as any other.
    func expect(_ rows: [Row]) throws {
      try TableTreeWriterTests.insert(rows, into: made)
      try TableTreeWriterTests.expectSame(into, as: made, rowCount: rows.count)
    }
  }

  @Test(arguments: [512, 1_024, 4_096, 65_536], Place.allCases)
  func `rows whose keys lie apart become one table`(pageBytes: Int, place: Place) throws {
    var random = SeededRandom(
      seed: Self.seed &+ UInt64(pageBytes) &+ UInt64(Place.allCases.firstIndex(of: place) ?? 0))
    for round in 0..<10 {
      let pair = try Pair(
        pageBytes: pageBytes, (into: random.chance(50), from: random.chance(50)))
      let rows = Self.rows(&random, from: 1_000_000, step: 1_000_000)
      try pair.fill(rows, pair.into, throughSQL: random.chance(50))
      let last = rows.last?.key ?? 0
      let first: Int64 =
        switch place {
        case .above: last + 1
        case .below: -5_000
        case .between: try Self.gap(in: pair) ?? last + 1
        }
      let added = Self.rows(&random, from: first, step: 1)
      try pair.fill(added, pair.from, throughSQL: random.chance(50))
      #expect(
        try pair.merge(), "round \(round): \(added.count) rows at \(first) into \(rows.count)")
      try pair.expect(rows + added)
    }
  }

  /// A key behind the last one of a leaf in the middle of the table; `nil` when it has few leaves.
  private static func gap(in pair: Pair) throws -> Int64? {
    let sweep = try pair.sweep(pair.into)
    let ranges = LeafRanges(sweep.reader, root: sweep.root, after: nil)
    guard let range = try ranges.next(), range.through < .max else { return nil }
    return range.through + 1
  }

  @Test(arguments: [512, 4_096])
  func `three tables become one in any order`(pageBytes: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(pageBytes) &+ 10)
    for _ in 0..<6 {
      var all: [Row] = []
      var parts = (0..<3).map { Self.rows(&random, from: Int64($0) * 100_000 + 1, step: 1) }
      parts.shuffle(using: &random)
      let pair = try Pair(pageBytes: pageBytes, (into: true, from: true))
      try pair.fill(parts[0], pair.into, throughSQL: random.chance(50))
      all += parts[0]
      for part in parts[1...] {
        let other = try Pair(pageBytes: pageBytes, (into: true, from: true))
        try other.fill(part, other.from, throughSQL: random.chance(50))
        try FileSystem().remove(pair.from)
        try FileSystem().rename(other.from, to: pair.from)
        #expect(try pair.merge())
        all += part
      }
      try pair.expect(all)
    }
  }

  @Test(arguments: [true, false])
  func `rows that lie between each other are refused, and nothing is changed`(
    isWhole: Bool
  ) throws {
    let values = Self.values
    let pair = try Pair(pageBytes: 1_024, (into: true, from: true))
    try pair.fill((1...900).map { ($0 * 2, values) }, pair.into, throughSQL: false)
    let odd = isWhole ? (1...900).map { Int64($0 * 2 + 1) } : [3]
    try pair.fill(odd.map { ($0, values) }, pair.from, throughSQL: false)
    #expect(try !pair.merge())
    #expect(
      try Connection(path: pair.into, mode: .readOnly).integer("SELECT count(*) FROM t") == 900)
  }

  @Test func `equal keys are refused`() throws {
    let pair = try Pair(pageBytes: 512, (into: true, from: true))
    let values = Self.values
    try pair.fill((1...500).map { ($0, values) }, pair.into, throughSQL: false)
    try pair.fill((500...900).map { ($0, values) }, pair.from, throughSQL: false)
    #expect(try !pair.merge())
  }

  @Test func `a merge that is stopped leaves the table as it was`() throws {
    struct Stop: Error {}
    let pair = try Pair(pageBytes: 512, (into: true, from: true))
    let values = Self.values
    try pair.fill((1...500).map { ($0, values) }, pair.into, throughSQL: false)
    try pair.fill((501...20_000).map { ($0, values) }, pair.from, throughSQL: false)
    let table = try pair.sweep(pair.into)
    let writer = try PageFileWriter(path: pair.into, keepsPages: true)
    let merge = LeafMerge(
      into: table, of: table.reader, from: try pair.sweep(pair.from), file: writer
    ) { throw Stop() }
    #expect(throws: Stop.self) { try merge.run() }
    // As a process leaves it that dies here.
    #expect(try pair.merge())
    try pair.expect((1...20_000).map { ($0, values) })
  }
}
