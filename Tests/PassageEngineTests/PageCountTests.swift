import Passage
import PassagePages
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import Testing

@testable import PassageEngine

/// A large store's objects are counted by the headers of its pages.
@Suite struct PageCountTests {
  /// A store of more than 4 MiB.
  private static func trial() throws -> Trial {
    let source = Model("1", [Entity("Car", [.text("plate")])])
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    return try Trial(
      source, Model("2", [Entity("Car", [.number("age"), .text("plate")])]), [copy]
    ) { store in
      let text = String(repeating: "plate ", count: 300)
      for number in 1...2_500 { try store.insert("Car", ["plate": .text("\(number) \(text)")]) }
    }
  }

  private static func plannedCount(_ trial: Trial, _ lane: MigrationOptions.Lane) throws -> Int64 {
    var options = MigrationOptions()
    options.lane = lane
    return try trial.migration(
      to: .file(trial.directory.path("new.sqlite")), options: options
    ).plan().objects
  }

  @Test func `pages and SQLite count alike, with rows that wait in the log`() throws {
    let trial = try Self.trial()
    #expect(try Self.plannedCount(trial, .page) == 2_500)
    // The connection stays open, so that the log is not checkpointed.
    let writer = try Connection(path: trial.sourcePath, mode: .readWrite)
    #expect(try writer.value("PRAGMA journal_mode = WAL") == .text("wal"))
    try writer.execute("DELETE FROM ZCAR WHERE Z_PK % 3 = 0")
    let remaining = try writer.integer("SELECT count(*) FROM ZCAR")
    #expect(try Self.plannedCount(trial, .page) == remaining)
    #expect(try Self.plannedCount(trial, .set) == remaining)
    let report = try trial.run()
    #expect(report.steps[0].mappings.map(\.read) == [remaining])
    #expect(report.steps[0].mappings.map(\.lane) == [.page])
    withExtendedLifetime(writer) {}
  }

  private static func recordedKeys(
    _ trial: Trial, numbered numbers: ClosedRange<Int64>
  ) throws -> [Int64: Int64]? {
    let store = try StoreFile.open(path: trial.sourcePath)
    return try PageCount(PageReader(path: trial.sourcePath), store, threadCount: 1)
      .recordedKeys(numbered: numbers)
  }

  /// Memory must not grow with them.
  @Test func `the keys that Z_PRIMARYKEY records of other numbers are left out`() throws {
    let trial = try Self.few()
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    try store.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT -3000 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT OR IGNORE INTO Z_PRIMARYKEY SELECT i, 'e', 0, i + 7 FROM n
      """)
    #expect(try Self.recordedKeys(trial, numbered: 0...2) == [0: 7, 1: 3, 2: 9])
    #expect(
      try Self.recordedKeys(trial, numbered: .min ... -2_999)
        == [-3_000: -2_993, -2_999: -2_992])
  }

  /// Its row ids are other numbers: https://www.sqlite.org/lang_createtable.html#rowid
  @Test func `a table whose key is none of SQLite's row ids is not read by pages`() throws {
    let trial = try Self.few()
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    try store.remake(
      "Z_PRIMARYKEY",
      by: "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY DESC, Z_NAME, Z_SUPER, Z_MAX)")
    #expect(try Self.recordedKeys(trial, numbered: 0...2) == nil)
    let statement = try #require(
      store.value("SELECT sql FROM sqlite_master WHERE name = 'ZCAR'")?.string)
    try store.remake(
      "ZCAR",
      by: statement.replacing(
        "Z_PK INTEGER PRIMARY KEY", with: "Z_PK INTEGER PRIMARY KEY DESC"))
    for lane in [MigrationOptions.Lane.page, .set, .row] {
      var options = MigrationOptions()
      options.lane = lane
      let error = try trial.failure(options: options)
      #expect(error.codes == ["STO-118"])
      #expect("\(error)".contains("integer primary key ZCAR.Z_PK"), "\(error)")
    }
  }

  /// A store of three cars.
  private static func few() throws -> Trial {
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    return try Trial(
      Model("1", [Entity("Car", [.text("plate")])]),
      Model("2", [Entity("Car", [.number("age"), .text("plate")])]), [copy], journalMode: .delete
    ) { store in
      for number in 1...3 { try store.insert("Car", ["plate": .text("\(number)")]) }
    }
  }

  @Test(arguments: [MigrationOptions.Lane.automatic, .page, .set, .row])
  func `a page that contradicts itself is left to SQLite, which refuses the store`(
    lane: MigrationOptions.Lane
  ) throws {
    var trial = try Self.trial()
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // The number of rows of the last leaf.
    let leaves = stride(from: 4_096, to: bytes.count, by: 4_096).filter { bytes[$0] == 13 }
    let page = try #require(leaves.last)
    bytes[page + 3] = 0xFF
    try trial.directory.write(bytes, to: "old.sqlite")
    trial.lane = lane
    let error = try trial.failure()
    #expect(error.kind == .sourceDamaged)
    #expect(
      error.diagnostics.all.map(\.reason)
        == ["ZCAR: page \(page / 4_096 + 1) claims more cells than it can hold"])
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
