import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// The persistent history names objects by entity number and key: it comes along where both stay.
@Suite struct HistoryTests {
  static let source = Model(
    "1", [Entity("Book", [.text("title")]), Entity("Page", [.number("number")])])

  static func trial(
    _ destination: Model, _ mappings: String,
    changes: [(number: Int64, key: Int64, kind: Int64)] = [(1, 1, 0), (1, 1, 1), (2, 1, 0)],
    form: HistoryFixture.Form = .current
  ) throws -> Trial {
    try Trial(source, destination, [mapping(mappings)]) { store in
      try store.insert("Book", ["title": "a"])
      try store.insert("Book", ["title": "b"])
      try store.insert("Page", ["number": 7])
      try HistoryFixture.write(changes, to: store, form: form)
      try HistoryFixture.writeAncillary(to: store)
    }
  }

  static let copies = """
    {"type": "copy", "source": "Book", "destination": "Book"},
    {"type": "copy", "source": "Page", "destination": "Page"}
    """

  static let pagesGrown = Model(
    "2", [Entity("Book", [.text("title")]), Entity("Page", [.number("number"), .text("text")])])

  private static func history(_ path: String) throws -> [[Value]] {
    let connection = try Connection(path: path, mode: .readOnly)
    return try connection.rows("SELECT * FROM ACHANGE ORDER BY 1")
      + connection.rows("SELECT * FROM ATRANSACTION ORDER BY 1")
      + connection.rows("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1")
      + connection.rows(
        "SELECT type, name, tbl_name FROM sqlite_master WHERE tbl_name GLOB 'A*' ORDER BY name")
  }

  @Test(arguments: HistoryFixture.Form.allCases, [false, true])
  func `history comes along where numbers and keys stay`(
    form: HistoryFixture.Form, isForcedToRows: Bool
  ) throws {
    let trial = try Self.trial(Self.pagesGrown, Self.copies, form: form)
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    let report = try trial.run(options: options)
    let path = trial.directory.path("new.sqlite")
    #expect(try Self.history(path) == Self.history(trial.sourcePath))
    #expect(report.warnings.all.map(\.code) == ["STO-301"])
    #expect(report.companions.history?.isCarriedOver == true)
    #expect(report.companions.history?.rows == (form == .current ? 6 : 4))
    let metadata = try StoreMetadata.read(path: path)
    #expect(metadata.ancillaryModelHashes?.key == HistoryFixture.ancillaryKey)
    #expect(
      metadata[HistoryFixture.ancillaryKey]
        == (try StoreMetadata.read(path: trial.sourcePath))[HistoryFixture.ancillaryKey])
  }

  @Test func `updates whose properties changed keep their masks, and that is said`() throws {
    let trial = try Self.trial(
      Self.pagesGrown, Self.copies, changes: [(1, 1, 1), (2, 1, 1), (2, 1, 1)])
    let report = try trial.run()
    #expect(report.warnings.all.map(\.code) == ["STO-301", "STO-303"])
    #expect(report.warnings.all.last?.reason == "“Page”: 2")
  }

  @Test func `history comes along in place and through several steps`() throws {
    let third = Model(
      "3",
      [
        Entity("Book", [.text("title"), .number("year")]),
        Entity("Page", [.number("number"), .text("text")]),
      ])
    let trial = try Trial(
      Self.source, third, between: [Self.pagesGrown],
      [
        mapping(Self.copies, named: "One"),
        mapping(Self.copies, named: "Two", from: "2", to: "3"),
      ]
    ) { store in
      try store.insert("Book", ["title": "a"])
      try HistoryFixture.write([(1, 1, 0)], to: store)
    }
    let before = try Self.history(trial.sourcePath)
    #expect(try trial.runInPlace().companions.history?.isCarriedOver == true)
    #expect(try Self.history(trial.sourcePath) == before)
  }

  @Test(
    arguments: [
      // An entity that sorts before the others gets their number.
      (
        Model(
          "2",
          [
            Entity("Author", [.text("name")]), Entity("Book", [.text("title")]),
            Entity("Page", [.number("number")]),
          ]), copies, "number"
      ),
      (
        Model("2", [Entity("Book", [.text("title")]), Entity("Page", [.text("text")])]),
        """
        {"type": "copy", "source": "Book", "destination": "Book"},
        {"type": "remove", "source": "Page"}
        """, "is not migrated"
      ),
      (
        Model("2", [Entity("Book", [.text("title"), .number("number")])]),
        """
        {"type": "transform", "source": "Page", "destination": "Book", "attributes": {"number": {}}},
        {"type": "transform", "source": "Book", "destination": "Book", "attributes": {"title": {}}}
        """, "new keys"
      ),
      (
        Model("2", [Entity("Book", [.text("title")]), Entity("Page", [.number("number")])]),
        """
        {"type": "copy", "source": "Book", "destination": "Book", "filter": "title = 'a'",
         "name": "A"},
        {"type": "copy", "source": "Book", "destination": "Book", "filter": "title != 'a'",
         "name": "B"},
        {"type": "copy", "source": "Page", "destination": "Page"}
        """, "several"
      ),
    ])
  func `history is left out and counted where a number or key changes`(
    destination: Model, mappings: String, word: String
  ) throws {
    let destination = Model(
      name: destination.name,
      entities: destination.entities.map { entity in
        var entity = entity
        entity.versionHashModifier = "2"
        return entity
      })
    let trial = try Self.trial(destination, mappings)
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    #expect(plan.companions.history?.isCarriedOver == false)
    #expect(plan.companions.history?.reason?.contains(word) == true)
    #expect(plan.warnings.contains { $0.code == "STO-302" })
    let report = try trial.run()
    #expect(report.warnings.all.map(\.code).contains("STO-302"))
    #expect(report.companions.history == plan.companions.history)
    #expect(report.companions.leftOut.map(\.rows) == [3, 1, 2])
    #expect(
      try StoreAudit(path: trial.directory.path("new.sqlite"), model: destination).findings == [])
  }

  @Test func `history is left out where that is asked for`() throws {
    let trial = try Self.trial(Self.pagesGrown, Self.copies)
    var options = MigrationOptions()
    options.companions.history = .leaveOut
    let report = try trial.run(options: options)
    #expect(report.warnings.all.map(\.code) == ["STO-302"])
    #expect(
      try StoreAudit(path: trial.directory.path("new.sqlite"), model: Self.pagesGrown).findings
        == [])
  }

  @Test func `an interrupted run carries the history over once`() throws {
    let trial = try Self.trial(Self.pagesGrown, Self.copies)
    let names = try Interruptions.anyBatches(of: trial, places: 5)
    let before = try Self.history(trial.sourcePath)
    for name in names { #expect(try Self.history(trial.directory.path(name)) == before) }
  }

  @Test func `a change of an entity number that no entity has leaves the history out`() throws {
    let trial = try Self.trial(Self.pagesGrown, Self.copies, changes: [(1, 1, 0), (99, 1, 0)])
    #expect(try trial.run().companions.history?.reason?.contains("99") == true)
  }

  @Test func `comparing two stores compares their history`() throws {
    let trial = try Self.trial(Self.pagesGrown, Self.copies)
    try trial.run()
    try trial.run(to: "other.sqlite")
    func compare() throws -> ComparisonReport {
      try StoreComparison(
        expected: StoreFile.open(path: trial.directory.path("new.sqlite")),
        found: StoreFile.open(path: trial.directory.path("other.sqlite")),
        model: Self.pagesGrown
      ).run()
    }
    #expect(try compare().isEqual)
    #expect(try compare().parts.map(\.name).contains("ACHANGE"))
    do {
      let other = try Connection(path: trial.directory.path("other.sqlite"), mode: .readWrite)
      try other.execute("UPDATE ACHANGE SET ZENTITYPK = 9 WHERE Z_PK = 2")
    }
    #expect(try compare().differences.map(\.properties) == [["ZENTITYPK"]])
    do {
      let other = try Connection(path: trial.directory.path("other.sqlite"), mode: .readWrite)
      try other.execute("DROP TABLE ACHANGE")
    }
    #expect(try compare().differences.map(\.name) == ["ACHANGE"])
    #expect(try compare().parts.first { $0.name == "ACHANGE" }?.expectedDigest == nil)
    #expect(try compare().differenceCount == 3)
  }
}
