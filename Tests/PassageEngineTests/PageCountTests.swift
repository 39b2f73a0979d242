import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

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

  @Test func `a page that contradicts itself is left to SQLite, which refuses the store`() throws {
    let trial = try Self.trial()
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // The number of rows of the last leaf.
    let leaves = stride(from: 4_096, to: bytes.count, by: 4_096).filter { bytes[$0] == 13 }
    let page = try #require(leaves.last)
    bytes[page + 3] = 0xFF
    try trial.directory.write(bytes, to: "old.sqlite")
    let error = try trial.failure()
    #expect(error.kind == .sourceDamaged)
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
