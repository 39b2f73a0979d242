import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Indexes that are sorted and built page by page are the indexes that SQLite makes of the same
/// rows.
@Suite struct IndexBuilderTests {
  static let seed = RandomSeed.told(for: "IndexBuilderTests")
  /// How many random databases of each kind there are.
  static let rounds = TestVolume.rounds(4)

  @Test(arguments: ReadingTests.Layout.all)
  func `random rows make the indexes that SQLite makes`(layout: ReadingTests.Layout) throws {
    var random = layout.random(Self.seed)
    for _ in 0..<Self.rounds {
      let seed = random.next()
      var content = RandomIndexes(seed: seed)
      let database = IndexedDatabase(
        folder: try TemporaryDirectory(), pageBytes: layout.pageBytes,
        isAutoVacuum: layout.isAutoVacuum, indexes: content.indexes(),
        rows: content.rows([RandomRows.count(&random)]))
      // From a few runs for each page to everything in memory.
      try database.checkAll(
        memory: random.pick([1, 30_000, 200_000, 16 << 20]), helpers: random.pick([0, 1, 3]),
        sweeps: random.chance(50))
    }
  }

  /// A database with an index over integers, one over pairs, and two over any values.
  static func database(
    rows count: Int, pageBytes: Int = 4_096, isAutoVacuum: Bool = true, seed: UInt64
  ) throws -> IndexedDatabase {
    var random = SeededRandom(seed: seed)
    let rows = (0..<count).map { number -> (key: Int64, values: [Value]) in
      let few = Int64.random(in: -40...40, using: &random)
      let many = Int64.random(in: 0...Int64(count), using: &random)
      let values: [Value] = [
        random.chance(20) ? .null : .text("name \(many)"), .integer(many),
        .real(Double(many) / 8), random.chance(50) ? .null : .integer(few), .null,
        random.chance(1) ? .real(0.5) : .integer(few), .integer(few),
      ]
      return (Int64(number), values)
    }
    let places = [[1], [3, 1], [0], [6, 2, 3], [5], [3]]
    let indexes = places.enumerated().map { number, places in
      IndexFixture(
        name: "i\(number)", columns: places.map { ($0, isDescending: $0 == 3) })
    }
    return IndexedDatabase(
      folder: try TemporaryDirectory(), pageBytes: pageBytes, isAutoVacuum: isAutoVacuum,
      indexes: indexes, rows: rows)
  }

  @Test(
    arguments: [(512, true, 1), (4_096, true, 400_000), (4_096, false, 1 << 24)], [0, 1, 3])
  func `indexes of many rows are sorted in many runs or in memory`(
    form: (pageBytes: Int, isAutoVacuum: Bool, memory: Int), helpers: Int
  ) throws {
    let database = try Self.database(
      rows: TestVolume.rows(12_000), pageBytes: form.pageBytes, isAutoVacuum: form.isAutoVacuum,
      seed: Self.seed)
    try database.checkAll(memory: form.memory, helpers: helpers, sweeps: helpers != 1)
    // Everything in memory leaves no file.
    #expect(database.folder.names.contains("sort") == (form.memory < 1 << 24))
  }

  @Test func `any number of helpers makes the same bytes`() throws {
    let pages = try [0, 1, 2, 6].map { helpers in
      let database = try Self.database(rows: 6_000, seed: Self.seed)
      _ = try database.write(memory: 200_000, helpers: helpers)
      return try #require(database.folder.contents("written.db"))
    }
    #expect(pages[0].count > 100 * 4_096)
    #expect(pages.allSatisfy { $0 == pages[0] })
  }

  /// Numbers that fit into 32 bits are sorted as such until the first other one comes.
  @Test(
    arguments: [-1, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 32, .min, .max - 1, .max] as [Int64],
    [1, 1 << 20])
  func `a number beyond 32 bits may come at any time`(extreme: Int64, memory: Int) throws {
    let count = TestVolume.rows(3_000)
    for place in [0, 1, count / 2, count - 1] {
      for isKey in [false, true] {
        let rows = (0..<count).map { number -> (key: Int64, values: [Value]) in
          let isExtreme = number == place
          let small = Int64(number * 7_919 % 1_009)
          let value = isExtreme && !isKey ? extreme : small
          let nulls = [Value](repeating: .null, count: 3)
          return (
            isExtreme && isKey ? extreme : Int64(number),
            [.null, .integer(value), .integer(small), number % 5 == 0 ? .null : .integer(value)]
              + nulls
          )
        }
        // A key may be that of a row already; rows come in the order of keys.
        let keys = Dictionary(rows.map { ($0.key, $0.values) }, uniquingKeysWith: { $1 })
        let database = IndexedDatabase(
          folder: try TemporaryDirectory(), pageBytes: 1_024, isAutoVacuum: true,
          indexes: [[1], [3], [1, 2], [2, 1], [3, -1]].enumerated().map { number, places in
            IndexFixture(
              name: "i\(number)", columns: places.map { ($0, isDescending: $0 == 3) })
          }, rows: keys.sorted { $0.key < $1.key }.map { (key: $0.key, values: $0.value) })
        try database.checkAll(memory: memory, helpers: 0, sweeps: isKey)
      }
    }
  }

  /// The first pages belong to the last pointer-map page of the file before, and get their entries
  /// late, when many more such pages have been written.
  @Test(arguments: [5_000, 5_300, 5_600, 5_900])
  func `an index that is added to a file has every entry in its pointer map`(count: Int) throws {
    let rows = (0..<count).map { number -> (key: Int64, values: [Value]) in
      let nulls = [Value](repeating: .null, count: 6)
      return (Int64(number), [.text("a name \(number * 7_919 % 10_007)")] + nulls)
    }
    for length in [0, 8, 16, 24] {
      let longer = rows.map { row in
        let text = String(repeating: "x", count: length) + (row.values[0].string ?? "")
        return (key: row.key, values: [.text(text)] + row.values.dropFirst())
      }
      let database = IndexedDatabase(
        folder: try TemporaryDirectory(), pageBytes: 512, isAutoVacuum: true,
        indexes: [IndexFixture(name: "i", columns: [(0, false)])],
        rows: longer)
      _ = try database.write(memory: 1 << 24, sweeps: true)
      let connection = try Connection(path: database.written, mode: .readOnly)
      #expect(try connection.rows("PRAGMA integrity_check(3)") == [["ok"]], "\(length)")
    }
  }

  @Test func `every count of rows up to many pages makes a sound index`() throws {
    // Where a page is full with the last row, the next one must not be empty, on any level: four of
    // the long texts fill a page.
    let texts = (0..<150).map { Value.text(String(repeating: "x", count: 90) + "\(1_000 + $0)") }
    for count in 0...texts.count {
      let rows = (0..<count).map { number -> (key: Int64, values: [Value]) in
        let nulls = [Value](repeating: .null, count: 5)
        return (Int64(number), [texts[number], .integer(Int64(number))] + nulls)
      }
      let database = IndexedDatabase(
        folder: try TemporaryDirectory(), pageBytes: 512, isAutoVacuum: true,
        indexes: [
          IndexFixture(name: "texts", columns: [(0, false)]),
          IndexFixture(name: "numbers", columns: [(1, true)]),
        ], rows: rows)
      _ = try database.write(memory: 1 << 20)
      let connection = try Connection(path: database.written, mode: .readOnly)
      #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]], "\(count) rows")
    }
  }

  @Test func `equal entries of a unique index are told with their rows`() throws {
    let values: [[Value]] = [
      [1, "a"], [.null, "a"], [1, "a"], [2, "b"], [.null, "a"], [1, "a"], [2, "b"], [3, "b"],
    ]
    let rows = values.enumerated().map { number, value -> (key: Int64, values: [Value]) in
      (Int64(number), [value[1], value[0], .null, .null, .null, .null, .null])
    }
    let database = IndexedDatabase(
      folder: try TemporaryDirectory(), pageBytes: 4_096, isAutoVacuum: true,
      indexes: [
        IndexFixture(name: "numbers", columns: [(1, false)], isUnique: true),
        IndexFixture(name: "texts", columns: [(0, true)], isUnique: true),
        IndexFixture(name: "both", columns: [(1, true), (0, false)], isUnique: true),
        IndexFixture(name: "keys", columns: [(1, true), (-1, false)], isUnique: true),
        IndexFixture(name: "plain", columns: [(1, false)]),
      ], rows: rows)
    let duplicates = try database.write(memory: 1 << 20).map { found in
      found.pairs.map { [$0.first, $0.second] }
    }
    #expect(
      duplicates == [
        [[0, 2], [2, 5], [3, 6]],
        [[3, 6], [6, 7], [0, 1], [1, 2], [2, 4], [4, 5]],
        [[3, 6], [0, 2], [2, 5]],
        [], [],
      ])
  }

  @Test func `a bounded number of equal entries is told, and all are counted`() throws {
    let rows = 0..<1_000
    let database = IndexedDatabase(
      folder: try TemporaryDirectory(), pageBytes: 1_024, isAutoVacuum: true,
      indexes: [IndexFixture(name: "i", columns: [(1, false)], isUnique: true)],
      rows: rows.map { (key: Int64($0), values: [.null, 1, 1, 1, 1, 1, 1]) })
    let found = try #require(try database.write(memory: 1).first)
    #expect(found.count == 999)
    #expect(found.pairs.count == 100)
  }

  @Test func `a row that lacks the indexed column is an error`() throws {
    let memory = SortMemory(byteCount: 1 << 20) { throw PageDamage(page: 0, "is not there") }
    let builder = IndexBuilder(
      columns: [IndexColumn(position: 3)], isUnique: false, memory: memory)
    let error = #expect(throws: MissingColumn.self) {
      try [CellImage.null, .integer(7)].withUnsafeBufferPointer { try builder.add(key: 1, $0) }
    }
    #expect(error?.position == 3)
  }
}
