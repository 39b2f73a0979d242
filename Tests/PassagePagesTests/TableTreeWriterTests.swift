import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Tables that are built page by page are the tables that SQLite builds from the same rows.
@Suite struct TableTreeWriterTests {
  static let columns = ["VARCHAR", "INTEGER", "FLOAT", "TIMESTAMP", "BLOB", "DECIMAL"]

  /// The table as SQL.
  static let declaration =
    "CREATE TABLE t (k INTEGER PRIMARY KEY, "
    + columns.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ") + ")"

  /// An empty database with a table of every affinity.
  static func makeDatabase(at path: String, pageBytes: Int, isAutoVacuum: Bool) throws -> UInt32 {
    let connection = try Connection(path: path, mode: .create, isSynced: false)
    try connection.execute("PRAGMA page_size = \(pageBytes)")
    try connection.execute("PRAGMA auto_vacuum = \(isAutoVacuum ? 2 : 0)")
    try connection.execute("CREATE TABLE before (a)")
    try connection.execute(declaration)
    try connection.execute("CREATE TABLE after (a)")
    try connection.execute("INSERT INTO after VALUES (zeroblob(9000))")
    return UInt32(
      try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 't'"))
  }

  /// Appends rows to the table page by page.
  ///
  /// - Parameter interruptions: before these rows the writers are thrown away, after more rows than
  ///   the mark tells, and others continue at the mark.
  /// - Returns: the digest of what was written.
  @discardableResult
  static func write(
    _ rows: [(key: Int64, values: [Value])], to path: String, root: UInt32,
    interruptions: Set<Int> = []
  ) throws -> PageDigest {
    var file = try PageFileWriter(path: path)
    var table = TableTreeWriter(file, root: root)
    for (number, row) in rows.enumerated() {
      if interruptions.contains(number) {
        let mark = try file.mark([table])
        for lost in rows[number...].prefix(100) { try append(lost, to: table) }
        file = try PageFileWriter(path: path, at: WriterMark(bytes: mark.bytes))
        table = try TableTreeWriter(continuing: file, root: root)
      }
      try append(row, to: table)
    }
    try table.finish()
    try file.finish()
    return table.digest
  }

  private static let affinities = columns.map { Affinity(declaredType: $0) }

  private static func append(_ row: (key: Int64, values: [Value]), to table: TableTreeWriter) throws
  {
    var batch = RowBatch(columnCount: columns.count)
    batch.begin(key: row.key)
    for value in row.values { batch.append(value) }
    var images = [CellImage.null]
    try batch.forEachCell { _, column, cell in
      images.append(try #require(affinities[column].image(of: cell)))
    } afterwards: {
      try images.withUnsafeBufferPointer { try table.append(key: row.key, $0) }
    }
  }

  /// Appends the same rows by SQLite.
  static func insert(_ rows: [(key: Int64, values: [Value])], into path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite, isSynced: false)
    let places = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    let insert = try connection.prepare("INSERT INTO t VALUES (\(places))")
    try connection.transaction {
      for row in rows {
        try insert.bind([.integer(row.key)] + row.values)
        try insert.run()
      }
    }
  }

  static let seed = RandomSeed.told(for: "TableTreeWriterTests")
  /// How many random databases of each kind there are.
  static let rounds = TestVolume.rounds(7)

  /// Holds the pages of the table against those that SQLite makes when the rows are appended in order.
  static func expectSameTree(_ path: String, as made: String, root: UInt32, pageBytes: Int) throws {
    let pictures = try [path, made].map { path in
      try TreePicture(path: path, root: root, pageBytes: pageBytes)
    }
    pictures[0].expectTable(pictures[1])
  }

  /// Holds the database against the one that SQLite made, and uses both as any other.
  static func expectSame(_ path: String, as made: String, rowCount: Int) throws {
    let connection = try Connection(path: path, mode: .readWrite, isSynced: false)
    try connection.attach(made, as: "made", mode: .readWrite)
    try expectSound(connection, after: "writing")
    #expect(try connection.integer("SELECT count(*) FROM main.t") == Int64(rowCount))

    // The result is a database like any other.
    for schema in ["main", "made"] {
      try connection.execute("DELETE FROM \(schema).t WHERE k % 3 = 0")
    }
    try expectSound(connection, after: "deleting")
    for schema in ["main", "made"] {
      try connection.execute(
        "UPDATE \(schema).t SET c0 = c0 || 'longer', c4 = zeroblob(k % 700)")
    }
    try expectSound(connection, after: "changing")
    try connection.execute("PRAGMA main.incremental_vacuum")
    try expectSound(connection, after: "giving room back")
    try connection.vacuum()
    try expectSound(connection, after: "rebuilding")
  }

  private static func expectSound(_ connection: Connection, after change: String) throws {
    #expect(try connection.rows("PRAGMA main.integrity_check") == [["ok"]], "after \(change)")
    #expect(try connection.differences(from: "made") == [], "after \(change)")
  }

  @Test(arguments: ReadingTests.Layout.all)
  func `random rows make the table that SQLite makes`(layout: ReadingTests.Layout) throws {
    let (pageBytes, isAutoVacuum) = (layout.pageBytes, layout.isAutoVacuum)
    var random = layout.random(Self.seed)
    for _ in 0..<Self.rounds {
      let folder = try TemporaryDirectory()
      let paths = (written: folder.path("written.db"), made: folder.path("made.db"))
      let root = try Self.makeDatabase(
        at: paths.written, pageBytes: pageBytes, isAutoVacuum: isAutoVacuum)
      _ = try Self.makeDatabase(at: paths.made, pageBytes: pageBytes, isAutoVacuum: isAutoVacuum)
      let rows = RandomRows(random: &random).rows
      try Self.write(rows, to: paths.written, root: root)
      try Self.insert(rows, into: paths.made)

      try Self.expectSameTree(paths.written, as: paths.made, root: root, pageBytes: pageBytes)
      try Self.expectSame(paths.written, as: paths.made, rowCount: rows.count)
    }
  }
}

extension TableTreeWriterTests {
  @Test(arguments: [512, 4_096, 65_536], [true, false])
  func `a table that was interrupted is the same to the byte`(
    pageBytes: Int, isAutoVacuum: Bool
  ) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(pageBytes) &+ (isAutoVacuum ? 3 : 2))
    for _ in 0..<Self.rounds {
      let folder = try TemporaryDirectory()
      let paths = (straight: folder.path("straight.db"), interrupted: folder.path("interrupted.db"))
      let rows = RandomRows(random: &random).rows
      for path in [paths.straight, paths.interrupted] {
        let root = try Self.makeDatabase(
          at: path, pageBytes: pageBytes, isAutoVacuum: isAutoVacuum)
        let isStraight = path == paths.straight
        let places = (0..<5).map { _ in Int.random(in: 0...rows.count, using: &random) }
        try Self.write(rows, to: path, root: root, interruptions: isStraight ? [] : Set(places))
      }
      let connection = try Connection(path: paths.interrupted, mode: .readOnly)
      #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
      let pages = try [paths.straight, paths.interrupted].map { path in
        try #require(FileSystem().contents(path))
      }
      #expect(pages[0] == pages[1])
    }
  }
}

extension TableTreeWriterTests {
  @Test(arguments: [512, 4_096, 65_536])
  func `what is read again has the digest of what was written`(pageBytes: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(pageBytes) &+ 4)
    for _ in 0..<Self.rounds {
      let folder = try TemporaryDirectory()
      let path = folder.path("written.db")
      let root = try Self.makeDatabase(at: path, pageBytes: pageBytes, isAutoVacuum: true)
      let rows = RandomRows(random: &random).rows
      let places = (0..<3).map { _ in Int.random(in: 0...rows.count, using: &random) }
      let written = try Self.write(rows, to: path, root: root, interruptions: Set(places))
      #expect(written.rowCount == Int64(rows.count))
      func read() throws -> PageDigest {
        try TableSweep(
          PageReader(path: path), root: root, columnCount: Self.columns.count + 1
        ).digest()
      }
      #expect(try read() == written)
      guard !rows.isEmpty else { continue }
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE t SET c4 = x'00112233445566778899' WHERE k = (SELECT max(k) FROM t)")
      #expect(try read() != written)
    }
  }

  /// Continues at a mark, and ends the table.
  private static func end(
    _ rows: some Sequence<(key: Int64, values: [Value])>, _ path: String, root: UInt32,
    at mark: [UInt8]
  ) throws {
    let file = try PageFileWriter(path: path, at: WriterMark(bytes: mark))
    let table = try TableTreeWriter(continuing: file, root: root)
    for row in rows { try append(row, to: table) }
    try table.finish()
    try file.finish()
  }

  /// A mark comes from a file: no number and no page in it is trusted so far that a writer traps, or
  /// touches memory that is not its own.
  @Test(arguments: [Int64.max, 0xFFFF, 1, 0, -1])
  func `a mark with another number is refused, or ends in another table`(number: Int64) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("written.db")
    let root = try Self.makeDatabase(at: path, pageBytes: 512, isAutoVacuum: true)
    let rows = (1...900).map { (key: Int64) -> (key: Int64, values: [Value]) in
      let text = String(repeating: "long", count: key % 90 == 0 ? 300 : 1)
      return (key, [.text(text)] + Self.columns.dropFirst().map { _ in Value.integer(7) })
    }
    let file = try PageFileWriter(path: path)
    let table = TableTreeWriter(file, root: root)
    for row in rows.prefix(810) { try Self.append(row, to: table) }
    let mark = try file.mark([table]).bytes
    let written = try #require(folder.contents("written.db"))
    var refused = 0
    for place in stride(from: 0, to: mark.count - 7, by: 8) {
      try folder.write(written, to: "written.db")
      var other = mark
      let bytes = withUnsafeBytes(of: number.littleEndian) { Array($0) }
      other.replaceSubrange(place..<place + 8, with: bytes)
      do {
        try Self.end(rows.dropFirst(810), path, root: root, at: other)
      } catch {
        if error is UnreadableMark { refused += 1 }
      }
    }
    #expect(refused > 10)
    try folder.write(written, to: "written.db")
    try Self.end(rows.dropFirst(810), path, root: root, at: mark)
    let connection = try Connection(path: path, mode: .readOnly)
    #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try connection.integer("SELECT count(*) FROM t") == 900)
  }
}
