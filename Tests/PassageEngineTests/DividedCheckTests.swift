import Foundation
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Several threads accept a store only where SQLite's check of the whole does.
@Suite struct DividedCheckTests {
  private static let seed = RandomSeed.told(for: "DividedCheckTests")

  /// A database with trees of several levels, chains, an index whose inner entries have chains, and
  /// tables of a single page.
  private struct Database {
    let folder: TemporaryDirectory
    let path: String
    let pageBytes: Int

    init(pageBytes: Int, rows: Int = 2_000, isAutoVacuum: Bool = true) throws {
      folder = try TemporaryDirectory()
      path = folder.path("store.db")
      self.pageBytes = pageBytes
      let connection = try Connection(path: path, mode: .create, isSynced: false)
      try connection.execute("PRAGMA page_size = \(pageBytes)")
      try connection.execute("PRAGMA auto_vacuum = \(isAutoVacuum ? 2 : 0)")
      try connection.execute("CREATE TABLE many (key INTEGER PRIMARY KEY, text, long)")
      try connection.execute("CREATE TABLE pairs (a, b, PRIMARY KEY (a, b))")
      try connection.execute("CREATE TABLE few (key INTEGER PRIMARY KEY, text)")
      let rows = max(rows, pageBytes)
      try connection.execute(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(rows))
        INSERT INTO many SELECT n * 3, printf('%07d', n * 7919 % 100003),
          iif(n % 9, NULL, hex(zeroblob(n % \(pageBytes)))) FROM number
        """)
      try connection.execute("INSERT INTO pairs SELECT key % 991, key FROM many ORDER BY 1, 2")
      try connection.execute("INSERT INTO few VALUES (1, 'x'), (2, 'y')")
      try connection.execute("CREATE INDEX many_text ON many (text)")
      try connection.execute("CREATE INDEX many_long ON many (long, key) WHERE long IS NOT NULL")
      try connection.vacuum()
    }

    var bytes: [UInt8] {
      get throws { try Array(Data(contentsOf: URL(filePath: path))) }
    }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    /// The root page of a table or an index.
    func root(_ name: String) throws -> Int {
      try Int(
        Connection(path: path, mode: .readOnly).integer(
          "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)]))
    }

    /// Whether SQLite accepts the whole.
    var isSound: Bool {
      get throws {
        let connection = try Connection(path: path, mode: .readOnly)
        do throws(SQLiteError) {
          return try connection.value("PRAGMA quick_check(1)") == .text("ok")
        } catch {
          guard error.isDamage else { throw error }
          return false
        }
      }
    }

    /// What several threads say; `nil` where they leave it to the check of the whole.
    func verdict(threadCount: Int) throws -> Bool? {
      try DividedCheck.verdict(
        path: path, threadCount: threadCount, fewestPages: 1, control: RunControl())
    }
  }

  @Test(arguments: [512, 1_024, 4_096, 65_536], [true, false])
  func `threads accept a sound database`(pageBytes: Int, isAutoVacuum: Bool) throws {
    let database = try Database(pageBytes: pageBytes, isAutoVacuum: isAutoVacuum)
    #expect(try database.isSound)
    for threadCount in [2, 3, 8] {
      #expect(try database.verdict(threadCount: threadCount) == true)
    }
  }

  @Test func `one thread and a small database are left to the check of the whole`() throws {
    let database = try Database(pageBytes: 1_024)
    #expect(try database.verdict(threadCount: 1) == nil)
    #expect(
      try DividedCheck.verdict(path: database.path, threadCount: 2, control: RunControl()) == nil)
  }

  @Test func `a large database is divided, and its check can be cancelled`() throws {
    let database = try Database(pageBytes: 512, rows: 400_000)
    #expect(
      try DividedCheck.verdict(path: database.path, threadCount: 2, control: RunControl()) == true)
    let cancelled = RunControl()
    cancelled.cancel()
    let error = #expect(throws: SQLiteError.self) {
      try DividedCheck.verdict(path: database.path, threadCount: 2, control: cancelled)
    }
    #expect(error?.isInterrupt == true)
  }

  // MARK: What is wrong between parts

  /// The children of a page, with the places of their numbers.
  private func children(_ bytes: [UInt8], _ page: Int, _ pageBytes: Int) -> [(
    place: Int, page: Int
  )] {
    let start = (page - 1) * pageBytes
    let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    var found: [(place: Int, page: Int)] = []
    for index in 0...count {
      let offset = start + 12 + 2 * index
      let place =
        index == count ? start + 8 : start + (Int(bytes[offset]) << 8 | Int(bytes[offset + 1]))
      found.append((place, Int(number(bytes, at: place))))
    }
    return found
  }

  private func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func set(_ number: Int, _ bytes: inout [UInt8], at place: Int) {
    for index in 0..<4 {
      bytes[place + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index))
    }
  }

  /// Changes a database, and expects that no number of threads accepts it.
  private func expectDoubt(
    _ database: Database, _ change: (inout [UInt8]) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let sound = try database.bytes
    var bytes = sound
    try change(&bytes)
    try database.write(bytes)
    #expect(try !database.isSound, "SQLite accepts it", sourceLocation: sourceLocation)
    for threadCount in [2, 3, 8] {
      #expect(
        try database.verdict(threadCount: threadCount) != true, sourceLocation: sourceLocation)
    }
    try database.write(sound)
  }

  @Test(arguments: ["many", "many_text", "many_long", "sqlite_autoindex_pairs_1"], [true, false])
  func `a child that two parts have is not accepted`(name: String, isAutoVacuum: Bool) throws {
    let database = try Database(pageBytes: 512, rows: 5_000, isAutoVacuum: isAutoVacuum)
    let root = try database.root(name)
    let found = children(try database.bytes, root, 512)
    try #require(found.count >= 4)
    try expectDoubt(database) { set(found[0].page, &$0, at: found[found.count - 1].place) }
    try expectDoubt(database) { set(found[found.count - 1].page, &$0, at: found[1].place) }
  }

  @Test func `children in another order are not accepted`() throws {
    let database = try Database(pageBytes: 512, isAutoVacuum: false)
    let found = children(try database.bytes, try database.root("many"), 512)
    for (one, other) in [(0, found.count - 1), (0, 1), (found.count / 2 - 1, found.count / 2)] {
      try expectDoubt(database) {
        set(found[one].page, &$0, at: found[other].place)
        set(found[other].page, &$0, at: found[one].place)
      }
    }
  }

  @Test(arguments: [true, false])
  func `a page that another table has is not accepted`(isAutoVacuum: Bool) throws {
    let database = try Database(pageBytes: 512, isAutoVacuum: isAutoVacuum)
    let bytes = try database.bytes
    let many = children(bytes, try database.root("many"), 512)
    let text = children(bytes, try database.root("many_text"), 512)
    let pairs = children(bytes, try database.root("sqlite_autoindex_pairs_1"), 512)
    let few = try database.root("few")
    for child in [many[0], many[many.count - 1]] {
      try expectDoubt(database) { set(few, &$0, at: child.place) }
    }
    try expectDoubt(database) { set(pairs[1].page, &$0, at: text[text.count - 1].place) }
    try expectDoubt(database) { set(text[0].page, &$0, at: pairs[pairs.count - 1].place) }
  }

  /// The pages of trees above the leaves, with what leads from them to other pages.
  private func interiors(_ bytes: [UInt8], _ pageBytes: Int) -> [[(place: Int, page: Int)]] {
    (2...bytes.count / pageBytes).filter { [2, 5].contains(bytes[($0 - 1) * pageBytes]) }
      .map { children(bytes, $0, pageBytes) }
  }

  @Test func `a page that is used twice is not accepted where none is unused`() throws {
    let database = try Database(pageBytes: 512, rows: 5_000, isAutoVacuum: false)
    let bytes = try database.bytes
    let last = bytes.count / 512
    let kind = bytes[(last - 1) * 512]
    let all = interiors(bytes, 512).joined()
    let place = try #require(all.first { $0.page == last }).place
    // Of this part of the tree and of others, and of other trees.
    let alike = all.filter { $0.page != last && bytes[($0.page - 1) * 512] == kind }
    try #require(alike.count > 20)
    for number in 0..<20 {
      try expectDoubt(database) {
        set(alike[number * alike.count / 20].page, &$0, at: place)
        $0.removeLast(512)
        set(last - 1, &$0, at: 28)
      }
    }
  }

  @Test func `depths that differ between parts are not accepted`() throws {
    let database = try Database(pageBytes: 512, isAutoVacuum: false)
    for name in ["many", "many_text", "sqlite_autoindex_pairs_1"] {
      let bytes = try database.bytes
      let found = children(bytes, try database.root(name), 512)
      let below = children(bytes, found[found.count - 1].page, 512)
      try expectDoubt(database) { set(below[0].page, &$0, at: found[found.count - 1].place) }
    }
  }

  @Test func `a page of nothing is not accepted`() throws {
    let database = try Database(pageBytes: 512)
    try expectDoubt(database) { bytes in
      let count = bytes.count / 512
      bytes += [UInt8](repeating: 0, count: 512)
      set(count + 1, &bytes, at: 28)
    }
  }

  @Test func `roots that are not noted are not accepted`() throws {
    let database = try Database(pageBytes: 512)
    let root = try database.root("many_text")
    try expectDoubt(database) { set(root - 1, &$0, at: 52) }
    try expectDoubt(database) { bytes in
      let map = (root - 2) / 103 * 103 + 2
      bytes[(map - 1) * 512 + 5 * (root - map - 1)] = 5
    }
  }

  @Test func `bytes between the cells of a root are not accepted`() throws {
    let database = try Database(pageBytes: 512)
    let root = try database.root("many")
    try expectDoubt(database) { $0[(root - 1) * 512 + 7] = 9 }
  }

  @Test func `a schema that SQLite does not understand is not accepted`() throws {
    let database = try Database(pageBytes: 512)
    let sql = Array("CREATE INDEX many_long".utf8)
    let bytes = try database.bytes
    let start = try #require(
      (0..<bytes.count - sql.count).first { Array(bytes[$0..<$0 + sql.count]) == sql })
    let end = try #require(bytes[start...].firstIndex(of: UInt8(ascii: ")")))
    try expectDoubt(database) { $0[end] = UInt8(ascii: " ") }
  }

  // MARK: Any damage

  @Test(arguments: [512, 4_096], [true, false])
  func `threads accept nothing that SQLite does not`(pageBytes: Int, isAutoVacuum: Bool) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(pageBytes))
    let database = try Database(pageBytes: pageBytes, isAutoVacuum: isAutoVacuum)
    let sound = try database.bytes
    let pageCount = sound.count / pageBytes
    var counts = (accepted: 0, refused: 0)
    for _ in 0..<60 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // The beginnings of pages, where their cells are told, matter most.
        let page = Int.random(in: 1..<pageCount, using: &random)
        let place =
          page * pageBytes
          + (random.chance(50)
            ? Int.random(in: 0..<24, using: &random)
            : Int.random(in: 0..<pageBytes - 4, using: &random))
        if random.chance(50) {
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        } else {
          set(Int.random(in: 1...pageCount, using: &random), &bytes, at: place)
        }
      }
      try database.write(bytes)
      let isSound = try database.isSound
      for threadCount in [2, 5] {
        let verdict = try database.verdict(threadCount: threadCount)
        if verdict == true { #expect(isSound) }
        if verdict == true { counts.accepted += 1 } else { counts.refused += 1 }
      }
    }
    #expect(counts.accepted > 0 && counts.refused > 0)
  }
}
