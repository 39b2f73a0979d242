import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// The objects of a large table of several entities: they are counted in its pages, before a migration
/// and after it, and counted as SQLite counts them.
@Suite struct EntityCountTests {
  private static let rowCount = 30_000

  private static func model(_ name: String) -> Model {
    Model(
      name,
      (name == "2" ? [Entity("Earlier")] : []) + [
        Entity("Note", [.text("text")]), Entity("Recording", parent: "Note", [.number("seconds")]),
        Entity("Sketch", parent: "Note"),
      ])
  }

  private static let mappings = ["Note", "Recording", "Sketch"].map {
    #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
  }.joined(separator: ",")

  /// A store of more than 4 MiB with 5 MiB of rows: of two entities, and none of the third.
  ///
  /// - Parameter sql: changes it.
  private func trial(_ sql: String = "") throws -> Trial {
    let trial = try Trial(Self.model("1"), Self.model("2"), [mapping(Self.mappings)]) { _ in }
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rowCount))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSECONDS)
      SELECT i, 1 + (i % 3 > 1), 1, hex(zeroblob(80)), iif(i % 3 > 1, i, NULL) FROM n
      """)
    if !sql.isEmpty { try connection.execute(sql) }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return trial
  }

  @Test(arguments: [1, 2, 3], MigrationOptions.Lane.allCases)
  func `every object is counted, in every lane and by any number of threads`(
    _ threadCount: Int, _ lane: MigrationOptions.Lane
  ) throws {
    let trial = try trial()
    #expect(try #require(trial.directory.contents("old.sqlite")).count > 4 << 20)
    var options = MigrationOptions()
    options.lane = lane
    options.limits.jobs = threadCount
    let report = try trial.run(options: options)
    let read = report.steps[0].mappings.map(\.read)
    #expect(read == [20_000, 10_000, 0])
    #expect(report.steps[0].mappings.map(\.migrated) == read)
  }

  /// What is no number of the model's is a stranger; what SQLite takes for one of its numbers is none.
  @Test(
    arguments: [
      ("99", true), ("-1", true), ("130", true), ("70000", true), ("NULL", true),
      ("'text'", true), ("x'02'", true), ("2.5", true), ("'2'", false), ("2.0", false),
      ("3", false),
    ], [1, 2])
  func `rows of no entity are found as SQLite finds them`(
    _ number: (text: String, isStrange: Bool), _ threadCount: Int
  ) throws {
    let trial = try trial("UPDATE ZNOTE SET Z_ENT = \(number.text) WHERE Z_PK % 4000 = 5")
    var options = MigrationOptions()
    options.limits.jobs = threadCount
    let changed = Self.rowCount / 4_000 + 1
    if number.isStrange {
      let failure = try trial.failure(options: options)
      #expect(failure.kind == .sourceDamaged)
      #expect(failure.codes == ["RUN-022"])
      #expect("\(failure)".contains("\(changed) rows of ZNOTE belong"), "\(failure)")
      return
    }
    let counts = try Connection(path: trial.sourcePath, mode: .readOnly).rows(
      "SELECT count(*) FROM ZNOTE GROUP BY Z_ENT")
    let read = try trial.run(options: options).steps[0].mappings.map(\.read)
    #expect(read.filter { $0 > 0 } == counts.compactMap(\.first?.integer))
  }

  @Test(
    arguments: [
      "UPDATE ZNOTE SET Z_ENT = 3 WHERE Z_PK = 20001", "DELETE FROM ZNOTE WHERE Z_PK = 20001",
      "UPDATE ZNOTE SET Z_ENT = NULL WHERE Z_PK = 20001",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (50001, 2, 1, '')",
    ], [1, 2])
  func `a result with other objects than were made is not delivered`(
    _ sql: String, _ threadCount: Int
  ) throws {
    let trial = try trial()
    var options = MigrationOptions()
    options.limits.jobs = threadCount
    try trial.finishPass(options: options, then: sql)
    let failure = try trial.failure(options: options)
    #expect(failure.codes.contains("RUN-033"), "\(failure)")
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
