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

/// Plain databases of the kinds that people have: keys of every sort, encodings, words for truth
/// values, foreign keys that nobody declared.
struct PlainDatabaseKindTests: PlainDatabaseReading {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  // MARK: Names

  @Test func `a relationship to several has the plural, whatever the table is called`() throws {
    let path = try database(
      """
      CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY);
      CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, ArtistId INTEGER REFERENCES Artist);
      """)
    let artist = try #require(try type.model(path: path).entity(named: "Artist"))
    #expect(artist.relationships.map(\.name) == ["albums"])
  }

  /// Swift takes a quotation mark and the accent after it for another character, SQL does not.
  @Test func `a name cannot end its quotation and run statements`() throws {
    let victim = folder.path("victim.db")
    let precious = try Connection(path: victim, mode: .create)
    try precious.execute("CREATE TABLE precious (a); INSERT INTO precious VALUES ('kept')")
    let hostile =
      "name\"\u{301} FROM plain.T; COMMIT; ATTACH DATABASE '\(victim)' AS p; DELETE FROM p.precious; --"
    let path = try database(
      """
      CREATE TABLE T ("\(hostile.replacing("\"\u{301}", with: "\"\"\u{301}"))" TEXT PRIMARY KEY, name TEXT)
        WITHOUT ROWID;
      CREATE TABLE "we""\u{301}ird" (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'it''\u{301}s');
      INSERT INTO T VALUES ('a', 'b');
      INSERT INTO "we""\u{301}ird" (id) VALUES (1);
      """)
    let model = try type.model(path: path)
    #expect(model.entities.count == 2)
    #expect(model.entities.flatMap(\.attributes).contains { $0.defaultValue == "it'\u{301}s" })
    let staged = try StagedStore(path: folder.path("staged.sqlite"), model: model)
    try type.open(path: path, as: model).read(into: staged)
    #expect(try precious.rows("SELECT a FROM precious") == [[.text("kept")]])
  }

  @Test(arguments: [
    ("country_code TEXT REFERENCES countries (code)", "country"),
    ("code TEXT REFERENCES countries (code)", "country"),
    ("country TEXT REFERENCES countries (code)", "country2"),
    ("home_code TEXT REFERENCES countries", "home"),
  ])
  func `a link by other columns than the key is called after what it leads to`(
    column: String, name: String
  ) throws {
    let path = try database(
      "CREATE TABLE countries (code TEXT PRIMARY KEY); CREATE TABLE cities (\(column));")
    let city = try #require(try type.model(path: path).entity(named: "City"))
    #expect(city.relationships.map(\.name) == [name])
  }

  @Test func `a model without user info finds a link by the name that the rule gives it`() throws {
    let path = try database(
      """
      CREATE TABLE countries (code TEXT PRIMARY KEY);
      CREATE TABLE cities (id INTEGER PRIMARY KEY, country_code TEXT REFERENCES countries);
      INSERT INTO countries VALUES ('fr'), ('de');
      INSERT INTO cities VALUES (1, 'de');
      """)
    let declared = try type.model(path: path)
    let entities = declared.entities.map { entity in
      var entity = entity
      for link in entity.relationships.indices { entity.relationships[link].userInfo = [:] }
      return entity
    }
    let model = Model(name: declared.name, entities: entities)
    #expect(try stage(path, as: model).rows("SELECT ZCOUNTRY FROM ZCITY") == [[2]])
  }

  // MARK: Keys

  @Test func `keys that no object can have are moved, and links go with them`() throws {
    let path = try database(
      """
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, up INTEGER REFERENCES nodes (id));
      INSERT INTO nodes VALUES (0, NULL), (-7, 0), (3, -7), (4, 3), (5, 6), (8, 9);
      """)
    let staged = try stage(path)
    // 9 is the key that the row -7 gets; nobody meant it.
    #expect(
      try staged.rows("SELECT Z_PK, ZUP FROM ZNODE ORDER BY 1") == [
        [3, 9], [4, 3], [5, .null], [8, .null], [9, 10], [10, .null],
      ])
    #expect(
      try StagedStore.warnings(staged, path: path).all.map(\.code).sorted() == [
        "ROW-101", "ROW-102",
      ])
  }

  @Test func `where no key is left above the largest, the smallest free ones are taken`() throws {
    let (least, most) = ("-9223372036854775807 - 1", "\(Int64.max)")
    let path = try database(
      """
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, up INTEGER REFERENCES nodes (id));
      INSERT INTO nodes VALUES (\(least), \(most)), (1, NULL), (3, NULL), (\(most), \(least)),
        (\(Int64.max - 1), \(most));
      """)
    #expect(
      try stage(path).rows("SELECT Z_PK, ZUP FROM ZNODE ORDER BY 1") == [
        [1, .null], [2, 4], [3, .null], [4, 2], [.integer(Int64.max - 1), 4],
      ])
  }

  @Test func `a row that is quarantined is named by the key it has in the database`() throws {
    let path = try database(
      """
      CREATE TABLE owners (id INTEGER PRIMARY KEY);
      CREATE TABLE dogs (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES owners (id));
      INSERT INTO dogs VALUES (-3, 5);
      """)
    #expect(try QuarantinedRow.read(stage(path, limit: 1), path: path).map(\.key) == [-3])
  }

  @Test func `the number of a row that was moved can be kept in an attribute`() throws {
    let path = try database(
      "CREATE TABLE things (id INTEGER PRIMARY KEY); INSERT INTO things VALUES (0), (5)")
    let model = Model(
      name: "m",
      entities: [
        Entity(
          name: "Thing",
          attributes: [Attribute(name: "number", type: .integer64, userInfo: ["column": "id"])])
      ])
    #expect(
      try stage(path, as: model).rows("SELECT Z_PK, ZNUMBER FROM ZTHING") == [[5, 5], [6, 0]])
  }

  @Test(arguments: ["", "code TEXT PRIMARY KEY, "])
  func `rows whose numbers no name reaches are counted as they come`(key: String) throws {
    let values =
      key.isEmpty ? "('a', 1, 'x'), ('a', 1, 'x')" : "(NULL, 'a', 1, 'x'), (NULL, 'a', 1, 'x')"
    let path = try database(
      """
      CREATE TABLE things (\(key)rowid TEXT, oid INTEGER NOT NULL, _rowid_ TEXT);
      INSERT INTO things VALUES \(values);
      """)
    #expect(
      try stage(path).rows("SELECT Z_PK, ZROWID, ZOID FROM ZTHING") == [
        [1, "a", 1], [2, "a", 1],
      ])
  }

  // MARK: Links that only the model knows of

  @Test func `a link by any column is one when the model says which column of the parent it is`()
    throws
  {
    let path = try database(
      """
      CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, land TEXT);
      CREATE TABLE books (id INTEGER PRIMARY KEY, author_name TEXT, land TEXT);
      INSERT INTO authors VALUES (7, 'Ann', 'fr'), (8, 'Bob', 'de'), (9, 'Ann', 'de');
      INSERT INTO books VALUES (1, 'Bob', 'de'), (2, 'Ann', 'de'), (3, 'Eve', 'de'), (4, NULL, NULL);
      """)
    func model(_ columns: String, _ parents: String) -> Model {
      Model(
        name: "m",
        entities: [
          Entity(
            name: "Author",
            relationships: [
              Relationship(
                name: "books", destinationEntityName: "Book", inverseName: "author", maximumCount: 0
              )
            ]),
          Entity(
            name: "Book",
            relationships: [
              Relationship(
                name: "author", destinationEntityName: "Author", inverseName: "books",
                userInfo: ["column": columns, "parentColumn": parents])
            ]),
        ])
    }
    let staged = try stage(path, as: model("author_name", "name"))
    #expect(try staged.rows("SELECT ZAUTHOR FROM ZBOOK") == [[8], [7], [.null], [.null]])
    #expect(try StagedStore.warnings(staged, path: path).all.map(\.code) == ["ROW-101", "ROW-104"])
    try FileSystem().remove(folder.path("staged.sqlite"))
    #expect(
      try stage(path, as: model("author_name,land", "name,land")).rows("SELECT ZAUTHOR FROM ZBOOK")
        == [[8], [9], [.null], [.null]])
    for wrong in ["no_such", "name,land"] {
      let refused = try #require(throws: Diagnostics.self) {
        try type.open(path: path, as: model("author_name", wrong))
      }
      #expect(refused.all.map(\.code) == ["STO-132"])
    }
  }

  @Test func `pairs that occur twice in a table without a key are reported`() throws {
    let path = try database(
      """
      CREATE TABLE authors (id INTEGER PRIMARY KEY); CREATE TABLE tags (id INTEGER PRIMARY KEY);
      CREATE TABLE authors_tags (author_id INTEGER, tag_id INTEGER);
      INSERT INTO authors VALUES (1); INSERT INTO tags VALUES (1), (0);
      INSERT INTO authors_tags VALUES (1, 1), (1, 1), (1, 0), (1, 5);
      """)
    let info = ["table": "authors_tags", "column": "author_id", "otherColumn": "tag_id"]
    let model = Model(
      name: "m",
      entities: [
        Entity(
          name: "Author",
          relationships: [
            Relationship(
              name: "tags", destinationEntityName: "Tag", inverseName: "authors", maximumCount: 0,
              userInfo: info)
          ]),
        Entity(
          name: "Tag",
          relationships: [
            Relationship(
              name: "authors", destinationEntityName: "Author", inverseName: "tags",
              maximumCount: 0)
          ]),
      ])
    let staged = try stage(path, as: model)
    #expect(try staged.integer("SELECT count(*) FROM Z_1TAGS") == 2)
    #expect(
      try StagedStore.warnings(staged, path: path).all.map(\.code).sorted() == [
        "ROW-101", "ROW-102", "ROW-103",
      ])
  }

  @Test func `links by columns without an index take steps in proportion to the rows`() throws {
    let path = try database(
      """
      CREATE TABLE parents (id INTEGER PRIMARY KEY, code TEXT);
      CREATE TABLE children (id INTEGER PRIMARY KEY, code TEXT REFERENCES parents (code));
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
      INSERT INTO parents SELECT i, 'c' || i FROM n;
      INSERT INTO children SELECT id, code FROM parents;
      """)
    var linked: Int64 = 0
    let steps = try StatementSteps.count {
      linked = try stage(path).integer("SELECT count(*) FROM ZCHILD WHERE ZPARENT = Z_PK")
    }
    #expect(linked == 30_000)
    // It is staged twice. Comparing each with each takes 900 million.
    #expect(steps < 2 * 200 * 30_000)
  }

  // MARK: Values

  @Test(arguments: [
    ("t", Int64(1)), ("f", 0), ("TRUE", 1), ("False", 0), ("yes", 1), ("NO", 0), ("y", 1), ("n", 0),
    ("on", 1), ("off", 0),
  ])
  func `truth values are read from words`(word: String, value: Int64) throws {
    let path = try database(
      """
      CREATE TABLE things (id INTEGER PRIMARY KEY, a BOOLEAN, b BOOL NOT NULL DEFAULT '\(word)');
      INSERT INTO things (a) VALUES ('\(word)'), (1), (0.0), (NULL);
      """)
    let model = try type.model(path: path)
    #expect(model.entities[0].attributes[1].defaultValue == .integer(value))
    #expect(
      try stage(path).rows("SELECT ZA, ZB FROM ZTHING").map { $0[0] } == [
        .integer(value), 1, 0, .null,
      ])
  }

  @Test func `a word that is not a truth value quarantines its row`() throws {
    let path = try database(
      """
      CREATE TABLE things (id INTEGER PRIMARY KEY, a BOOLEAN);
      INSERT INTO things VALUES (1, 'maybe'), (2, 'yes'), (3, x'01'), (4, '');
      """)
    let rows = try QuarantinedRow.read(stage(path, limit: 3), path: path)
    #expect(rows.map(\.key) == [1, 3, 4])
    #expect(rows.allSatisfy { $0.reason == .wrongType && $0.column == "a" })
  }

  // MARK: Encodings

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a database in UTF-16 becomes a store in UTF-8`(encoding: String) throws {
    let path = try database(
      """
      PRAGMA encoding = '\(encoding)'; PRAGMA page_size = 65536;
      CREATE TABLE countries (code TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER, data BLOB,
        country_code TEXT REFERENCES countries);
      INSERT INTO countries VALUES ('fr'), ('de');
      INSERT INTO cities VALUES (1, 'Köln 😀', 7, x'00FF', 'DE'), (2, 'Ω', 'x', NULL, 'fr'),
        (0, 'z', 1, '𝄞', 'no');
      """)
    let staged = try stage(path, limit: 1)
    #expect(try staged.rows("PRAGMA encoding") == [["UTF-8"]])
    #expect(
      try staged.rows("SELECT Z_PK, ZNAME, ZSIZE, ZCOUNTRY FROM ZCITY") == [
        [1, "Köln 😀", 7, 1], [3, "z", 1, .null],
      ])
    #expect(try QuarantinedRow.read(staged, path: path).map(\.key) == [2])
    #expect(
      try StagedStore.warnings(staged, path: path).all.map(\.code).sorted() == [
        "ROW-101", "ROW-102",
      ])
    try FileSystem().remove(folder.path("staged.sqlite"))
    #expect(throws: Diagnostics.self) { try stage(path) }
  }

  @Test(
    arguments: ["UTF-16le", "UTF-16be"],
    [
      ([0xD83D] as [UInt16], true), ([0xDE00], true), ([0x61, 0xD83D, 0x62], true),
      ([0xD83D, 0xD83D, 0xDE00], true), ([0x61, 0xD83D, 0xDE00, 0xFFFD], false), ([], false),
    ])
  func `half a surrogate pair is reported, and never replaced`(
    encoding: String, text: (units: [UInt16], isMalformed: Bool)
  ) throws {
    var hexadecimal = ""
    for unit in text.units {
      let digits = String(unit, radix: 16)
      let bytes = String(repeating: "0", count: 4 - digits.count) + digits
      hexadecimal += encoding == "UTF-16be" ? bytes : "\(bytes.suffix(2))\(bytes.prefix(2))"
    }
    let path = try database(
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO cities VALUES (1, 'good'), (2, CAST(x'\(hexadecimal)' AS TEXT));
      """)
    guard text.isMalformed else {
      let staged = try stage(path)
      #expect(
        try staged.value("SELECT ZNAME FROM ZCITY WHERE Z_PK = 2")
          == .text(String(decoding: text.units, as: UTF16.self)))
      return
    }
    let error = try #require(throws: Diagnostics.self) { try stage(path) }
    #expect(error.errors.map(\.code) == ["ROW-009"])
    #expect(error.errors.first?.message.contains("the object with key 2") == true)
  }

  @Test func `columns whose names only SQLite tells apart have their own values`() throws {
    let path = try database(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, "\u{c9}TAT" TEXT, "\u{e9}tat" TEXT,
        "E\u{301}TAT" TEXT);
      INSERT INTO T VALUES (1, 'a', 'b', 'c');
      """)
    let model = try type.model(path: path)
    let attributes = try #require(model.entity(named: "T")).attributes
    #expect(Set(attributes.map(\.name)).count == 3)
    let layout = try #require(StoreLayout(model: model).entity(named: "T"))
    let columns = attributes.compactMap { layout.columnName(ofAttribute: $0.name) }
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    #expect(try stage(path).rows("SELECT \(list) FROM ZT") == [["a", "b", "c"]])
  }

  @Test func `tables whose names only SQLite tells apart have their own rows`() throws {
    let path = try database(
      """
      CREATE TABLE "\u{c4}mter" (id INTEGER PRIMARY KEY, x TEXT);
      CREATE TABLE "\u{e4}mter" (id INTEGER PRIMARY KEY, x TEXT);
      CREATE TABLE "A\u{308}mter" (id INTEGER PRIMARY KEY, x TEXT);
      CREATE TABLE links (id INTEGER PRIMARY KEY, "\u{c9}" INTEGER REFERENCES "\u{c4}mter",
        "\u{e9}" INTEGER REFERENCES "\u{e4}mter");
      INSERT INTO "\u{c4}mter" VALUES (1, 'a');
      INSERT INTO "\u{e4}mter" VALUES (2, 'b');
      INSERT INTO "A\u{308}mter" VALUES (3, 'c');
      INSERT INTO links VALUES (1, 1, 2);
      """)
    let model = try type.model(path: path)
    let layout = StoreLayout(model: model)
    let staged = try stage(path)
    let texts = try model.entities.filter { $0.name != "Link" }.map { entity in
      let table = layout.entity(named: entity.name)?.tableName ?? ""
      return try staged.rows("SELECT ZX FROM \(table.quotedIdentifier)")
    }
    // Amter, Ämter and Ämter2.
    #expect(texts == [[["c"]], [["a"]], [["b"]]])
    // A link to a row of another table would be left out.
    let link = try #require(staged.rows("SELECT * FROM ZLINK").first)
    #expect(Set(link.suffix(2)) == [1, 2])
  }

  @Test func `a foreign key finds its table in any case of ASCII among many`() throws {
    let tables = (0..<400).map { number in
      "CREATE TABLE \"t\u{e9}_\(number)x\" (id INTEGER PRIMARY KEY, "
        + "owner_id INTEGER REFERENCES \"T\u{e9}_\((number + 1) % 400)X\");"
    }
    let path = try database(tables.joined(separator: "\n"))
    let model = try type.model(path: path)
    var parents: [String: String] = [:]
    for entity in model.entities {
      let own = try #require(entity.userInfo["table"])
      let link = try #require(
        entity.relationships.first { $0.userInfo["column"] == "owner_id" })
      parents[own] = model.entity(named: link.destinationEntityName)?.userInfo["table"]
    }
    #expect(parents.count == 400)
    for number in 0..<400 {
      #expect(parents["t\u{e9}_\(number)x"] == "t\u{e9}_\((number + 1) % 400)x")
    }
  }

  @Test func `a column with a comma in its name is not taken for two`() throws {
    let path = try database(
      """
      CREATE TABLE p (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
      CREATE TABLE q (id INTEGER PRIMARY KEY, x TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, "a,b" INTEGER REFERENCES q,
        FOREIGN KEY (a, b) REFERENCES p);
      INSERT INTO p VALUES (1, 1), (7, 8); INSERT INTO q VALUES (5, 'x');
      INSERT INTO c VALUES (1, 7, 8, 5);
      """)
    let entity = try #require(try type.model(path: path).entity(named: "C"))
    #expect(
      Set(entity.relationships.compactMap { $0.userInfo["column"] }) == ["\"a,b\"", "a,b"])
    #expect(try stage(path).rows("SELECT ZAB, ZP FROM ZC") == [[5, 2]])
  }

  @Test(arguments: [
    ["a"], ["a", "b"], ["a,b"], ["a,b", "c"], ["a", "b,c"], ["\"a", "b"], ["a\"b,", "c"],
  ])
  func `a list of columns is read as it was written`(names: [String]) {
    #expect(ColumnList.names(ColumnList.text(names)) == names)
  }

  // MARK: What is left behind

  @Test func `what the model does not have is told`() throws {
    let path = try database(
      """
      CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, note TEXT, unused TEXT);
      CREATE TABLE others (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE empties (id INTEGER PRIMARY KEY, name TEXT);
      CREATE VIRTUAL TABLE found USING fts5(body);
      INSERT INTO things VALUES (1, 'a', 'n', NULL);
      INSERT INTO others VALUES (1, 'b');
      """)
    let own = Model(
      name: "Own",
      entities: [Entity(name: "Thing", attributes: [Attribute(name: "name", type: .string)])])
    let cases = [
      (own, "column note of things, table others, virtual table found"),
      (try type.model(path: path), "virtual table found"),
    ]
    for (model, left) in cases {
      let staged = try stage(path, as: model)
      let warnings = try StagedStore.warnings(staged, path: path).all
      #expect(warnings.map(\.code) == ["ROW-104"])
      #expect(warnings.first?.reason == "left behind: \(left)")
      // Nothing of a model can keep the rows of a virtual table.
      #expect(warnings.first?.remedy?.contains("declare") == (model.name == "Own"))
      try FileSystem().remove(folder.path("staged.sqlite"))
    }
  }
}
