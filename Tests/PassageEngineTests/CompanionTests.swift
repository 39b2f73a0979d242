import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import Testing

/// What a store holds beside the objects of its model is never dropped silently.
@Suite struct CompanionTests {
  private static func trial(_ statements: String) throws -> Trial {
    try Trial(
      Safety.source, Safety.destination, Safety.mappings()
    ) { store in
      try Safety.fill(store)
      try store.execute(statements)
    }
  }

  private static let cloudKit = """
    CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZENTITYID INTEGER, ZENTITYPK INTEGER );
    CREATE TABLE ANSCKMETADATAENTRY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );
    INSERT INTO ANSCKRECORDMETADATA VALUES (1, 17001, 1, 1, 1);
    INSERT INTO Z_PRIMARYKEY VALUES (17001, 'NSCKRecordMetadata', 0, 1)
    """

  @Test func `a store that CloudKit mirrors is refused before anything is written`() throws {
    let trial = try Self.trial(Self.cloudKit)
    let error = try trial.failure()
    #expect(error.kind == .wrongCall)
    #expect(error.codes == ["STO-304"])
    #expect(error.description.contains("ANSCKRECORDMETADATA (1 row)"))
    #expect(error.description.contains("--without-cloudkit"))
    #expect(trial.directory.names == ["old.sqlite"])
    #expect(throws: MigrationError.self) {
      try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    }
  }

  @Test func `the state of CloudKit is left out where that is asked for`() throws {
    let trial = try Self.trial(Self.cloudKit)
    var options = MigrationOptions()
    options.companions.cloudKit = .leaveOut
    let report = try trial.run(options: options)
    #expect(report.warnings.all.map(\.code) == ["STO-305"])
    #expect(
      report.companions.leftOut.map(\.name) == ["ANSCKRECORDMETADATA", "ANSCKMETADATAENTRY"])
    let path = trial.directory.path("new.sqlite")
    #expect(try Safety.version(path) == "2")
    let connection = try Connection(path: path, mode: .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == 0)
  }

  @Test(
    arguments: [
      ("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')", "notes (1 row)"),
      (
        "CREATE TABLE \"a \"\"b\" (x); INSERT INTO \"a \"\"b\" VALUES (1), (2)", "a \"b (2 rows)"
      ),
      ("CREATE VIRTUAL TABLE places USING rtree(id, low, high)", "table places"),
    ])
  func `tables that Core Data did not make are refused, and left out where that is asked for`(
    statements: String, words: String
  ) throws {
    let trial = try Self.trial(statements)
    let error = try trial.failure()
    #expect(error.kind == .wrongCall)
    #expect(error.codes == ["STO-306"])
    #expect(error.description.contains(words))
    #expect(trial.directory.names == ["old.sqlite"])
    var options = MigrationOptions()
    options.companions.otherTables = .leaveOut
    let report = try trial.run(options: options)
    #expect(report.warnings.all.map(\.code) == ["STO-307"])
    #expect(report.warnings.all.first?.reason?.contains(words) == true)
    #expect(try Safety.version(trial.directory.path("new.sqlite")) == "2")
  }

  @Test func `empty tables, views, triggers and indexes of the app are named, and no other`()
    throws
  {
    let trial = try Self.trial(
      """
      CREATE TABLE own (x);
      CREATE VIEW cars AS SELECT ZPLATE FROM ZCAR;
      CREATE TRIGGER ZT_COUNT AFTER INSERT ON ZCAR BEGIN SELECT appFunction(NEW.Z_PK); END;
      CREATE TRIGGER Z_DA_ZCAR_Car_age_UPDATE AFTER UPDATE ON ZCAR BEGIN \
      SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('a', 1, 1, 'b', 1); END;
      CREATE VIRTUAL TABLE Z_RT_Car_place USING RTREE (Z_PK, LOW, HIGH);
      CREATE INDEX ZCAR_ZPLATE_INDEX ON ZCAR (ZPLATE);
      CREATE UNIQUE INDEX mine ON ZCAR (ZPLATE)
      """)
    for (number, options) in Trial.ways.enumerated() {
      let report = try trial.run(to: "new-\(number)", options: options)
      #expect(report.warnings.all.map(\.code) == ["STO-307"])
      #expect(report.companions.leftOut.map(\.name) == ["own", "cars", "ZT_COUNT", "mine"])
      #expect(report.companions.leftOut.map(\.kind) == [.appTable, .view, .trigger, .index])
    }
  }

  @Test(arguments: [false, true])
  func `the numbers that a program keeps in the header are carried over`(inMemory: Bool) throws {
    var trial = try Self.trial("PRAGMA user_version = -7; PRAGMA application_id = 252006675")
    trial.worksInMemory = inMemory
    for (number, options) in Trial.ways.enumerated() {
      try trial.run(to: "new-\(number)", options: options)
      let store = try Connection(path: trial.directory.path("new-\(number)"), mode: .readOnly)
      #expect(try store.integer("PRAGMA user_version") == -7)
      #expect(try store.integer("PRAGMA application_id") == 252_006_675)
    }
  }

  @Test(arguments: [
    ("2", ["STO-321"]), ("0", ["STO-321"]), ("1", []),
  ])
  func `a second row of metadata is not dropped without a word`(
    number: String, codes: [String]
  ) throws {
    let trial = try Self.trial(
      "INSERT OR IGNORE INTO Z_METADATA SELECT \(number), 'other', Z_PLIST FROM Z_METADATA")
    for (number, options) in Trial.ways.enumerated() {
      let report = try trial.run(to: "new-\(number)", options: options)
      #expect(report.warnings.all.map(\.code) == codes)
    }
    let path = trial.directory.path("new-0")
    #expect(
      try Connection(path: path, mode: .readOnly).integer("SELECT count(*) FROM Z_METADATA") == 1)
  }

  @Test(arguments: [false, true])
  func `pairs that an old join table has twice become one, and are told of`(
    inMemory: Bool
  ) throws {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity("Note", [], [.many("tags", "Tag", inverse: "notes")]),
          Entity("Tag", [], [.many("notes", "Note", inverse: "tags")]),
        ])
    }
    var trial = try Trial(
      model("1"), model("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "Note", "destination": "Note"},
          {"type": "copy", "source": "Tag", "destination": "Tag"}
          """)
      ]
    ) { store in
      for entity in ["Note", "Tag"] { for _ in 0..<2 { try store.insert(entity, [:]) } }
    }
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    let table = "Z_1TAGS"
    try connection.execute(
      """
      INSERT INTO \(table) VALUES (1, 1), (1, 2), (2, 2);
      CREATE TABLE pairs AS SELECT * FROM \(table); INSERT INTO pairs SELECT * FROM \(table) LIMIT 2;
      DROP TABLE \(table); ALTER TABLE pairs RENAME TO \(table);
      """)
    trial.worksInMemory = inMemory
    for (number, options) in Trial.ways.enumerated() {
      let report = try trial.run(to: "new-\(number)", options: options)
      // Such a table is not copied page by page.
      let warnings = report.warnings.all.filter { $0.code != "RUN-048" }
      #expect(warnings.map(\.code) == ["STO-322"])
      #expect(
        warnings.map(\.message) == [
          "\(table) has 2 rows that repeat a pair; each pair is kept once"
        ])
      let store = try Connection(path: trial.directory.path("new-\(number)"), mode: .readOnly)
      #expect(try store.integer("SELECT count(*) FROM \(table)") == 3)
    }
  }

  @Test func `what earlier models left behind is counted`() throws {
    let trial = try Self.trial(
      """
      CREATE TABLE ZWHEEL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSIZE INTEGER );
      INSERT INTO ZWHEEL VALUES (1, 9, 1, 5);
      CREATE TABLE Z_2DRIVERS (Z_2DRIVERS INTEGER, Z_3CARS INTEGER);
      ALTER TABLE ZCAR ADD COLUMN ZCOLOR VARCHAR;
      ALTER TABLE ZCAR ADD COLUMN ZEMPTY VARCHAR;
      ALTER TABLE ZCAR ADD COLUMN Z9_OWNER INTEGER;
      UPDATE ZCAR SET ZCOLOR = 'red', Z9_OWNER = 9 WHERE Z_PK < 4
      """)
    let report = try trial.run()
    #expect(report.warnings.all.map(\.code) == ["STO-308"])
    #expect(
      report.companions.leftOut == [
        UnmodelledContents.Item(kind: .formerTable, name: "ZWHEEL", rows: 1),
        UnmodelledContents.Item(kind: .formerTable, name: "Z_2DRIVERS", rows: 0),
        UnmodelledContents.Item(kind: .formerColumn, name: "ZCAR.ZCOLOR", rows: 3),
      ])
  }

  @Test func `a plan names what a run leaves out`() throws {
    let trial = try Self.trial("CREATE VIEW cars AS SELECT ZPLATE FROM ZCAR")
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    #expect(plan.warnings.count == 1)
    #expect(plan.companions.leftOut.map(\.name) == ["cars"])
    #expect(plan.companions == (try trial.run()).companions)
  }
}
