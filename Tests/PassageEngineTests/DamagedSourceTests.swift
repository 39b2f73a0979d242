import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// A source that can be opened and cannot be read to its end.
@Suite struct DamagedSourceTests {
  private static let copy =
    #"{"type": "copy", "source": "Note", "destination": "Note"}"#

  /// A store whose last objects are on a page that was overwritten.
  private func damagedTrial() throws -> Trial {
    func model(_ name: String) -> Model {
      Model(name, [Entity("Note", name == "1" ? [.text("text")] : [.text("text"), .text("more")])])
    }
    let trial = try Trial(model("1"), model("2"), [mapping(Self.copy)], journalMode: .delete) {
      for _ in 0..<400 {
        try $0.insert("Note", ["text": .text(String(repeating: "text ", count: 40))])
      }
    }
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    let pageBytes = Int(try connection.integer("PRAGMA page_size"))
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    let text = Array("text text ".utf8)
    let last = try #require(
      stride(from: bytes.count - pageBytes, to: 0, by: -pageBytes).first { start in
        bytes[start] == 13 && bytes[start..<start + pageBytes].suffix(text.count).starts(with: text)
      })
    for offset in last..<last + pageBytes { bytes[offset] = 0xFF }
    try trial.directory.write(bytes, to: "old.sqlite")
    return trial
  }

  @Test(arguments: [false, true])
  func `damage that a pass meets ends the migration, and nothing is left`(
    isForcedToRows: Bool
  ) throws {
    let trial = try damagedTrial()
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    options.limits.batch = BatchLimits(rows: 50)
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["STO-110"])
    #expect(failure.namesPage(of: "ZNOTE"), "\(failure)")
    #expect(failure.diskState == "the source is unchanged and nothing was left behind")
    #expect(trial.directory.names == ["old.sqlite"])
  }

  private func trial(
    notes: Int = 40, copy: String = Self.copy, children: [Entity] = []
  ) throws -> Trial {
    func model(_ name: String) -> Model {
      Model(
        name,
        [Entity("Note", name == "1" ? [.text("text")] : [.text("text"), .text("more")])] + children)
    }
    return try Trial(model("1"), model("2"), [mapping(copy)], journalMode: .delete) { store in
      for number in 0..<notes { try store.insert("Note", ["text": .text("\(number)")]) }
    }
  }

  @Test(arguments: [false, true], ["'text'", "99", "NULL"])
  func `a row that is of none of its table's entities is damage, not a bug`(
    isForcedToRows: Bool, number: String
  ) throws {
    let trial = try trial(children: [Entity("Memo", parent: "Note")])
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZNOTE SET Z_ENT = \(number) WHERE Z_PK = 7")
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["RUN-022"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  /// In a table of several entities, and in one of its own.
  @Test(arguments: [false, true])
  func `a row of an abstract entity is not left behind`(hasChild: Bool) throws {
    func model(_ name: String) -> Model {
      let more: [Attribute] = name == "1" ? [] : [.text("more")]
      return Model(
        name,
        [
          Entity("Base", isAbstract: true, [.text("text")] + more),
          Entity("Note", parent: hasChild ? "Base" : nil, [.text("more\(name)")]),
        ])
    }
    let copy = #"{"type": "copy", "source": "Note", "destination": "Note"}"#
    let trial = try Trial(model("1"), model("2"), [mapping(copy)]) { store in
      for _ in 1...3 { try store.insert("Note") }
    }
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      hasChild
        ? "UPDATE ZBASE SET Z_ENT = 1 WHERE Z_PK = 2"
        : "INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    for options in Trial.ways {
      let failure = try trial.failure(options: options)
      #expect(failure.codes == ["PLN-012"])
      #expect(failure.diagnostics.all[0].message.contains("“Base”"))
    }
  }

  @Test(arguments: [false, true])
  func `an index that lacks rows is damage, not a bug`(isForcedToRows: Bool) throws {
    let trial = try trial()
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    try connection.execute("CREATE INDEX Lacking ON ZNOTE (Z_ENT)")
    let page = try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'Lacking'")
    let pageBytes = try connection.integer("PRAGMA page_size")
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // The number of cells, https://www.sqlite.org/fileformat.html#b_tree_pages.
    let cells = Int((page - 1) * pageBytes) + 3
    try #require(bytes[cells..<cells + 2] == [0, 40])
    bytes[cells + 1] = 30
    try trial.directory.write(bytes, to: "old.sqlite")
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["RUN-034"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `a large value that its key does not lead to is damage, not a mistake of the mapping`()
    throws
  {
    func model(_ name: String) -> Model {
      let data = Attribute(name: "data", type: .binary)
      return Model(name, [Entity("Note", name == "1" ? [data] : [data, .text("more")])])
    }
    let trial = try Trial(model("1"), model("2"), [mapping(Self.copy)], journalMode: .delete) {
      for number in 0..<16 {
        try $0.insert("Note", ["data": .blob(Array(repeating: UInt8(number), count: 1_050_000))])
      }
    }
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    let page = try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE'")
    let start = Int(try (page - 1) * connection.integer("PRAGMA page_size"))
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // An inner page, whose cells are a page each and the largest key there: in order every row is met, and
    // the fourth by its key no more.
    try #require(bytes[start] == 5)
    let place = start + 12 + 2 * 3
    let cell = start + Int(bytes[place]) << 8 + Int(bytes[place + 1])
    try #require(bytes[cell + 4] == 4)
    bytes[cell + 4] = 3
    try trial.directory.write(bytes, to: "old.sqlite")
    var options = MigrationOptions()
    options.lane = .row
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["STO-110"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  /// Writes another key into one cell of the only page of a table.
  private func change(
    key cell: Int, to key: UInt8, ofTable table: String, in trial: Trial
  ) throws {
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    let page = try connection.integer(
      "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(table)])
    let start = Int(try (page - 1) * connection.integer("PRAGMA page_size"))
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // A leaf of a table: https://www.sqlite.org/fileformat.html#b_tree_pages. The key is after
    // the size of the row, each in one byte here.
    try #require(bytes[start] == 13)
    let pointer = start + 8 + 2 * cell
    let offset = Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1])
    try #require(bytes[start + offset + 1] == UInt8(cell + 1))
    bytes[start + offset + 1] = key
    try trial.directory.write(bytes, to: "old.sqlite")
  }

  @Test(
    arguments: [
      (.set, 50_000), (.set, 1), (.row, 50_000), (.row, 1), (.row, 40), (.page, 50_000), (.page, 1),
    ] as [(MigrationOptions.Lane, Int)],
    [(9, 9), (39, 0), (39, 7), (0, 60)] as [(Int, UInt8)])
  func `keys that are out of order or there twice are damage, and hold nothing up`(
    way: (lane: MigrationOptions.Lane, rows: Int), change: (cell: Int, key: UInt8)
  ) throws {
    let trial = try trial()
    try self.change(key: change.cell, to: change.key, ofTable: "ZNOTE", in: trial)
    var options = MigrationOptions()
    options.lane = way.lane
    options.limits.batch = BatchLimits(rows: way.rows)
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["STO-110"])
    #expect(failure.namesPage(of: "ZNOTE"), "\(failure)")
    #expect(failure.diskState == "the source is unchanged and nothing was left behind")
    #expect(trial.directory.names == ["old.sqlite"])
  }

  /// The end of one leaf leads to the beginning of the next, which SQLite does not compare with what was
  /// looked for.
  @Test(.timeLimit(.minutes(15)), arguments: [false, true])
  func `keys that go back from one leaf to the next are damage, and hold nothing up`(
    isForcedToRows: Bool
  ) throws {
    // Where nothing is made of the objects, no key that comes again is in anybody's way.
    let trial = try trial(
      notes: 2_000,
      copy: #"{"type": "copy", "source": "Note", "destination": "Note", "filter": "text == 'x'"}"#)
    let (pageBytes, root) = try {
      let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
      return (
        Int(try connection.integer("PRAGMA page_size")),
        Int(try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE'"))
      )
    }()
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    func number(_ place: Int, bytes count: Int) -> Int {
      bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    let interior = (root - 1) * pageBytes
    try #require(bytes[interior] == 5)
    // The first cells whose keys take two bytes.
    let index = try #require(
      (0..<number(interior + 3, bytes: 2) - 1).first {
        bytes[interior + number(interior + 12 + $0 * 2, bytes: 2) + 4] >= 0x80
      })
    func leaf(_ index: Int) -> Int {
      (number(interior + number(interior + 12 + index * 2, bytes: 2), bytes: 4) - 1) * pageBytes
    }
    // The key of a row stands behind its size, which takes one byte here.
    func key(_ leaf: Int, _ cell: Int) -> Int { leaf + number(leaf + 8 + cell * 2, bytes: 2) + 1 }
    let (first, second) = (leaf(index + 1), leaf(index + 2))
    let last = key(first, number(first + 3, bytes: 2) - 1)
    try #require(bytes[last] >= 0x80 && bytes[last + 1] > 0)
    bytes[last + 1] -= 1
    let start = key(first, 0)
    bytes.replaceSubrange(key(second, 0)..<key(second, 0) + 2, with: bytes[start..<start + 2])
    try trial.directory.write(bytes, to: "old.sqlite")
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    options.limits.batch = BatchLimits(rows: 1)
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(trial.directory.names == ["old.sqlite"])
  }

  /// Two mappings into one table shift its keys, and the second cannot.
  @Test func `a key that no object has is damage, not a bug`() throws {
    let trial = try Trial(
      Model("1", [Entity("Note", [.text("name")])]), Model("2", [Entity("Note", [.text("name")])]),
      [
        mapping(
          """
          {"type": "copy", "source": "Note", "destination": "Note", "name": "A"},
          {"type": "copy", "source": "Note", "destination": "Note", "name": "B"}
          """)
      ]
    ) { try $0.insert("Note", ["name": .text("a")]) }
    try Connection(path: trial.sourcePath, mode: .readWrite).execute("UPDATE ZNOTE SET Z_PK = -17")
    let failure = try trial.failure()
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["RUN-021"])
    #expect(
      failure.diagnostics.all.first?.reason
        == "-17 is less than 1, and another entity mapping writes to the same table")
  }

  @Test(arguments: [false, true], [Int64.min, .max])
  func `a key that leaves no room for a next one is damage`(isForcedToRows: Bool, key: Int64) throws
  {
    let trial = try trial()
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZNOTE SET Z_PK = \(key) WHERE Z_PK = 7")
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["RUN-021"])
    #expect(
      failure.diagnostics.all.first?.reason
        == (key == .min
          ? "\(key) is too small" : "\(key) is the largest number, and no larger key is left"))
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test(arguments: [
    ("INTEGER PRIMARY KEY", "INTEGER            "), ("INTEGER PRIMARY KEY", "INTEGES PRIMARY KEY"),
    ("Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER", "Z_PK INTEGER, Z_ENT INTEGER PRIMARY KEY"),
  ])
  func `a table whose Z_PK is not its key is damage`(declared: String, found: String) throws {
    let trial = try trial()
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    let table = try #require(bytes.firstRange(of: Array("CREATE TABLE ZNOTE".utf8)))
    let place = try #require(bytes[table.upperBound...].firstRange(of: Array(declared.utf8)))
    bytes.replaceSubrange(place, with: Array(found.utf8))
    try trial.directory.write(bytes, to: "old.sqlite")
    let failure = try trial.failure()
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["STO-118"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  private static func library() throws -> Trial {
    try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2,
      [
        try mapping(
          RelationshipTests.entities.map {
            #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
          }.joined(separator: ", "))
      ], journalMode: .delete, fill: RelationshipTests.fill)
  }

  /// The join table of tags and works.
  private static let tagTable = "Z_3WORKS"

  @Test(arguments: [
    ("'x'", "1"), ("1", "'x'"), ("NULL", "1"), ("1", "NULL"), ("x'01'", "x'02'"), ("'x'", "'y'"),
  ])
  func `a pair of a join table without a key is reported and left out, and no other is lost`(
    first: String, second: String
  ) throws {
    let sound = try Self.library()
    let expected = try sound.migrate().contents
    let trial = try Self.library()
    let table = Self.tagTable
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "INSERT INTO \(table) VALUES (\(first), \(second))")
    let (contents, report) = try trial.migrate()
    #expect(contents.differences(from: expected) == [])
    #expect(
      report.warnings.all.filter { $0.code == "RUN-024" }.map(\.message)
        == ["1 link of “Book.tags” leads to no object of the store"])
  }

  @Test func `pairs of fractional keys are copied as they are and hold nothing up`() throws {
    let trial = try Self.library()
    let table = Self.tagTable
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "INSERT INTO \(table) VALUES (1.5, 1), (1, 1.5), (1e300, 1), (-1e300, 2)")
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    try trial.run(options: options)
    let old = try Connection(path: trial.sourcePath, mode: .readOnly)
    let new = try Connection(path: trial.directory.path("new.sqlite"), mode: .readOnly)
    let rows = "SELECT * FROM \(table) ORDER BY 1, 2"
    #expect(try new.rows(rows) == old.rows(rows))
  }

  @Test func `pairs that are there twice become one`() throws {
    let trial = try Self.library()
    let table = Self.tagTable
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    try store.execute(
      "CREATE TABLE other AS SELECT * FROM \(table) UNION ALL SELECT * FROM \(table); "
        + "DROP TABLE \(table); CREATE TABLE \(table) (Z_3TAGS, Z_4WORKS1); "
        + "INSERT INTO \(table) SELECT * FROM other; DROP TABLE other")
    let expected = try Self.library().migrate().contents
    #expect(try trial.migrate().contents.differences(from: expected) == [])
  }

  @Test(arguments: [MigrationOptions.Lane.page, .set, .row])
  func `an index of a join table that lacks pairs is damage, and none is lost silently`(
    lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.library()
    let table = Self.tagTable
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    let count = try connection.integer("SELECT count(*) FROM \(table)")
    let page = try connection.integer(
      "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NULL",
      [.text(table)])
    let cells = Int((page - 1) * (try connection.integer("PRAGMA page_size"))) + 3
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    try #require(bytes[cells..<cells + 2] == [0, UInt8(count)])
    bytes[cells + 1] -= 1
    try trial.directory.write(bytes, to: "old.sqlite")
    var options = MigrationOptions()
    options.lane = lane
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["RUN-034"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  /// SQLite reports the damage once more when its read transaction ends.
  @Test(arguments: [MigrationOptions.Lane.automatic, .page, .set, .row])
  func `a join table that is another table is damage, and no pair is lost silently`(
    lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.library()
    let table = Self.tagTable
    // As many rows as pairs, so that only what the rows contain tells the tables apart.
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    let count = try connection.integer("SELECT count(*) FROM \(table)")
    try connection.execute(
      "DELETE FROM ZTAG WHERE Z_PK > \(count); WITH n(k) AS (SELECT 1 UNION ALL SELECT k + 1 "
        + "FROM n WHERE k < \(count)) INSERT OR IGNORE INTO ZTAG (Z_PK, Z_ENT, Z_OPT) "
        + "SELECT k, 3, 1 FROM n")
    try #require(try connection.integer("SELECT count(*) FROM ZTAG") == count)
    let pageBytes = Int(try connection.integer("PRAGMA page_size"))
    let starts = try [table, "ZTAG"].map { name in
      let page = try connection.integer(
        "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)])
      return (Int(page) - 1) * pageBytes
    }
    let bytes = try #require(trial.directory.contents("old.sqlite"))
    var swapped = bytes
    for (to, from) in zip(starts, starts.reversed()) {
      swapped.replaceSubrange(to..<to + pageBytes, with: bytes[from..<from + pageBytes])
    }
    try trial.directory.write(swapped, to: "old.sqlite")
    var options = MigrationOptions()
    options.lane = lane
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["RUN-034"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test(arguments: [MigrationOptions.Lane.page, .set, .row])
  func `a page of nonsense is damage, and not the doing of another program`(
    lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.library()
    let sound = try #require(trial.directory.contents("old.sqlite"))
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    let pageBytes = Int(try connection.integer("PRAGMA page_size"))
    var options = MigrationOptions()
    options.lane = lane
    for row in try connection.rows(
      "SELECT rootpage FROM sqlite_master WHERE tbl_name = ?", [.text(Self.tagTable)])
    {
      let start = (Int(try #require(row[0].integer)) - 1) * pageBytes
      var bytes = sound
      bytes.replaceSubrange(
        start..<start + pageBytes, with: Array(repeating: 0xFF, count: pageBytes))
      try trial.directory.write(bytes, to: "old.sqlite")
      let failure = try trial.failure(options: options)
      #expect(failure.kind == .sourceDamaged, "\(failure)")
    }
  }
}

extension MigrationError {
  /// Whether the reason begins with a table and the number of a page.
  fileprivate func namesPage(of table: String) -> Bool {
    diagnostics.all.contains { $0.reason?.wholeMatch(of: /(\w+): page \d+ .+/)?.1 == table[...] }
  }
}
