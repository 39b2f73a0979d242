import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// What is read from the pages of a table is what SQLite reads from it.
@Suite struct ReadingTests {
  static let seed = RandomSeed.told(for: "ReadingTests")

  struct Layout: CustomTestStringConvertible {
    let pageBytes: Int
    let isAutoVacuum: Bool

    static let all = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536].flatMap {
      [Layout(pageBytes: $0, isAutoVacuum: true), Layout(pageBytes: $0, isAutoVacuum: false)]
    }

    var testDescription: String { "\(pageBytes) \(isAutoVacuum ? "with" : "without") a map" }

    func random(_ seed: UInt64) -> SeededRandom {
      SeededRandom(seed: seed &+ UInt64(pageBytes) &+ (isAutoVacuum ? 1 : 0))
    }

    /// A database with a table of random rows, made by SQLite or page by page.
    func makeTable(at path: String, random: inout SeededRandom, bySQLite: Bool) throws -> UInt32 {
      let root = try TableTreeWriterTests.makeDatabase(
        at: path, pageBytes: pageBytes, isAutoVacuum: isAutoVacuum)
      var rows = RandomRows(random: &random).rows
      if !bySQLite {
        try TableTreeWriterTests.write(rows, to: path, root: root)
      } else {
        if random.chance(50) { rows.shuffle(using: &random) }
        try TableTreeWriterTests.insert(rows, into: path)
      }
      return root
    }
  }

  /// Compares the rows of a table's ranges of leaves with all of its rows.
  private static func compareRanges(
    _ table: SweptTable, _ rows: [SweptTable.Row], after key: Int64?
  ) throws {
    let sweep = try table.sweep()
    let ranges = LeafRanges(sweep.reader, root: table.root, after: key)
    var found: [SweptTable.Row] = []
    var first: LeafRange?
    var last: LeafRange?
    while let range = try ranges.next() {
      if let last { #expect(range.after == last.through) }
      first = first ?? range
      last = range
      try sweep.begin(range)
      while try sweep.next() {
        #expect(sweep.key <= range.through && range.after.map { sweep.key > $0 } ?? true)
        found.append(try table.row(of: sweep))
      }
    }
    // The rows of a single leaf are in no range.
    guard let first else { return }
    #expect(last?.through == .max)
    if let key { #expect(first.through > key && first.after.map { $0 <= key } ?? true) }
    #expect(found == rows.filter { row in first.after.map { row[0].integer ?? 0 > $0 } ?? true })
  }

  /// Compares a table with SQLite's rows, as a whole and from random keys on.
  static func compare(
    _ table: SweptTable, with connection: Connection, random: inout SeededRandom
  ) throws {
    let rows = try connection.sortedRows()
    let swept = try table.rows()
    #expect(swept == rows)
    #expect(try table.sweep().rowCount() == Int64(rows.count))

    let keys = rows.compactMap { $0[0].integer }
    try compareRanges(table, rows, after: nil)
    try compareRanges(table, rows, after: keys.randomElement(using: &random))
    let sweep = try table.sweep()
    for _ in 0..<20 {
      let key =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: random.pick([Int64.min, .max, 0])
        case 1:
          (keys.randomElement(using: &random) ?? 7) &+ Int64.random(in: -2...2, using: &random)
        default: keys.randomElement(using: &random) ?? -7
        }
      try sweep.seek(after: key)
      for index in keys.indices.filter({ keys[$0] > key }).prefix(3) {
        #expect(try sweep.next())
        #expect(try table.row(of: sweep) == rows[index])
      }
      if (keys.last ?? .min) <= key { #expect(try !sweep.next()) }
    }
    let key = keys.randomElement(using: &random) ?? 0
    #expect(try table.rows(after: key) == rows.filter { ($0[0].integer ?? 0) > key })
  }

  @Test(arguments: Layout.all, [true, false])
  func `random tables give SQLite's rows`(layout: Layout, bySQLite: Bool) throws {
    var random = layout.random(Self.seed)
    for _ in 0..<2 {
      let folder = try TemporaryDirectory()
      let path = folder.path("store.db")
      let root = try layout.makeTable(at: path, random: &random, bySQLite: bySQLite)
      let table = SweptTable.random(at: path, root: root)
      let connection = try Connection(path: path, mode: .readWrite, isSynced: false)
      try Self.compare(table, with: connection, random: &random)

      // Pages with free blocks, fragments and cells in another order than that of their keys.
      try connection.execute(
        """
        DELETE FROM t WHERE (k & 65535) % 7 < 3;
        UPDATE t SET c0 = substr(c0, 3), c4 = zeroblob((k & 65535) % 300) WHERE (k & 65535) % 5 = 0;
        INSERT OR IGNORE INTO t(k, c0)
          SELECT k + 3, 'späte Zeile' FROM t WHERE (k & 65535) % 11 < 4;
        """)
      try Self.compare(table, with: connection, random: &random)
      try connection.execute("PRAGMA incremental_vacuum; DELETE FROM t WHERE (k & 65535) % 3 > 0")
      try connection.execute("ALTER TABLE t ADD COLUMN late INTEGER")
      #expect(try table.rows() == connection.sortedRows().map { Array($0.dropLast()) })
      try connection.execute("DELETE FROM t")
      #expect(try table.rows().isEmpty)
    }
  }

  @Test(arguments: Layout.all)
  func `columns are read in any order, and only as far as needed`(layout: Layout) throws {
    var random = layout.random(Self.seed)
    for _ in 0..<3 {
      let folder = try TemporaryDirectory()
      let path = folder.path("store.db")
      let root = try layout.makeTable(at: path, random: &random, bySQLite: random.chance(50))
      let table = SweptTable.random(at: path, root: root)
      let rows = try Connection(path: path, mode: .readOnly).sortedRows()
      let sweep = try table.sweep()
      var index = 0
      while try sweep.next() {
        // All are taken first and looked at afterwards: they stay valid until the next row.
        var cells: [(column: Int, cell: RawCell)] = []
        for _ in 0..<Int.random(in: 0...9, using: &random) {
          let column = Int.random(in: 1..<table.columnCount, using: &random)
          cells.append((column, try sweep.cell(column)))
        }
        for (column, cell) in cells { #expect(table.value(cell, column) == rows[index][column]) }
        if random.chance(20) { #expect(try sweep.columnCount == table.columnCount) }
        index += 1
      }
      #expect(index == rows.count)
    }
  }

  @Test(arguments: Layout.all)
  func `images of cells make the same table again`(layout: Layout) throws {
    var random = layout.random(Self.seed)
    for _ in 0..<2 {
      let folder = try TemporaryDirectory()
      let paths = (source: folder.path("source.db"), copy: folder.path("copy.db"))
      let root = try layout.makeTable(at: paths.source, random: &random, bySQLite: true)
      let other = random.pick(Layout.all)
      let copyRoot = try TableTreeWriterTests.makeDatabase(
        at: paths.copy, pageBytes: other.pageBytes, isAutoVacuum: other.isAutoVacuum)
      let table = SweptTable.random(at: paths.source, root: root)
      let file = try PageFileWriter(path: paths.copy)
      let writer = TableTreeWriter(file, root: copyRoot)
      let sweep = try table.sweep()
      while try sweep.next() {
        let images = try (0..<table.columnCount).map { try sweep.image($0) }
        try images.withUnsafeBufferPointer { try writer.append(key: sweep.key, $0) }
      }
      try writer.finish()
      try file.finish()
      let copy = try Connection(path: paths.copy, mode: .readOnly)
      #expect(try copy.rows("PRAGMA integrity_check") == [["ok"]])
      #expect(
        try copy.sortedRows() == Connection(path: paths.source, mode: .readOnly).sortedRows())
    }
  }

  @Test func `the schema is a table that begins on the first page`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("store.db")
    let connection = try Connection(path: path, mode: .create, isSynced: false)
    try connection.execute("PRAGMA page_size = 512")
    for count in [0, 1, 3, 40] {
      for index in 0..<count {
        try connection.execute("CREATE TABLE t\(count)_\(index) (a, b, c, d, e, f, g, h)")
      }
      guard count > 0 else { continue }
      let table = SweptTable(path: path, root: 1, columnCount: 5)
      #expect(
        try table.rows().map { Array($0.dropFirst()) }
          == connection.rows("SELECT name, tbl_name, rootpage, sql FROM sqlite_master"))
    }
  }

  @Test func `a record's header may be longer than what is on the page`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("store.db")
    let connection = try Connection(path: path, mode: .create, isSynced: false)
    try connection.execute("PRAGMA page_size = 512")
    let columns = (0..<900).map { "c\($0)" }
    try connection.execute(
      "CREATE TABLE t (k INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
    let values = columns.indices.map {
      $0 % 3 == 0 ? "'text \($0)'" : $0 % 3 == 1 ? "\($0)" : "NULL"
    }
    for key in 1...5 {
      try connection.execute("INSERT INTO t VALUES (\(key), \(values.joined(separator: ", ")))")
    }
    let table = SweptTable(
      path: path, root: try connection.rootPage(), columnCount: columns.count + 1)
    #expect(try table.rows() == connection.sortedRows())
  }
}
