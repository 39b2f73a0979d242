import Passage
import PassageEngine
import PassageFiles
import PassagePages
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The values that a large store loses are counted in its pages: as many as SQLite counts.
@Suite struct LargeLossTests {
  private static let rowCount = 24_000

  private static let source = Model(
    "1",
    [
      Entity("Folder", [.text("name")], [.many("notes", "Note", inverse: "folder")]),
      Entity(
        "Note",
        [
          .text("body"), .number("exact"), .number("middle"), .number("small"), .text("title"),
          .real("whole"),
        ], [.one("folder", "Folder", inverse: "notes")]),
      Entity("Memo", parent: "Note", [.text("voice"), .number("rating")]),
      Entity("Plain", [.text("kept"), .text("lost"), .number("wide")]),
    ])

  private static let destination = Model(
    "2",
    [
      Entity("Folder", [.text("name")]),
      Entity(
        "Note",
        [
          .real("exact"), Attribute(name: "middle", type: .integer32),
          Attribute(name: "small", type: .integer16), .text("title"), .number("whole"),
        ]),
      Entity("Memo", parent: "Note", [.number("rating")]),
      Entity("Plain", [.text("kept"), Attribute(name: "wide", type: .integer16)]),
    ])

  private static func mappings(filter: String) -> String {
    ["Folder", "Note", "Memo", "Plain"].map { name in
      let member = name == "Plain" && !filter.isEmpty ? #", "filter": "\#(filter)""# : ""
      return #"{"type": "copy", "source": "\#(name)", "destination": "\#(name)"\#(member)}"#
    }.joined(separator: ",")
  }

  /// Values at the limits of the types, of other types, on further pages, and none.
  private static let fill = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
    INSERT INTO ZNOTE
      (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZBODY, ZEXACT, ZMIDDLE, ZSMALL, ZTITLE, ZWHOLE, ZVOICE, ZRATING)
    SELECT i, 2 + (i % 3 > 1), 1, iif(i % 5, 1, NULL),
      CASE i % 997 WHEN 0 THEN hex(zeroblob(5000)) WHEN 1 THEN x'00' ELSE iif(i % 7, hex(i), NULL) END,
      CASE i % 6 WHEN 0 THEN 9007199254740992 + i % 3 WHEN 1 THEN -9007199254740993
        WHEN 2 THEN 9223372036854775807 - i % 2 WHEN 3 THEN i END,
      CASE i % 8 WHEN 0 THEN 2147483647 + i % 3 WHEN 1 THEN -2147483648 - i % 5 WHEN 2 THEN 1.5 + i
        WHEN 3 THEN 3e9 WHEN 4 THEN 'text' WHEN 5 THEN x'7F' WHEN 6 THEN i END,
      CASE i % 9 WHEN 0 THEN 32766 + i % 4 WHEN 1 THEN -32767 - i % 4 WHEN 2 THEN 32767.5
        WHEN 3 THEN -32768.5 WHEN 4 THEN 'text' WHEN 5 THEN i % 1000 WHEN 6 THEN 1e300 END,
      'note ' || i,
      CASE i % 7 WHEN 0 THEN 9.3e18 WHEN 1 THEN -9.3e18 WHEN 2 THEN 9223372036854775807 WHEN 3 THEN i
        WHEN 4 THEN 0.5 WHEN 5 THEN -9223372036854775808.0 END,
      iif(i % 3 > 1 AND i % 4, 'voice ' || hex(zeroblob(100)), NULL), iif(i % 3 > 1, i % 6, NULL)
    FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
    INSERT INTO ZPLAIN (Z_PK, Z_ENT, Z_OPT, ZKEPT, ZLOST, ZWIDE)
    SELECT i, 4, 1, iif(i % 500, hex(zeroblob(100)), 'É' || i), iif(i % 11, 'lost', NULL), i * 3 FROM n;
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'folder');
    """

  /// - Parameter isCountedBySQLite: the texts are stored in UTF-16, whose pages only SQLite reads.
  private func trial(filter: String = "", isCountedBySQLite: Bool = false) throws -> Trial {
    let trial = try Trial(
      Self.source, Self.destination, [mapping(Self.mappings(filter: filter))]
    ) { _ in }
    try fill(trial)
    if isCountedBySQLite {
      try TextRecoding.copy(
        trial.sourcePath, to: trial.directory.path("recoded.sqlite"), encoding: "UTF-16le")
      try FileSystem().rename(trial.directory.path("recoded.sqlite"), to: trial.sourcePath)
      #expect(throws: Unsoundness.self) { try PageReader(path: trial.sourcePath) }
    }
    return trial
  }

  private func fill(_ trial: Trial) throws {
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    for statement in Self.fill.split(separator: ";\n") {
      try connection.execute(String(statement))
    }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private static func told(_ report: MigrationReport) -> [String] {
    report.losses.map { "\($0.name) \($0.reason) \($0.count ?? -1)" }
  }

  @Test(arguments: [1, 2, 3])
  func `as many values are counted in pages as by SQLite`(_ threadCount: Int) throws {
    var options = MigrationOptions()
    options.limits.jobs = threadCount
    let trial = try trial()
    #expect(try #require(trial.directory.contents("old.sqlite")).count > 8 << 20)
    let told = Self.told(try trial.run(options: options))
    let bySQLite = try self.trial(isCountedBySQLite: true)
    #expect(told == Self.told(try bySQLite.run(options: options)))
    #expect(told.count == 14, "\(told)")
  }

  @Test(
    arguments: [
      ("wide > 30000", "ZWIDE > 30000"),
      (
        "wide > 300 AND wide <= 40000 AND kept BEGINSWITH '00'",
        "ZWIDE > 300 AND ZWIDE <= 40000 AND ZKEPT LIKE '00%'"
      ),
      ("kept == nil OR wide IN {3, 60000, 60003}", "ZWIDE IN (3, 60000, 60003)"),
      ("wide < 0", "ZWIDE < 0"),
      // The pages' own program leaves texts that are not ASCII undecided, and SQL has no such form.
      ("kept BEGINSWITH[cd] 'e'", "ZKEPT LIKE 'É%'"),
      // These can fail, and do not.
      ("kept LIKE '00*' AND wide > 30000", "ZKEPT LIKE '00%' AND ZWIDE > 30000"),
      ("kept MATCHES '0+' AND wide > 70000", "ZKEPT LIKE '00%' AND ZWIDE > 70000"),
    ], [(1, false), (2, false), (1, true)])
  func `what a filter leaves out is not lost`(
    _ filter: (text: String, sql: String), _ way: (threadCount: Int, isCountedBySQLite: Bool)
  ) throws {
    var options = MigrationOptions()
    options.limits.jobs = way.threadCount
    let trial = try trial(filter: filter.text, isCountedBySQLite: way.isCountedBySQLite)
    let losses = try trial.run(options: options).losses
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    for (property, test) in [("Plain.lost", "ZLOST IS NOT NULL"), ("Plain.wide", "ZWIDE > 32767")] {
      let count = try connection.integer(
        "SELECT count(*) FROM ZPLAIN WHERE \(test) AND (\(filter.sql))")
      #expect(losses.first { $0.name == property }?.count ?? 0 == count, "\(property)")
    }
  }

  @Test func `what one of two mappings takes is lost once`() throws {
    let trial = try Trial(
      Self.source, Self.destination,
      [
        mapping(
          Self.mappings(filter: "wide > 60000")
            + """
            , {"name": "Second", "type": "copy", "source": "Plain", "destination": "Plain",
              "filter": "wide < 9000 OR kept BEGINSWITH 'É'"}
            """)
      ]
    ) { _ in }
    try fill(trial)
    let losses = try trial.run().losses
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    let count = try connection.integer(
      """
      SELECT count(*) FROM ZPLAIN
      WHERE ZLOST IS NOT NULL AND (ZWIDE > 60000 OR ZWIDE < 9000 OR ZKEPT LIKE 'É%')
      """)
    #expect(losses.first { $0.name == "Plain.lost" }?.count == count)
  }

  @Test func `the counts are those that SQL gives`() throws {
    let trial = try trial()
    let report = try trial.run()
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    for (property, table, condition) in [
      ("Note.body", "ZNOTE", "Z_ENT = 2 AND ZBODY IS NOT NULL"),
      ("Memo.body", "ZNOTE", "Z_ENT = 3 AND ZBODY IS NOT NULL"),
      ("Memo.voice", "ZNOTE", "Z_ENT = 3 AND ZVOICE IS NOT NULL"),
      ("Note.folder", "ZNOTE", "Z_ENT = 2 AND ZFOLDER IS NOT NULL"),
      (
        "Note.exact", "ZNOTE",
        "Z_ENT = 2 AND (ZEXACT = -9007199254740993 OR ZEXACT > 9223372036854775000)"
      ),
      ("Plain.lost", "ZPLAIN", "ZLOST IS NOT NULL"),
      ("Plain.wide", "ZPLAIN", "ZWIDE > 32767"),
    ] {
      let count = try connection.integer("SELECT count(*) FROM \(table) WHERE \(condition)")
      #expect(count > 0)
      #expect(report.losses.first { $0.name == property }?.count == count, "\(property)")
    }
  }

  @Test func `values that must not be lost are refused before anything is written`() throws {
    let trial = try trial()
    var options = MigrationOptions()
    options.allowed.losses = .none
    let error = try trial.failure(options: options)
    #expect(error.codes == ["RUN-083"] && error.kind == .valuesLost)
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
