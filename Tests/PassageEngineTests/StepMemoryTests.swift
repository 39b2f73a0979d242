import Passage
import PassageEngine
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

/// However much is sorted, a step takes no more memory for it than is said.
@Suite struct StepMemoryTests {
  private static func model(_ name: String) -> Model {
    func indexed(_ name: String) -> Attribute {
      Attribute(name: name, type: .string, isIndexed: true)
    }
    return Model(
      name,
      [
        Entity(
          "Book", [indexed("title"), indexed("place"), indexed("code")],
          [
            .many("readers", "Reader", inverse: "books"),
            .many("lenders", "Reader", inverse: "lent"),
          ]),
        Entity(
          "Reader", [indexed("name"), indexed("town")],
          [
            .many("books", "Book", inverse: "readers"),
            .many("lent", "Book", inverse: "lenders"),
          ]),
        Entity("Shelf", [indexed("name"), indexed("room")]),
      ])
  }

  /// Three tables with seven indexes of texts, and two join tables with an index each.
  ///
  /// - Parameter hasIndexes: whether the source has indexes over pairs, which are copied.
  private static func trial(hasIndexes: Bool, objectCount: Int64 = 3_000) throws -> Trial {
    let trial = try Trial(
      model("1"), model("2"),
      [
        try mapping(
          ["Book", "Reader", "Shelf"].map {
            #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
          }.joined(separator: ", "))
      ]
    ) { store in
      for name in ["Book", "Reader", "Shelf"] { try store.insert(name, [:]) }
    }
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    let joins = try store.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    #expect(joins.count == 2)
    let numbers = """
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(objectCount))
      """
    for (table, columns) in [
      ("ZBOOK", ["ZTITLE", "ZPLACE", "ZCODE"]), ("ZREADER", ["ZNAME", "ZTOWN"]),
      ("ZSHELF", ["ZNAME", "ZROOM"]),
    ] {
      let texts = columns.indices.map { "'\($0) ' || (i * 7919 % 3001) || hex(zeroblob(30))" }
      try store.execute(
        """
        \(numbers) INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, \(columns.joined(separator: ", ")))
        SELECT i, (SELECT Z_ENT FROM \(table)), 1, \(texts.joined(separator: ", ")) FROM n
        """)
    }
    try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(objectCount) WHERE Z_MAX > 0")
    for join in joins {
      let name = try #require(join[0].string)
      if !hasIndexes {
        // As very old stores have it: no primary key, no index.
        let columns = try store.rows("SELECT name FROM pragma_table_info(?)", [.text(name)])
          .compactMap { $0[0].string }
        try store.execute("DROP TABLE \(name)")
        try store.execute(
          "CREATE TABLE \(name) (\(columns.map { "\($0) INTEGER" }.joined(separator: ", ")))")
      }
      try store.execute(
        """
        \(numbers) INSERT INTO \(name)
        SELECT i, (i * 31 + j) % \(objectCount) + 1
        FROM n, (SELECT 1 AS j UNION SELECT 2 UNION SELECT 3 UNION SELECT 4)
        """)
    }
    return trial
  }

  @Test(arguments: [1, 2, 3, 7], [true, false])
  func `sorters stay within the memory of a step`(jobs: Int, hasIndexes: Bool) throws {
    let trial = try Self.trial(hasIndexes: hasIndexes)
    let meter = MemoryMeter()
    var memory = StepMemory()
    memory.pairBytes = 160 << 10
    memory.indexBytes = 256 << 10
    memory.meter = meter
    let report = try StepMemory.$allowed.withValue(memory) {
      try trial.run(options: .pages(jobs: jobs))
    }
    #expect(report.warnings.all.map(\.code) == [])
    let bound = jobs == 1 ? max(memory.indexBytes, memory.pairBytes) : 2 * memory.indexBytes
    // A sorter grows out of its first 64 kB before it leaves them.
    #expect(meter.peak <= bound + 2 * 65_536, "\(meter.peak) of \(bound)")
    // They have filled it.
    #expect(meter.peak > bound / 2, "\(meter.peak) of \(bound)")
    if jobs == 3 { try trial.expectSameAsInSets() }
  }

  @Test func `the sum is what the documentation says`() {
    #expect(StepMemory().mostBytes == 24 << 20)
  }
}
