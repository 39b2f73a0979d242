import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// What is known about a schema is used for every store that has it, and for no other.
@Suite struct SchemaFactsTests {
  private static func makeStore(_ name: String, in folder: TemporaryDirectory) throws -> String {
    let path = folder.path(name)
    let note = Entity(name: "Note", attributes: [Attribute(name: "text", type: .string)])
    let store = try TestStore(model: Model(name: "1", entities: [note]), at: path)
    try store.insert("Note", ["text": .text(name)])
    try store.close()
    return path
  }

  @Test func `stores with one schema share what is known about it`() throws {
    let folder = try TemporaryDirectory()
    // The process's own are also those of tests that run at the same time.
    let schemas = KnownSchemas()
    let facts = try ["a.sqlite", "b.sqlite"].map { name in
      let store = try Connection(path: Self.makeStore(name, in: folder), mode: .readOnly)
      return try SchemaFacts.read(store, from: schemas) { _ in }
    }
    #expect(facts[0] === facts[1])
    #expect(facts[0].hasTable("ZNOTE") && !facts[0].hasTable("znote"))
    #expect(facts[0].hasTable(caseInsensitive: "zNote"))
    #expect(facts[0].table("ZNOTE")?.columns.map(\.name) == ["Z_PK", "Z_ENT", "Z_OPT", "ZTEXT"])
  }

  @Test func `a table more is another schema`() throws {
    let folder = try TemporaryDirectory()
    let path = try Self.makeStore("a.sqlite", in: folder)
    let before = try StoreFile.open(path: path).facts
    try Connection(path: path, mode: .readWrite).execute("CREATE TABLE other (x)")
    let after = try StoreFile.open(path: path)
    #expect(before !== after.facts)
    #expect(!before.hasTable("other") && after.facts.hasTable("other"))
    #expect(after.schema.table(named: "OTHER")?.columns == ["x"])
  }

  @Test func `a column that is computed is refused each time`() throws {
    let folder = try TemporaryDirectory()
    let path = try Self.makeStore("a.sqlite", in: folder)
    try Connection(path: path, mode: .readWrite).execute(
      "ALTER TABLE Z_METADATA ADD COLUMN x AS (1)")
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try StoreFile.open(path: path) }
      #expect(error?.kind == .generatedColumn)
    }
  }

  /// What is asked of the indexes is asked once for each table, and not for each of its columns.
  @Test(arguments: ["", ", PRIMARY KEY (c0, c1)"])
  func `a table with many columns and many indexes is read in a time that adds both`(
    key: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try Self.makeStore("a.sqlite", in: folder)
    let columns = (0..<300).map { "c\($0)" }
    let store = try Connection(path: path, mode: .readWrite)
    try store.transaction {
      try store.execute("CREATE TABLE wide (\(columns.joined(separator: ", "))\(key))")
      for column in columns { try store.execute("CREATE INDEX i_\(column) ON wide (\(column))") }
    }
    let steps = try StatementSteps.count {
      let store = try Connection(path: path, mode: .readOnly)
      let facts = try SchemaFacts.read(store, from: KnownSchemas()) { _ in }
      #expect(
        facts.table("wide")?.columns.map(\.hasKeyIndex).filter { $0 }.count == (key.isEmpty ? 0 : 1)
      )
    }
    #expect(steps < 100 * (columns.count + columns.count))
  }

  @Test func `names that differ in how an accent is written are two`() throws {
    let folder = try TemporaryDirectory()
    let schemas = KnownSchemas()
    let facts = try ["ZCAF\u{c9}", "ZCAFE\u{301}"].enumerated().map { number, column in
      let path = try Self.makeStore("\(number).sqlite", in: folder)
      let store = try Connection(path: path, mode: .readWrite)
      try store.execute("ALTER TABLE ZNOTE ADD COLUMN \(column.quotedIdentifier) VARCHAR")
      return try SchemaFacts.read(store, from: schemas) { _ in }
    }
    // Each has a column of its own, though Swift takes both schemas for equal.
    #expect(facts.map { $0.schema.hasColumn("zcaf\u{c9}", inTable: "znote") } == [true, false])
    #expect(facts.map { $0.schema.hasColumn("ZCAF\u{e9}", inTable: "ZNOTE") } == [false, false])
    #expect(
      facts.map { $0.declaredType(ofColumn: "ZCAFE\u{301}", inTable: "ZNOTE") } == [nil, "VARCHAR"])
  }

  @Test func `tables whose names differ in how an accent is written are two`() throws {
    let folder = try TemporaryDirectory()
    let store = try Connection(path: folder.path("tables.sqlite"), mode: .create)
    try store.execute("CREATE TABLE \u{c9} (a); CREATE TABLE E\u{301} (b); CREATE TABLE \u{e9} (c)")
    let facts = try SchemaFacts.read(store, from: KnownSchemas()) { _ in }
    #expect(facts.tables.map { $0.columns.map(\.name) } == [["a"], ["b"], ["c"]])
    #expect(facts.table("E\u{301}")?.columns.map(\.name) == ["b"])
    #expect(facts.schema.table(named: "e\u{301}")?.columns == ["b"])
    #expect(facts.schema.table(named: "\u{e9}")?.columns == ["c"])
  }

  /// https://www.sqlite.org/lang_createtable.html#rowid
  @Test(arguments: [
    ("(a INTEGER PRIMARY KEY, b)", true), ("(a integer primary key asc, b)", true),
    ("(a INTEGER, b, PRIMARY KEY (a))", true), ("(a INTEGER, b, PRIMARY KEY (a DESC))", true),
    ("(a INTEGER PRIMARY KEY DESC, b)", false), ("(a INT PRIMARY KEY, b)", false),
    ("(a INTEGER UNIQUE, b)", false), ("(a INTEGER, b, PRIMARY KEY (a, b))", false),
    ("(a INTEGER PRIMARY KEY, b) WITHOUT ROWID", false),
  ])
  func `a column is the row id where SQLite takes it for that`(
    columns: String, isRowID: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let store = try Connection(path: folder.path("tables.sqlite"), mode: .create)
    try store.execute("CREATE TABLE t \(columns); INSERT INTO t VALUES (7, 9)")
    let found = try? store.value("SELECT rowid FROM t")
    #expect((found == .integer(7)) == isRowID)
    let facts = try SchemaFacts.read(store, from: KnownSchemas()) { _ in }
    #expect(facts.schema.table(named: "t")?.keyColumn == (isRowID ? "a" : nil))
  }

  @Test func `a store whose column has another accent does not fit the model`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.sqlite")
    let model = Model(
      name: "1",
      entities: [
        Entity(name: "Note", attributes: [Attribute(name: "caf\u{e9}", type: .string)])
      ])
    try TestStore(model: model, at: path).close()
    _ = try StoreFile.open(path: path).layout(of: model)
    try Connection(path: path, mode: .readWrite).execute(
      "ALTER TABLE ZNOTE RENAME COLUMN ZCAF\u{c9} TO ZCAFE\u{301}")
    let error = #expect(throws: StoreError.self) {
      try StoreFile.open(path: path).layout(of: model)
    }
    #expect(error?.kind == .layoutMismatch)
  }

  @Test func `what a table computes is found whatever letters its name has`() throws {
    let folder = try TemporaryDirectory()
    let store = try Connection(path: folder.path("code.sqlite"), mode: .create)
    try store.execute(
      """
      CREATE TABLE X\u{e9} (a INTEGER PRIMARY KEY, b AS (1));
      CREATE TABLE Y\u{e9} (a); CREATE INDEX i ON Y\u{e9} (abs(a));
      """)
    let code = try SchemaCode(store)
    for name in ["X\u{e9}", "x\u{e9}", "Y\u{e9}"] {
      #expect(code.computes(inTable: name), "\(name)")
    }
    for name in ["X\u{c9}", "Xe\u{301}", "Z"] {
      #expect(!code.computes(inTable: name), "\(name)")
    }
    let error = #expect(throws: StoreError.self) {
      try code.refuseGeneratedColumns(ofTables: ["X\u{e9}"], path: "")
    }
    #expect(error?.kind == .generatedColumn)
  }

  @Test func `tables are declared one by one whatever accents their names have`() throws {
    let folder = try TemporaryDirectory()
    let path = try Self.makeStore("a.sqlite", in: folder)
    try Connection(path: path, mode: .readWrite).execute(
      "CREATE TABLE \u{c9} (a); CREATE TABLE E\u{301} (b)")
    let tables = try StoreFile.open(path: path).declarations().tables
    #expect(tables.suffix(2).map { $0.columns.map(\.name) } == [["a"], ["b"]])
  }
}
