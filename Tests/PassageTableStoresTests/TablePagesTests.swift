import Foundation
import PassageFiles
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

@testable import PassageTableStores

/// Plain databases whose rows are copied page by page: what is copied, and that nothing else is.
struct TablePagesTests: PlainDatabaseReading {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The tables of a database that are copied by pages.
  private func copied(_ path: String) throws -> [String] {
    let model = try type.model(path: path)
    let copy = folder.path("copied.sqlite")
    try FileSystem().remove(copy)
    let store = try StagedStore(path: copy, model: model)
    try store.attach(path, as: TableReader.schema, mode: .readOnly)
    let binding = try TableBinding(
      model: model, schema: TableSchema(Connection(path: path, mode: .readOnly)), path: path)
    let numbers = try TablePages(reader: TableReader(binding: binding, path: path, store: store))
      .copy()
    return binding.tables.filter { numbers.contains($0.number) }.map(\.table.name).sorted()
  }

  @Test(arguments: [
    ("a TEXT, b INT, c REAL, d BLOB", "1, 'x', 2, 3.5, x'00'", true),
    ("a TEXT NOT NULL", "1, ''", true),
    ("a DECIMAL(4, 2)", "1, 3.0", true),
    ("a BOOLEAN", "1, 1", true),
    // What SQL converts, or quarantines.
    ("a TEXT", "1, x'00'", false),
    ("a BOOLEAN", "1, 'yes'", false),
    ("a UUID", "1, NULL", false),
    ("a TEXT", "0, 'a key that is moved'", false),
    ("a TEXT", "-1, 'another'", false),
    ("a TEXT", "9223372036854775807, 'the last one'", false),
    // Columns that are computed when they are read are in no record.
    ("a TEXT, b TEXT AS (a)", "1, 'x'", false),
  ])
  func `a table is copied by pages where every cell is copied as it is`(
    columns: String, values: String, isCopied: Bool
  ) throws {
    let path = try database(
      "CREATE TABLE things (id INTEGER PRIMARY KEY, \(columns)); INSERT INTO things VALUES (\(values))"
    )
    #expect(try copied(path) == (isCopied ? ["things"] : []))
    _ = try stage(path, limit: 1)
  }

  @Test func `a table without keys of whole numbers is left to SQL`() throws {
    let path = try database(
      """
      CREATE TABLE a (code TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE b (id INT PRIMARY KEY, x TEXT);
      CREATE TABLE c (x TEXT);
      INSERT INTO a VALUES ('k'); INSERT INTO b VALUES (4, 'x'); INSERT INTO c VALUES ('y');
      """)
    #expect(try copied(path) == ["c"])
    _ = try stage(path)
  }

  @Test func `links are copied where they hold keys that are kept`() throws {
    let path = try database(
      """
      CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE dogs (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owners);
      CREATE TABLE cats (id INTEGER PRIMARY KEY, owner TEXT REFERENCES owners (name));
      CREATE TABLE moved (id INTEGER PRIMARY KEY);
      CREATE TABLE leads (id INTEGER PRIMARY KEY, way INTEGER REFERENCES moved);
      INSERT INTO owners VALUES (7, 'Ann'); INSERT INTO dogs VALUES (1, 7), (2, 8), (3, NULL);
      INSERT INTO cats VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO moved VALUES (-2); INSERT INTO leads VALUES (1, -2);
      """)
    #expect(try copied(path) == ["dogs", "owners"])
    let staged = try stage(path)
    #expect(
      try staged.rows("SELECT Z_PK, ZOWNER FROM ZDOG") == [[1, 7], [2, .null], [3, .null]])
  }

  @Test func `a row that lacks columns that were added later has their default values`() throws {
    let path = try database(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
      CREATE TABLE b (id INTEGER PRIMARY KEY, x TEXT);
      INSERT INTO a VALUES (1, 'x'); INSERT INTO b VALUES (1, 'x');
      ALTER TABLE a ADD COLUMN y TEXT;
      ALTER TABLE b ADD COLUMN y TEXT DEFAULT 'later';
      INSERT INTO b VALUES (2, 'x', NULL);
      """)
    #expect(try copied(path) == ["a"])
    #expect(try stage(path).rows("SELECT ZY FROM ZB") == [["later"], [.null]])
  }

  @Test func `values that do not fit their page are copied`() throws {
    let path = try database(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT, y BLOB, z TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO a SELECT i * 3, printf('%.*c', i * 40, 'x'), zeroblob(i * 71 % 9000), 'z' || i FROM n;
      """)
    #expect(try copied(path) == ["a"])
    #expect(try stage(path).integer("SELECT count(*) FROM ZA") == 300)
  }

  @Test func `a log with transactions is left to SQL`() throws {
    let path = try database(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO a VALUES (1, 'in the file');
      """)
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try copied(path) == ["a"])
    try other.execute("INSERT INTO a VALUES (2, 'in the log')")
    #expect(try copied(path) == [])
    #expect(try stage(path).integer("SELECT count(*) FROM ZA") == 2)
  }

  @Test func `the log beside the database counts, not one beside a link to it`() throws {
    let path = try database(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO a VALUES (1, 'in the file');
      """)
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let link = folder.path("link.sqlite3")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try copied(link) == ["a"])
    try other.execute("INSERT INTO a VALUES (2, 'in the log')")
    #expect(try copied(link) == [])
    #expect(try stage(link).integer("SELECT count(*) FROM ZA") == 2)
  }

  @Test func `real numbers are no keys, however they are stored`() throws {
    let path = try database(
      """
      CREATE TABLE owners (id INTEGER PRIMARY KEY);
      CREATE TABLE dogs (id INTEGER PRIMARY KEY, owner REAL REFERENCES owners);
      INSERT INTO owners VALUES (7); INSERT INTO dogs VALUES (1, 7);
      """)
    #expect(try copied(path) == ["owners"])
    #expect(try QuarantinedRow.read(stage(path, limit: 1), path: path).map(\.key) == [1])
  }

  @Test func `pages that contradict themselves give SQLite's error or its rows`() throws {
    let path = try database(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
      INSERT INTO a SELECT i, 'row ' || i FROM n;
      """)
    let whole = try #require(FileSystem().contents(path))
    var random = SeededRandom(seed: RandomSeed.told(for: "TablePagesTests"))
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 4_096..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      try folder.write(bytes, to: "plain.sqlite3")
      _ = try? stage(path, limit: 1_000, isDamaged: true)
    }
  }

  @Test func `random tables become the same store with and without pages`() throws {
    var random = SeededRandom(seed: RandomSeed.told(for: "TablePagesTests"))
    let types = [
      "TEXT", "INT", "SMALLINT", "BIGINT", "REAL", "BLOB", "BOOLEAN", "DECIMAL", "DATE", "",
      "VARCHAR(9)",
    ]
    for _ in 0..<60 {
      let chosen = (0..<Int.random(in: 1...5, using: &random)).map { _ in random.pick(types) }
      let columns = chosen.indices.map {
        "c\($0) \(chosen[$0])" + (random.chance(20) ? " NOT NULL" : "")
          + (random.chance(20) ? " DEFAULT 1" : "")
      }
      let key = random.pick([
        "INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY", "INT", "TEXT PRIMARY KEY",
      ])
      let strangers = random.chance(50)
      let rows = (0..<Int.random(in: 0...40, using: &random)).map { row in
        "(\(row * 3 + 1), "
          + chosen.map { Self.value($0, strangers && random.chance(4), &random) }
          .joined(separator: ", ") + ")"
      }
      let link = random.pick(["INTEGER", "INT", "REAL", "TEXT", "BLOB", ""])
      let path = try database(
        "DROP TABLE IF EXISTS l; DROP TABLE IF EXISTS t;"
          + "CREATE TABLE t (id \(key), \(columns.joined(separator: ", ")));"
          + "CREATE TABLE l (id INTEGER PRIMARY KEY, way \(link) REFERENCES t);"
          + "INSERT INTO l VALUES (1, 1), (2, NULL), (3, \(random.pick(["4", "7.0", "'4'", "9"])));"
          + rows.map { "INSERT OR IGNORE INTO t VALUES \($0);" }.joined()
          + (random.chance(20) ? "ALTER TABLE t ADD COLUMN late TEXT;" : ""))
      _ = try? stage(path, limit: 100)
    }
  }

  /// A value in SQL: one of the declared type, or any.
  private static func value(
    _ type: String, _ isAny: Bool, _ random: inout SeededRandom
  ) -> String {
    if random.chance(10) { return "NULL" }
    let whole = random.pick(["0", "1", "-1", "300", "70000", "-3000000000", "9000000000000000000"])
    let real = random.pick(["0.5", "3.0", "-1e300", "140737488355328.0", "9e18", "1e19"])
    let text = random.pick(["'x'", "''", "'7'", "'2020-02-03'", "'true'", "'é' || char(0) || 'b'"])
    if isAny { return random.pick([whole, real, text, "x'00ff'", "zeroblob(5000)"]) }
    switch type {
    case "INT", "BIGINT": return whole
    case "SMALLINT": return random.pick(["0", "1", "-1", "300"])
    case "BOOLEAN": return random.pick(["0", "1"])
    case "REAL", "DECIMAL": return random.pick([whole, real])
    case "BLOB": return random.pick(["x'00ff'", "zeroblob(5000)"])
    default: return text
    }
  }
}
