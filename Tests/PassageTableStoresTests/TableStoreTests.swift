import PassageDiagnostics
import PassageFiles
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

@testable import PassageTableStores

/// Plain databases: what their tables mean, and what cannot be read.
struct TableStoreTests: PlainDatabaseReading {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  // MARK: Models

  @Test func `columns become attributes by their declared types`() throws {
    let path = try database(
      """
      CREATE TABLE things (id INTEGER PRIMARY KEY, a INT NOT NULL DEFAULT 7, b SMALLINT, c REAL,
        d VARCHAR(20) DEFAULT 'it''s', e BLOB, f BOOLEAN DEFAULT 1, g DECIMAL(10, 2), h DATETIME,
        i UUID, j, k NUMERIC, "order" TEXT, "first name" TEXT);
      INSERT INTO things (a, j, h) VALUES (1, 2.5, 12);
      """)
    let entity = try #require(try type.model(path: path).entity(named: "Thing"))
    #expect(
      entity.attributes.map(\.type) == [
        .integer64, .integer16, .double, .string, .binary, .boolean, .decimal, .double, .uuid,
        .double, .decimal, .string, .string,
      ])
    #expect(entity.attributes.map(\.name).suffix(3) == ["k", "order", "firstName"])
    #expect(entity.attributes[0].isOptional == false)
    #expect(entity.attributes[0].defaultValue == 7)
    #expect(entity.attributes[3].defaultValue == "it's")
    #expect(entity.attributes[5].defaultValue == 1)
    #expect(entity.userInfo == ["table": "things", "key": "id"])
  }

  @Test func `foreign keys become relationships with inverses and tables of pairs many to many`()
    throws
  {
    let path = try database(
      """
      CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT,
        author_id INTEGER NOT NULL REFERENCES authors ON DELETE CASCADE,
        editor_id INTEGER REFERENCES authors (id) ON DELETE SET NULL);
      CREATE TABLE covers (book_id INTEGER PRIMARY KEY REFERENCES books (id) ON DELETE RESTRICT);
      CREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT);
      CREATE TABLE books_tags (book_id INTEGER REFERENCES books (id), tag_id INTEGER REFERENCES
        tags (id), position INTEGER, PRIMARY KEY (book_id, tag_id));
      CREATE INDEX books_by_title ON books (title DESC);
      """)
    let model = try type.model(path: path)
    #expect(model.entities.map(\.name) == ["Author", "Book", "Cover", "Tag"])
    #expect(ModelChecker.check(model, locations: ModelLocations()).errors == [])
    func relationships(_ entity: String) throws -> [String] {
      try #require(model.entity(named: entity)).relationships.map {
        "\($0.name) \($0.destinationEntityName).\($0.inverseName ?? "-") \($0.isToMany) "
          + "\($0.isOptional) \($0.isOrdered) \($0.deleteRule)"
      }
    }
    #expect(
      try relationships("Book") == [
        "author Author.authorBooks false false false nullify",
        "editor Author.editorBooks false true false nullify",
        "cover Cover.book false true false deny", "tags Tag.books true true true nullify",
      ])
    #expect(
      try relationships("Author") == [
        "authorBooks Book.author true true false cascade",
        "editorBooks Book.editor true true false nullify",
      ])
    #expect(try #require(model.entity(named: "Author")).uniquenessConstraints == [["name"]])
    let index = try #require(model.entity(named: "Book")?.indexes.first)
    #expect(index.elements == [Entity.Index.Element(propertyName: "title", isAscending: false)])
  }

  // MARK: Rows

  @Test func `rows keep their keys and links, also those that are found by other columns`() throws {
    let path = try database(
      """
      CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
      CREATE TABLE cities (name TEXT, region TEXT, country_code TEXT REFERENCES countries,
        PRIMARY KEY (name, region));
      CREATE TABLE streets (id INTEGER PRIMARY KEY, city TEXT, region TEXT,
        FOREIGN KEY (city, region) REFERENCES cities (name, region));
      INSERT INTO countries VALUES ('fr', 'France'), ('de', 'Deutschland');
      INSERT INTO cities VALUES ('Lyon', 'ARA', 'fr'), ('Ulm', 'BW', 'de');
      INSERT INTO streets VALUES (70, 'Ulm', 'BW'), (71, 'Lyon', 'ARA'), (72, NULL, 'BW');
      """)
    let staged = try stage(path)
    #expect(
      try staged.rows("SELECT Z_PK, ZCODE FROM ZCOUNTRY ORDER BY 1") == [[1, "de"], [2, "fr"]])
    #expect(
      try staged.rows("SELECT ZNAME, ZCOUNTRY FROM ZCITY ORDER BY 1") == [
        ["Lyon", 2], ["Ulm", 1],
      ])
    #expect(
      try staged.rows(
        "SELECT s.Z_PK, c.ZNAME FROM ZSTREET s LEFT JOIN ZCITY c ON c.Z_PK = s.ZCITY2 "
          + "ORDER BY 1") == [[70, "Ulm"], [71, "Lyon"], [72, .null]])
  }

  @Test(arguments: [
    ("id INTEGER PRIMARY KEY, n INTEGER", "(4, 'text')", "ROW-001", Int64(4)),
    ("id INTEGER PRIMARY KEY, n SMALLINT", "(5, 40000)", "ROW-002", 5),
    ("id INTEGER PRIMARY KEY, n BOOLEAN", "(6, 2)", "ROW-002", 6),
    ("id INTEGER, n INTEGER", "(1, 1), (1, 2)", "ROW-004", 2),
    ("id INTEGER, n INTEGER", "(NULL, 1)", "ROW-005", 1),
    ("id INTEGER, n INTEGER", "('x', 1)", "ROW-001", 1),
    ("id INTEGER PRIMARY KEY, n UUID", "(7, 'no uuid')", "ROW-001", 7),
  ])
  func `a row that is not an object is reported with its table, number and column`(
    columns: String, values: String, code: String, row: Int64
  ) throws {
    let path = try database(
      "CREATE TABLE things (\(columns)); INSERT INTO things VALUES \(values)")
    let refused = try #require(throws: Diagnostics.self) { try stage(path) }
    #expect(refused.all.map(\.code) == [code])
    #expect(refused.all[0].message.contains("row \(row) of things"))
    #expect(!refused.description.contains("text'"))
    try FileSystem().remove(folder.path("staged.sqlite"))
    let staged = try stage(path, limit: 1)
    let rows = try QuarantinedRow.read(staged, path: path)
    #expect(rows.map(\.reason.rawValue) == [code] && rows.map(\.key) == [row])
    #expect(
      try staged.integer("SELECT count(*) FROM ZTHING")
        == Int64(values.split(separator: "(").count - 1))
  }

  @Test func `a row of an entity that the table does not have is told with those it has`() throws {
    let path = try database(
      "CREATE TABLE things (id INTEGER PRIMARY KEY, entity TEXT, n INTEGER);"
        + "INSERT INTO things VALUES (1, 'Car', 1), (2, 'Bus', 2)")
    let model = Model(
      name: "things",
      entities: [
        Entity(name: "Thing", attributes: [Attribute(name: "n", type: .integer64)]),
        Entity(name: "Car", parentName: "Thing"),
      ])
    let refused = try #require(throws: Diagnostics.self) { try stage(path, as: model) }
    #expect(refused.all.map(\.code) == ["ROW-007"])
    let reason = try #require(refused.all[0].reason)
    #expect(reason.hasPrefix("the column must name an entity of this table: “"))
    #expect(reason.contains("“Thing”") && reason.contains("“Car”") && !reason.contains("Bus"))
  }

  @Test func `dates and required values are judged by a model that is written for the database`()
    throws
  {
    let path = try database(
      """
      CREATE TABLE events (id INTEGER PRIMARY KEY, day, title TEXT);
      INSERT INTO events VALUES (1, '2010-03-19', 'a'), (2, 'soon', 'b'), (3, 1268956800, 'c'),
        (4, '2010-03-19', NULL);
      """)
    let model = Model(
      name: "events",
      entities: [
        Entity(
          name: "Event",
          attributes: [
            Attribute(name: "when", type: .date, userInfo: ["column": "day"]),
            Attribute(name: "title", type: .string, isOptional: false),
          ])
      ])
    let staged = try stage(path, as: model, limit: 2)
    #expect(
      try staged.rows("SELECT Z_PK, ZWHEN FROM ZEVENT") == [[1, 290_649_600], [3, 290_649_600]])
    let rows = try QuarantinedRow.read(staged, path: path)
    #expect(rows.map(\.reason) == [.unreadableDate, .missingValue])
  }

  @Test
  func `links that lead nowhere are reported and left out, and needed ones quarantine their row`()
    throws
  {
    let path = try database(
      """
      CREATE TABLE owners (id INTEGER PRIMARY KEY);
      CREATE TABLE cats (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (id));
      CREATE TABLE dogs (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owners (id));
      INSERT INTO owners VALUES (1);
      INSERT INTO cats VALUES (1, 1), (2, 9);
      INSERT INTO dogs VALUES (1, 1), (2, 9);
      """)
    let staged = try stage(path, limit: 1)
    #expect(try staged.rows("SELECT Z_PK, ZOWNER FROM ZCAT") == [[1, 1], [2, .null]])
    #expect(try staged.rows("SELECT Z_PK, ZOWNER FROM ZDOG") == [[1, 1]])
    #expect(try QuarantinedRow.read(staged, path: path).map(\.reason) == [.missingTarget])
    #expect(try StagedStore.warnings(staged, path: path).all.map(\.code) == ["ROW-101"])
  }

  // MARK: Refusals

  @Test func `every name that leads nowhere is reported at once`() throws {
    let path = try database(
      "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE VIEW v AS SELECT 1 AS x;")
    let model = Model(
      name: "m",
      entities: [
        Entity(name: "A", attributes: [Attribute(name: "size", type: .double)]),
        Entity(name: "B"), Entity(name: "V", userInfo: ["table": "v"]),
      ])
    let refused = try #require(throws: Diagnostics.self) { try type.open(path: path, as: model) }
    #expect(Set(refused.all.map(\.code)) == ["STO-131", "STO-132", "STO-133"])
  }

  @Test func `views and virtual tables are not part of the model and are never run`() throws {
    let path = try database(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT, c TEXT AS (upper(b)) STORED);
      CREATE VIEW v AS SELECT no_such_function(b) FROM a;
      CREATE VIRTUAL TABLE t USING fts5(x);
      INSERT INTO a (b) VALUES ('x');
      """)
    let model = try type.model(path: path)
    #expect(model.entities.map(\.name) == ["A"])
    #expect(try stage(path).rows("SELECT ZB, ZC FROM ZA") == [["x", "X"]])
  }

  @Test func `a generated column that is not stored is never computed`() throws {
    let path = try database(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT);
      CREATE INDEX byB ON a (b) WHERE b > 'a';
      INSERT INTO a (b) VALUES ('x');
      ALTER TABLE a ADD COLUMN
        c TEXT AS (instr(zeroblob(900000000), zeroblob(450000000) || x'01'));
      """)
    #expect(try type.model(path: path).entities.map { $0.attributes.map(\.name) } == [["b"]])
    #expect(try stage(path).rows("SELECT ZB FROM ZA") == [["x"]])
    let model = Model(
      name: "m",
      entities: [Entity(name: "A", attributes: [Attribute(name: "c", type: .string)])])
    let refused = try #require(throws: Diagnostics.self) { try type.open(path: path, as: model) }
    #expect(refused.all.map(\.code) == ["STO-171"])
  }

  @Test func `only databases of tables without Core Data's are recognised`() throws {
    let plain = try database("CREATE TABLE a (b)")
    let types = StoreTypes([TableStoreType()])
    #expect(types.type(ofFileAt: plain)?.name == "tables")
    let store = folder.path("store.sqlite")
    try StoreCreator.create(
      model: Model(name: "m", entities: [Entity(name: "A")]), at: store)
    #expect(types.type(ofFileAt: store) == nil)
    let empty = folder.path("empty.sqlite")
    try Connection(path: empty, mode: .create).execute("PRAGMA user_version = 1")
    #expect(types.type(ofFileAt: empty) == nil)
    #expect(types.type(ofFileAt: folder.path("missing")) == nil)
  }

  @Test func `a type that cannot be written says so`() throws {
    struct ReadOnlyType: StoreType {
      var name: String { "x" }
      var title: String { "an x" }
      func recognizes(path: String, firstBytes: [UInt8]) -> Bool { false }
      func model(path: String) throws -> Model { Model(name: "x", entities: []) }
      func open(path: String, as model: Model) throws -> any ForeignStore {
        throw StoreError(.missing, path: path)
      }
    }
    let store = folder.path("store.sqlite")
    let model = Model(name: "m", entities: [Entity(name: "A")])
    try StoreCreator.create(model: model, at: store)
    let error = try #require(throws: StoreError.self) {
      try ReadOnlyType().write(
        StoredObjects(path: store, model: model), to: folder.path("x"),
        options: StoredObjects.WritingOptions())
    }
    #expect(error.kind == .typeNotWritable)
    #expect(try ReadOnlyType().fingerprint(path: store).hasPrefix("x "))
  }
}
