import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// A write-ahead log laid over the file gives what SQLite reads through the log.
@Suite struct ReadingLogTests {
  static let seed = RandomSeed.told(for: "ReadingLogTests")

  /// A database in WAL mode that is written to by random transactions.
  struct Writer {
    let folder: TemporaryDirectory
    let path: String
    let connection: Connection
    let table: SweptTable
    private var nextKey: Int64 = 1

    init(pageBytes: Int) throws {
      folder = try TemporaryDirectory()
      path = folder.path("store.db")
      let root = try TableTreeWriterTests.makeDatabase(
        at: path, pageBytes: pageBytes, isAutoVacuum: true)
      connection = try Connection(path: path, mode: .readWrite, isSynced: false)
      // Pages go to the log before their transaction ends.
      try connection.execute("PRAGMA cache_size = 5; PRAGMA cache_spill = 5")
      #expect(try connection.rows("PRAGMA journal_mode = WAL") == [["wal"]])
      try connection.execute("PRAGMA wal_autocheckpoint = 0")
      table = .random(at: path, logPath: path + "-wal", root: root)
    }

    /// Changes rows at random, inside a transaction.
    mutating func change(_ random: inout SeededRandom) throws {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        try connection.execute(
          "DELETE FROM t WHERE k % 7 = \(Int.random(in: 0..<7, using: &random))")
        try connection.execute("PRAGMA incremental_vacuum(3)")
      case 1:
        let text = String(repeating: "lang ", count: Int.random(in: 0...300, using: &random))
        try connection.execute("UPDATE t SET c0 = ? WHERE k % 5 = 1", [.text(text)])
      default:
        let count = Int64.random(in: 1...60, using: &random)
        try connection.execute(
          """
          WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
          INSERT INTO t SELECT i, 'row ' || i, i * 7, i * 0.25, i, zeroblob(i % 97), i / 3.0 FROM n
          """, [.integer(nextKey), .integer(nextKey + count)])
        nextKey += count + 1
      }
    }
  }

  @Test(arguments: [512, 1_024, 4_096, 65_536])
  func `transactions and checkpoints give SQLite's rows`(pageBytes: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(pageBytes))
    var writer = try Writer(pageBytes: pageBytes)
    for _ in 0..<40 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...5:
        try writer.connection.transaction {
          for _ in 0..<Int.random(in: 1...4, using: &random) { try writer.change(&random) }
        }
      case 6:
        try writer.connection.execute("BEGIN")
        for _ in 0..<8 { try writer.change(&random) }
        let reader = try Connection(path: writer.path, mode: .readOnly)
        // What a transaction has written to the log does not count before it ends.
        #expect(try writer.table.rows() == reader.sortedRows())
        try writer.connection.execute("ROLLBACK")
      default:
        let kind = random.pick(["PASSIVE", "FULL", "RESTART", "TRUNCATE"])
        _ = try writer.connection.rows("PRAGMA wal_checkpoint(\(kind))")
      }
      let rows = try writer.connection.sortedRows()
      #expect(try writer.table.rows() == rows)
      #expect(try writer.table.sweep().rowCount() == Int64(rows.count))
    }
  }

  /// Gives a log without faults, with frames of an older log behind its end.
  static func damagedLogs(
    _ pageBytes: Int, _ random: inout SeededRandom, count: Int,
    _ body: (_ folder: TemporaryDirectory, _ log: [UInt8], _ random: inout SeededRandom) throws ->
      Void
  ) throws {
    var writer = try Writer(pageBytes: pageBytes)
    for part in 0..<2 {
      for _ in 0..<(part == 0 ? 12 : 5) {
        try writer.connection.transaction { try writer.change(&random) }
      }
      if part == 0 { _ = try writer.connection.rows("PRAGMA wal_checkpoint(RESTART)") }
    }
    let log = try #require(writer.folder.contents("store.db-wal"))
    for _ in 0..<count { try body(writer.folder, log, &random) }
  }

  /// Puts a log beside a copy of the file and compares what both readers say.
  static func compare(_ folder: TemporaryDirectory, log: [UInt8]) throws {
    let other = try TemporaryDirectory()
    let path = try other.copy(folder.path("store.db"), to: "store.db")
    try other.write(log, to: "store.db-wal")
    let root = try Connection(path: path, mode: .immutable).rootPage()
    let table = SweptTable.random(at: path, logPath: path + "-wal", root: root)
    // SQLite comes second: it may change the log.
    let swept: [SweptTable.Row]
    do {
      swept = try table.rows()
    } catch is PageDamage {
      return
    } catch is Unsoundness {
      return
    }
    if let rows = try? Connection(path: path, mode: .readWrite).sortedRows() {
      #expect(swept == rows)
    }
  }

  @Test(arguments: [512, 4_096])
  func `a torn, stale or damaged log ends where it ends for SQLite`(pageBytes: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(pageBytes) &+ 7)
    let frameBytes = pageBytes + 24
    try Self.damagedLogs(pageBytes, &random, count: ReadingDamageTests.volume / 10) {
      folder, log, random in
      var log = log
      let frame =
        32 + Int.random(in: 0..<max(1, log.count / frameBytes), using: &random) * frameBytes
      switch Int.random(in: 0..<6, using: &random) {
      case 0: log.removeLast(Int.random(in: 0...log.count, using: &random))
      case 1:
        log[Int.random(in: 0..<32, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: log[frame + Int.random(in: 8..<16, using: &random)] &+= 1
      case 3: log[frame + Int.random(in: 16..<24, using: &random)] &+= 1
      case 4: log[frame + Int.random(in: 0..<8, using: &random)] &+= 1
      default: log[Int.random(in: 32..<log.count, using: &random)] &+= 1
      }
      try Self.compare(folder, log: log)
    }
  }

  @Test func `checksums may be counted in either order of bytes`() throws {
    var random = SeededRandom(seed: Self.seed)
    try Self.damagedLogs(1_024, &random, count: 1) { folder, log, _ in
      for isBigEndian in [false, true] {
        var log = LogBytes(bytes: log)
        log.seal(isBigEndian: isBigEndian)
        try Self.compare(folder, log: log.bytes)
        let table = SweptTable.random(
          at: folder.path("store.db"), logPath: try folder.write(log.bytes, to: "log"),
          root: try Connection(path: folder.path("store.db"), mode: .readOnly).rootPage())
        #expect(try table.sweep().reader.loggedPageCount > 5)
      }
    }
  }

  @Test func `a log of an unknown version or of other pages is not laid over`() throws {
    var random = SeededRandom(seed: Self.seed)
    try Self.damagedLogs(1_024, &random, count: 1) { folder, log, _ in
      var later = LogBytes(bytes: log)
      later.bytes[7] &+= 1
      later.seal(isBigEndian: false)
      #expect(throws: Unsoundness.log("is of an unknown version")) {
        _ = try PageReader(
          path: folder.path("store.db"), logPath: folder.write(later.bytes, to: "later"))
      }
      let small = try Writer(pageBytes: 512)
      try small.connection.execute("INSERT INTO t(k) VALUES (1)")
      #expect(throws: Unsoundness.self) {
        _ = try PageReader(path: folder.path("store.db"), logPath: small.path + "-wal")
      }
    }
  }

  @Test func `a log that claims more pages than it and the file have is not laid over`() throws {
    var random = SeededRandom(seed: Self.seed)
    try Self.damagedLogs(1_024, &random, count: 1) { folder, log, _ in
      var large = LogBytes(bytes: log)
      large.claim(pages: 1 << 28)
      large.seal(isBigEndian: false)
      let logPath = try folder.write(large.bytes, to: "large")
      let error = #expect(throws: Unsoundness.self) {
        _ = try PageReader(path: folder.path("store.db"), logPath: logPath)
      }
      guard case .log(let problem)? = error else {
        Issue.record("it was refused for another reason: \(String(describing: error))")
        return
      }
      #expect(problem.hasPrefix("claims 268435456 pages"))
    }
  }

  @Test func `a log that waits beside a file with a rollback journal is not laid over`() throws {
    let writer = try Writer(pageBytes: 1_024)
    try writer.connection.execute("INSERT INTO t(k) VALUES (1)")
    let folder = try TemporaryDirectory()
    let path = folder.path("plain.db")
    _ = try TableTreeWriterTests.makeDatabase(at: path, pageBytes: 1_024, isAutoVacuum: false)
    #expect(throws: Unsoundness.log("has frames, but the database is not in WAL mode")) {
      _ = try PageReader(path: path, logPath: writer.path + "-wal")
    }
  }

  @Test func `a reader says whether something was written since it was made`() throws {
    var random = SeededRandom(seed: Self.seed)
    var writer = try Writer(pageBytes: 4_096)
    func reader() throws -> PageReader {
      try PageReader(path: writer.path, logPath: writer.path + "-wal")
    }
    for step in 0..<20 {
      let before = try reader()
      #expect(try before.isCurrent())
      if step % 4 == 3 { _ = try writer.connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") }
      try writer.connection.transaction { try writer.change(&random) }
      try writer.connection.execute("INSERT INTO after VALUES (\(step))")
      #expect(try !before.isCurrent())
    }
    #expect(try writer.connection.rows("PRAGMA journal_mode = DELETE") == [["delete"]])
    let before = try reader()
    #expect(try before.isCurrent())
    try writer.connection.execute("INSERT INTO after VALUES (99)")
    #expect(try !before.isCurrent())
  }

  #if os(Linux)
    @Test(arguments: ["DELETE", "WAL"])
    func `reading leaves SQLite its locks`(mode: String) throws {
      var random = SeededRandom(seed: Self.seed)
      var writer = try Writer(pageBytes: 1_024)
      try writer.connection.transaction { for _ in 0..<9 { try writer.change(&random) } }
      _ = try writer.connection.rows("PRAGMA journal_mode = \(mode)")
      let file = try FileSystem.status(writer.path)
      /// What the system tells of this process's locks on the file. Its list of all locks changes while it is
      /// read.
      func locks() throws -> Int {
        try (0..<1_024).reduce(0) { count, descriptor in
          guard let open = try? FileSystem.status("/proc/self/fd/\(descriptor)"),
            open.device == file.device, open.inode == file.inode
          else { return count }
          let told = String(
            decoding: try FileSystem.prefix("/proc/self/fdinfo/\(descriptor)", count: 65_536),
            as: UTF8.self)
          return count + told.split(separator: "\n").count { $0.hasPrefix("lock:") }
        }
      }
      let table = writer.table
      let sweep = try table.sweep()
      try writer.connection.execute("BEGIN")
      let rows = try writer.connection.sortedRows()
      let held = try locks()
      try #require(held > 0)
      #expect(try sweep.reader.isCurrent())
      #expect(try sweep.rowCount() == Int64(rows.count))
      while try sweep.next() { _ = try table.row(of: sweep) }
      #expect(try locks() == held)
      try writer.connection.execute("COMMIT")
    }
  #endif

  @Test func `frames that are written again are not taken for those of before`() throws {
    var random = SeededRandom(seed: Self.seed)
    var writer = try Writer(pageBytes: 1_024)
    for _ in 0..<10 { try writer.connection.transaction { try writer.change(&random) } }
    let sweep = try writer.table.sweep()
    #expect(try sweep.next())
    _ = try writer.connection.rows("PRAGMA wal_checkpoint(RESTART)")
    for _ in 0..<30 { try writer.connection.transaction { try writer.change(&random) } }
    sweep.restart()
    #expect(throws: Unsoundness.logChanged) { while try sweep.next() {} }
    // The walk does not go on behind the error.
    #expect(throws: Unsoundness.logChanged) { try sweep.next() }
  }
}

/// The bytes of a log, whose checksums can be made right again.
struct LogBytes {
  var bytes: [UInt8]

  private func word(_ offset: Int, isBigEndian: Bool) -> UInt32 {
    let four = bytes[offset..<offset + 4]
    return (isBigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func set(_ value: UInt32, at offset: Int) {
    for index in 0..<4 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
    }
  }

  /// Has every frame that ends a transaction say that the database has so many pages.
  mutating func claim(pages: UInt32) {
    let frameBytes = 24 + Int(word(8, isBigEndian: true))
    for frame in stride(from: 32, through: bytes.count - frameBytes, by: frameBytes)
    where word(frame + 4, isBigEndian: true) > 0 {
      set(pages, at: frame + 4)
    }
  }

  /// Makes the checksums of all frames that belong to the header.
  mutating func seal(isBigEndian: Bool) {
    bytes[3] = isBigEndian ? 0x83 : 0x82
    let pageBytes = Int(word(8, isBigEndian: true))
    var sums: (UInt32, UInt32) = (0, 0)
    func add(_ range: Range<Int>) {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        sums.0 &+= word(offset, isBigEndian: isBigEndian) &+ sums.1
        sums.1 &+= word(offset + 4, isBigEndian: isBigEndian) &+ sums.0
      }
    }
    add(0..<24)
    set(sums.0, at: 24)
    set(sums.1, at: 28)
    var frame = 32
    while frame + 24 + pageBytes <= bytes.count, bytes[frame + 8..<frame + 16] == bytes[16..<24] {
      add(frame..<frame + 8)
      add(frame + 24..<frame + 24 + pageBytes)
      set(sums.0, at: frame + 16)
      set(sums.1, at: frame + 20)
      frame += 24 + pageBytes
    }
  }
}
