import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// What is written where a file passes 1 GiB: there is a page that SQLite locks and nobody may use. With
/// pages of 1,024 bytes a page of the pointer map would be in its place, and is behind it.
///
/// The files are sparse: what is before has never been written.
@Suite struct BeyondLockPageTests {
  typealias Row = (key: Int64, values: [Value])

  static let seed = RandomSeed.told(for: "BeyondLockPageTests")
  static let rounds = TestVolume.rounds(3)

  struct Form: CustomTestStringConvertible {
    let pageBytes: Int
    let isAutoVacuum: Bool

    static let all = [512, 1_024, 4_096, 65_536].flatMap {
      [Form(pageBytes: $0, isAutoVacuum: false), Form(pageBytes: $0, isAutoVacuum: true)]
    }

    var testDescription: String { "\(pageBytes) \(isAutoVacuum ? "with" : "without") a map" }
    var lockPage: UInt32 { UInt32(0x4000_0000 / pageBytes) + 1 }
    /// Whether the pages before are noted as free ones, which takes some room: then SQLite can check
    /// the file as a whole, and use it.
    var hasFreePages: Bool { pageBytes >= 4_096 }

    func random(_ number: UInt64) -> SeededRandom {
      SeededRandom(
        seed: BeyondLockPageTests.seed &+ UInt64(pageBytes) &+ (isAutoVacuum ? 1 : 0) &+ number * 7)
    }
  }

  /// A database with an empty table and two indexes, and the same for what SQLite makes of the rows.
  struct Files {
    let folder: TemporaryDirectory
    let form: Form
    let roots: [String: UInt32]

    var path: String { folder.path("written.db") }
    var made: String { folder.path("made.db") }

    init(_ form: Form) throws {
      self.form = form
      folder = try TemporaryDirectory()
      for name in ["written.db", "made.db"] {
        _ = try TableTreeWriterTests.makeDatabase(
          at: folder.path(name), pageBytes: form.pageBytes, isAutoVacuum: form.isAutoVacuum)
        let connection = try Connection(
          path: folder.path(name), mode: .readWrite, isSynced: false)
        try connection.execute("CREATE INDEX texts ON t (c0, c1); CREATE INDEX numbers ON t (c1)")
      }
      let found = try Connection(path: folder.path("written.db"), mode: .readOnly).rows(
        "SELECT name, rootpage FROM sqlite_master")
      roots = Dictionary(
        uniqueKeysWithValues: found.map { ($0[0].string ?? "", UInt32($0[1].integer ?? 0)) })
    }

    /// Makes the file as long as if so many pages were left before the one that SQLite locks.
    func lengthen(pagesLeft: UInt32) throws {
      let file = try PositionalFile(path, mode: .updating)
      let first = UInt32(try file.byteCount / Int64(form.pageBytes)) + 1
      let last = form.lockPage - 1 - pagesLeft
      try file.truncate(to: Int64(last) * Int64(form.pageBytes))
      try Self.set([last], in: file, at: 28)
      if form.hasFreePages { try note(free: first...last, in: file) }
    }

    /// Makes pages the free list (https://www.sqlite.org/fileformat2.html#the_freelist), and notes that
    /// in the pointer map.
    private func note(free pages: ClosedRange<UInt32>, in file: PositionalFile) throws {
      let geometry = PageGeometry(pageBytes: form.pageBytes, hasPointerMap: form.isAutoVacuum)
      let free = pages.filter { !geometry.isPointerMap($0) }
      let leavesOfTrunk = form.pageBytes / 4 - 8
      let trunks = (free.count + leavesOfTrunk) / (leavesOfTrunk + 1)
      var leaves = free.dropFirst(trunks)
      for index in 0..<trunks {
        let own = leaves.prefix(leavesOfTrunk)
        leaves = leaves.dropFirst(leavesOfTrunk)
        let next = index + 1 < trunks ? free[index + 1] : 0
        try Self.set([next, UInt32(own.count)] + own, in: file, at: offset(of: free[index]))
      }
      try Self.set([free[0], UInt32(free.count)], in: file, at: 32)
      guard form.isAutoVacuum else { return }
      for map in geometry.pointerMaps(of: pages.upperBound) {
        let told = map + 1...min(map + UInt32(form.pageBytes / 5), pages.upperBound)
        let own = told.clamped(to: pages)
        guard told.overlaps(pages) else { continue }
        let entries = own.flatMap { _ in [2, 0, 0, 0, 0] as [UInt8] }
        try entries.withUnsafeBytes {
          try file.write($0, at: offset(of: map) + Int64(5 * (own.lowerBound - told.lowerBound)))
        }
      }
    }

    private func offset(of page: UInt32) -> Int64 { Int64(page - 1) * Int64(form.pageBytes) }

    private static func set(_ numbers: [UInt32], in file: PositionalFile, at offset: Int64) throws {
      try numbers.map(\.bigEndian).withUnsafeBytes { try file.write($0, at: offset) }
    }

    /// SQLite's own check of the table with its indexes, or of the whole file.
    func expectSound(_ connection: Connection, after change: String) throws {
      let whole = form.hasFreePages ? "" : "('t')"
      #expect(
        try connection.rows("PRAGMA main.integrity_check\(whole)") == [["ok"]], "after \(change)")
      #expect(try connection.differences(from: "made") == [], "after \(change)")
    }

    /// Holds the file against the one that SQLite made, and lets SQLite go on with it.
    func expect(_ rows: [Row], pagesLeft: UInt32) throws {
      let connection = try Connection(path: path, mode: .readWrite, isSynced: false)
      try connection.attach(made, as: "made", mode: .readWrite)
      #expect(try connection.integer("SELECT count(*) FROM main.t") == Int64(rows.count))
      #expect(try connection.integer("PRAGMA main.page_count") > Int64(form.lockPage))
      try expectSound(connection, after: "writing, \(pagesLeft) pages before the lock page")
      for schema in ["main", "made"] {
        try connection.execute(
          "UPDATE \(schema).t SET c0 = c0 || 'longer', c4 = zeroblob(k % 700) WHERE k % 2 = 0")
        try connection.execute("DELETE FROM \(schema).t WHERE k % 3 = 0")
      }
      try expectSound(connection, after: "changing")
      // Pages from behind go to free ones before.
      try connection.execute("PRAGMA main.incremental_vacuum(40)")
      try expectSound(connection, after: "giving room back")
      try connection.vacuum(into: folder.path("small.db"))
      let small = try Connection(path: folder.path("small.db"), mode: .readOnly)
      #expect(try small.rows("PRAGMA integrity_check") == [["ok"]])
    }
  }

  /// Rows that take some sixty pages: many to a page, one, or one to several.
  static func rows(_ form: Form, from first: Int64, _ random: inout SeededRandom) -> [Row] {
    (0..<Int64(form.pageBytes > 1_024 ? 60 : 300)).map { number in
      let most = random.pick([form.pageBytes / 9, form.pageBytes / 2, form.pageBytes * 3])
      let length = Int.random(in: 0...most, using: &random)
      let text = String(repeating: "\(number % 7)", count: random.chance(20) ? length : 30)
      let bytes = [UInt8](repeating: UInt8(number % 256), count: length)
      return (
        first + number,
        [.text(text), .integer(number * 7_919 % 101), .real(0.5), .null, .blob(bytes), .integer(1)]
      )
    }
  }

  /// Where among the pages that are written the lock page comes.
  private static func pagesLeft(_ form: Form, _ random: inout SeededRandom) -> UInt32 {
    UInt32.random(in: 0...(form.pageBytes > 1_024 ? 20 : 60), using: &random)
  }

  @Test(arguments: Form.all)
  func `a table and its indexes`(form: Form) throws {
    var random = form.random(0)
    for _ in 0..<(form.hasFreePages ? max(1, Self.rounds / 3) : Self.rounds) {
      let files = try Files(form)
      let pagesLeft = Self.pagesLeft(form, &random)
      try files.lengthen(pagesLeft: pagesLeft)
      let rows = Self.rows(form, from: 1, &random)
      let places = (0..<2).map { _ in Int.random(in: 0...rows.count, using: &random) }
      let root = try #require(files.roots["t"])
      let written = try TableTreeWriterTests.write(
        rows, to: files.path, root: root, interruptions: Set(places))
      try Self.writeIndexes(of: files, keepsPages: random.chance(50))
      let sweep = TableSweep(
        try PageReader(path: files.path), root: root,
        columnCount: TableTreeWriterTests.columns.count + 1)
      #expect(try sweep.digest() == written)

      try TableTreeWriterTests.insert(rows, into: files.made)
      try files.expect(rows, pagesLeft: pagesLeft)
    }
  }

  private static func writeIndexes(of files: Files, keepsPages: Bool) throws {
    let memory = SortMemory(byteCount: 1 << 20) {
      try PositionalFile(try files.folder.write([], to: "sort"), mode: .updating)
    }
    let columns = [[1, 2], [2]].map { $0.map { IndexColumn(position: $0) } }
    let builders = columns.map { IndexBuilder(columns: $0, isUnique: false, memory: memory) }
    let sweep = TableSweep(
      try PageReader(path: files.path), root: try #require(files.roots["t"]),
      columnCount: TableTreeWriterTests.columns.count + 1)
    while try sweep.next() { for builder in builders { try builder.add(rowOf: sweep) } }
    let file = try PageFileWriter(path: files.path, keepsPages: keepsPages)
    for (builder, name) in zip(builders, ["texts", "numbers"]) {
      _ = try builder.write(to: file, root: try #require(files.roots[name]))
    }
    try file.finish()
  }

  @Test(arguments: Form.all)
  func `leaves of another table that are taken over`(form: Form) throws {
    var random = form.random(1)
    for _ in 0..<(form.hasFreePages ? max(1, Self.rounds / 3) : Self.rounds) {
      let (files, other) = (try Files(form), try Files(form))
      let pagesLeft = Self.pagesLeft(form, &random)
      let root = try #require(files.roots["t"])
      let rows = (0..<2).map { Self.rows(form, from: $0 * 10_000 + 1, &random) }
      // What is taken over comes behind the table's own rows, or before them.
      let isBehind = random.chance(50)
      let (own, added) = isBehind ? (rows[0], rows[1]) : (rows[1], rows[0])
      try TableTreeWriterTests.write(own, to: files.path, root: root)
      try TableTreeWriterTests.write(added, to: other.path, root: root)
      try files.lengthen(pagesLeft: pagesLeft)

      func sweep(_ path: String) throws -> TableSweep {
        TableSweep(
          try PageReader(path: path), root: root,
          columnCount: TableTreeWriterTests.columns.count + 1)
      }
      let table = try sweep(files.path)
      let before = try table.digest()
      let file = try PageFileWriter(path: files.path, keepsPages: true)
      let merge = LeafMerge(
        into: try sweep(files.path), of: table.reader, from: try sweep(other.path), file: file)
      let digest = try #require(try merge.run())
      try file.finish()
      #expect(try sweep(files.path).digest() == before.adding(digest))
      try Self.writeIndexes(of: files, keepsPages: true)

      try TableTreeWriterTests.insert(own + added, into: files.made)
      try files.expect(own + added, pagesLeft: pagesLeft)
    }
  }
}
