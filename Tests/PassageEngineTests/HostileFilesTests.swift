import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Stores made by hand that would hold a run up forever, or take all memory, if SQLite did what they
/// ask for.
@Suite struct HostileFilesTests {
  private static let copy =
    #"{"type": "copy", "source": "Note", "destination": "Note"}"#

  private static func model(_ name: String) -> Model {
    Model(name, [Entity("Note", name == "1" ? [.text("text")] : [.text("text"), .text("more")])])
  }

  /// Minutes for each row, inside one instruction of SQLite's virtual machine.
  private static let endless = "instr(zeroblob(900000000), zeroblob(450000000) || x'01')"

  private static func trial(_ statements: String) throws -> Trial {
    let trial = try Trial(model("1"), model("2"), [mapping(copy)], journalMode: .delete) { store in
      for number in 0..<40 { try store.insert("Note", ["text": .text("\(number)")]) }
    }
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(statements)
    return trial
  }

  /// What is computed at once, as long as ``endless`` in the file.
  private static func padded(_ expression: String) -> String {
    expression + String(repeating: " ", count: endless.utf8.count - expression.utf8.count)
  }

  private static let key = padded("abs(Z_PK)")

  /// A model's table with a generated column. To insert the rows computes it, so it is harmless here.
  private static let generated = """
    ALTER TABLE ZNOTE RENAME TO old;
    CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZTEXT VARCHAR GENERATED ALWAYS AS (\(key)) VIRTUAL);
    INSERT INTO ZNOTE SELECT Z_PK, Z_ENT, Z_OPT FROM old;
    DROP TABLE old;
    """

  /// Puts the endless expression into the file, in the place of one that is as long.
  private static func makeEndless(_ trial: Trial, instead expression: String) throws {
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    let (found, put) = (Array(expression.utf8), Array(endless.utf8))
    let start = try #require(
      bytes.indices.first { bytes[$0] == found[0] && bytes[$0...].starts(with: found) })
    bytes.replaceSubrange(start..<start + found.count, with: put)
    try trial.directory.write(bytes, to: "old.sqlite")
  }

  private static func generatedTrial() throws -> Trial {
    let trial = try trial(generated)
    try makeEndless(trial, instead: key)
    return trial
  }

  @Test(arguments: [false, true])
  func `a generated column of a model's table is refused before it is computed`(
    isForcedToRows: Bool
  ) throws {
    let trial = try Self.generatedTrial()
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["STO-170"])
    #expect(failure.description.contains("ZNOTE.ZTEXT"))
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `a generated column is refused by what selects, counts, packs and installs`() throws {
    let trial = try Self.generatedTrial()
    let store = try StoreFile.open(path: trial.sourcePath)
    func isRefused(_ body: () throws -> Void) {
      let error = #expect(throws: (any Error).self) { try body() }
      let kind = (error as? StoreError)?.kind
      let codes = (error as? MigrationError)?.codes
      #expect(kind == .generatedColumn || codes == ["STO-170"], "\(String(describing: error))")
    }
    isRefused {
      _ = try StoreSelection(
        of: store, model: trial.source, entity: "Note", filter: "text == 'a'", now: 0)
    }
    isRefused { _ = try store.layout(of: trial.source) }
    isRefused {
      _ = try StorePacking(
        storePath: trial.sourcePath, outputPath: trial.directory.path("packed.sqlite"),
        model: trial.source
      ).run(control: RunControl())
    }
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test(arguments: BookkeepingTable.allCases)
  func `a generated column of Core Data's bookkeeping is refused when the store is opened`(
    table: BookkeepingTable
  ) throws {
    let trial = try Self.trial(
      "ALTER TABLE \(table.rawValue) ADD COLUMN x AS (\(Self.endless)) VIRTUAL")
    let error = #expect(throws: StoreError.self) { try StoreFile.open(path: trial.sourcePath) }
    #expect(error?.kind == .generatedColumn)
  }

  @Test func `a generated column that is stored is refused as well`() throws {
    let trial = try Self.trial(
      Self.generated.replacing("VIRTUAL", with: "STORED"))
    #expect(try trial.failure().codes == ["STO-170"])
  }

  /// What an app's own tables and indexes would compute, when the whole of the store is checked or
  /// rewritten. To insert the rows would compute it too: the expression is put into the file afterwards.
  @Test(arguments: [
    "CREATE TABLE own (a INTEGER PRIMARY KEY, b NOT NULL AS (\(harmless)) VIRTUAL)",
    "CREATE TABLE own (a INTEGER PRIMARY KEY, CHECK (\(harmless)))",
    "CREATE TABLE own (a INTEGER PRIMARY KEY); CREATE INDEX x ON own (\(harmless))",
    "CREATE TABLE own (a INTEGER PRIMARY KEY); CREATE INDEX x ON own (a) WHERE \(harmless)",
  ])
  func `a store with such tables of an app's own is checked and packed at once`(
    statements: String
  ) throws {
    let trial = try Self.trial(statements + "; INSERT INTO own (a) VALUES (1), (2)")
    try Self.makeEndless(trial, instead: Self.harmless)
    let store = try StoreFile.open(path: trial.sourcePath)
    #expect(try store.fullCheck() == [])
    #expect(try store.quickCheck() == [])
    let packed = trial.directory.path("packed.sqlite")
    let report = try StorePacking(
      storePath: trial.sourcePath, outputPath: packed, model: trial.source
    ).run(control: RunControl())
    #expect(report.outcome == .packed)
    #expect(report.entities.map(\.count) == [40])
  }

  /// As long as ``endless``.
  private static let harmless =
    "+abs(a)" + String(repeating: " ", count: endless.utf8.count - "+abs(a)".utf8.count)

  @Test func `two tables in the same pages are damage`() throws {
    let trial = try Safety.trial(journalMode: .delete)
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // The number of the root page follows the names in the schema's record.
    let roots = try ["ZPERSON", "ZCAR"].map { table in
      let names = Array("table\(table)\(table)".utf8)
      let place = try #require(
        bytes.indices.dropLast(names.count).first { bytes[$0...].starts(with: names) })
      return place + names.count
    }
    bytes[roots[1]] = bytes[roots[0]]
    try trial.directory.write(bytes, to: "old.sqlite")
    let error = try trial.failure()
    #expect(error.kind == .sourceDamaged)
    #expect("\(error)".contains("in the same pages"), "\(error)")
  }

  /// How a schema is read in which a table has too many indexes.
  enum Crowded: CaseIterable { case inFile, inLog, inUTF16 }

  @Test(arguments: Crowded.allCases)
  func `a table with more indexes than any program makes is damage`(place: Crowded) throws {
    let trial = try Trial(
      Self.model("1"), Self.model("2"), [mapping(Self.copy)],
      journalMode: place == .inLog ? .wal : .delete)
    let writer = try Connection(path: trial.sourcePath, mode: .readWrite)
    if place == .inLog { try writer.execute("PRAGMA wal_autocheckpoint = 0") }
    func addIndexes(_ numbers: ClosedRange<Int>) throws {
      try writer.transaction {
        for number in numbers { try writer.execute("CREATE INDEX i\(number) ON ZNOTE (Z_OPT)") }
      }
    }
    try addIndexes(1...50)
    _ = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    try addIndexes(51...2_001)
    if place == .inUTF16 {
      let other = trial.directory.path("other.sqlite")
      try TextRecoding.copy(trial.sourcePath, to: other, encoding: "UTF-16le")
      try FileSystem().rename(other, to: trial.sourcePath)
    }
    let error = try trial.failure()
    #expect(error.kind == .sourceDamaged)
    #expect("\(error)".contains("more than 2000 indexes of the table ZNOTE"), "\(error)")
    // A log is there as long as somebody has the store open.
    withExtendedLifetime(writer) {}
  }

  @Test func `views that multiply are never expanded`() throws {
    var statements = "CREATE VIEW v0 AS SELECT 1 AS x;"
    for number in 1...30 {
      let below = "v\(number - 1)"
      statements += "CREATE VIEW v\(number) AS SELECT a.x FROM \(below) a, \(below) b;"
    }
    let trial = try Self.trial(statements)
    var options = MigrationOptions()
    options.companions.otherTables = .leaveOut
    #expect(try trial.run(options: options).outcome == .migrated)
  }

  // MARK: Circles

  /// Pages of a table's interior whose cells all lead to the next such page: four levels give the number
  /// of cells to the fourth power, more than any file holds.
  @Test func `a table whose pages lead to the same pages again is damaged, whatever it counts`()
    throws
  {
    let trial = try Trial(
      Self.model("1"), Self.model("2"), [mapping(Self.copy)], journalMode: .delete
    ) { store in
      for number in 0..<3_000 {
        try store.insert("Note", ["text": .text(String(repeating: "\(number) ", count: 40))])
      }
    }
    let (pageBytes, root) = try {
      let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
      return (
        Int(try connection.integer("PRAGMA page_size")),
        Int(try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE'"))
      )
    }()
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // https://www.sqlite.org/fileformat2.html, section 1.6: 5 is an interior page of a table; its
    // cells begin with the number of the page below, and the last such number is in its head.
    let start = (root - 1) * pageBytes
    try #require(bytes[start] == 5)
    let interior = Array(bytes[start..<start + pageBytes])
    let count = Int(interior[3]) << 8 | Int(interior[4])
    try #require(count > 50)
    func leading(to page: Int) -> [UInt8] {
      var copy = interior
      let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: page >> $0) }
      for index in 0..<count {
        let cell = Int(copy[12 + index * 2]) << 8 | Int(copy[13 + index * 2])
        copy.replaceSubrange(cell..<cell + 4, with: number)
      }
      copy.replaceSubrange(8..<12, with: number)
      return copy
    }
    let leaf = interior[8..<12].reduce(0) { $0 << 8 | Int($1) }
    let added = bytes.count / pageBytes + 1
    bytes.replaceSubrange(start..<start + pageBytes, with: leading(to: added))
    for level in 0..<3 { bytes += leading(to: level == 2 ? leaf : added + level + 1) }
    let pages = bytes.count / pageBytes
    bytes.replaceSubrange(
      28..<32, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: pages >> $0) })
    try trial.directory.write(bytes, to: "old.sqlite")
    let failure = try trial.failure()
    #expect(failure.kind == .sourceDamaged)
    #expect(trial.directory.names.filter { $0.hasSuffix(".passage") } == [])
    let store = try StoreFile.open(path: trial.sourcePath)
    let isDamage = { (error: any Error) in (error as? StoreError)?.kind == .damaged }
    #expect {
      try StoreComparison(expected: store, found: store, model: trial.source).run()
    } throws: {
      isDamage($0)
    }
    #expect {
      try StoreSelection(
        of: store, model: trial.source, entity: "Note", filter: "text CONTAINS 'x'", now: 0
      ).count()
    } throws: {
      isDamage($0)
    }
  }

  @Test(arguments: [1, 2, 3, 50])
  func `a join table whose index goes back and forth ends as damage, or with every link`(
    rows: Int
  ) throws {
    var note = Entity("Note", [.text("text")])
    note.relationships = [
      Relationship(
        name: "tags", destinationEntityName: "Tag", inverseName: "notes", maximumCount: 0)
    ]
    var tag = Entity("Tag", [.text("name")])
    tag.relationships = [
      Relationship(
        name: "notes", destinationEntityName: "Note", inverseName: "tags", maximumCount: 0)
    ]
    var newer = note
    newer.attributes.append(.text("more"))
    let trial = try Trial(
      Model("1", [note, tag]), Model("2", [newer, tag]),
      [
        mapping(Self.copy + #", {"type": "copy", "source": "Tag", "destination": "Tag"}"#)
      ], journalMode: .delete
    ) { store in
      let tag = try store.insert("Tag", ["name": "a"])
      for _ in 1...6 { try store.insert("Note", [:], ["tags": [tag]]) }
    }
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    let pageBytes = Int(try connection.integer("PRAGMA page_size"))
    let layout = try StoreFile.open(path: trial.sourcePath).layout(of: trial.source)
    let table = try #require(layout.joinTables.first)
    let indexes = try connection.rows(
      "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = ?",
      [.text(table.name)])
    try #require(!indexes.isEmpty)
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    for index in indexes {
      let start = Int(index[0].integer ?? 0) * pageBytes - pageBytes
      try #require(bytes[start] == 10)
      // The pointers to the cells: 1 2 3 4 5 6 become 1 2 5 3 4 6.
      let pointers = (0..<6).map { Array(bytes[start + 8 + $0 * 2..<start + 10 + $0 * 2]) }
      let order = [0, 1, 4, 2, 3, 5]
      for (place, from) in order.enumerated() {
        bytes.replaceSubrange(start + 8 + place * 2..<start + 10 + place * 2, with: pointers[from])
      }
    }
    try trial.directory.write(bytes, to: "old.sqlite")
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: rows)
    // Where a batch ends decides what is met of the order: what matters is that it ends, and that no
    // link is missing from what is put in place.
    switch Result(catching: { try trial.run(options: options) }) {
    case .success(let report):
      #expect(report.outcome == .migrated)
      let links = try Connection(path: trial.directory.path("new.sqlite"), mode: .readOnly)
        .integer("SELECT count(*) FROM \(table.name.quotedIdentifier)")
      #expect(links == 6)
    case .failure(let error):
      let kind = try #require(error as? MigrationError).kind
      #expect([.sourceDamaged, .verificationFailed].contains(kind), "\(error)")
    }
  }

  // MARK: Stopping

  @Test func `a statement ends when the work is asked to stop, whoever opened its connection`()
    throws
  {
    let control = RunControl(timeBudget: .milliseconds(1))
    let error = try #require(throws: SQLiteError.self) {
      try control.watching { _ in
        let connection = try Connection(path: "", mode: .create)
        _ = try connection.integer(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
      }
    }
    #expect(error.isInterrupt)
  }
}
