import Foundation
import PassageDiagnostics
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

struct StoreFileTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func store(_ journalMode: StoreBuilder.JournalMode = .delete) throws -> String {
    let path = folder.path("events.sqlite")
    try StoreCreator.create(model: Fixtures.events, at: path, journalMode: journalMode)
    return path
  }

  /// Five thousand events.
  private static let fill =
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO ZEVENT SELECT i, 1, 1, i + 0.5 FROM n
    """

  private func kind(_ path: String) -> StoreError.Kind? {
    do {
      _ = try StoreFile.open(path: path, busyTimeout: 0)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `a sound store opens and says what it is`() throws {
    let store = try StoreFile.open(path: store())
    #expect(store.metadata.modelVersionIdentifiers == ["1"])
    #expect(try store.quickCheck() == [])
    #expect(try store.fullCheck() == [])
    #expect(try store.primaryKeys().map(\.name) == ["Event"])
  }

  /// Memory must not grow with them.
  @Test(arguments: [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME, Z_SUPER, Z_MAX)",
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER, Z_NAME, Z_SUPER, Z_MAX)",
  ])
  func `rows of Z_PRIMARYKEY with other numbers, or with one again, are left out`(
    statement: String
  ) throws {
    let path = try store(.delete)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DROP TABLE Z_PRIMARYKEY; \(statement)")
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT OR IGNORE INTO Z_PRIMARYKEY
      SELECT CASE WHEN i < 10 THEN i % 3 ELSE 1000000 + i END, 'e' || i, 0, i FROM n
      """)
    let opened = try StoreFile.open(path: path)
    #expect(try opened.primaryKeys().map(\.number) == [0, 1, 2])
    #expect(try opened.primaryKeys(numbered: 1...1).map(\.number) == [1])
    #expect(try opened.primaryKeys(numbered: 1_000_017...1_000_018).map(\.largestKey) == [17, 18])
  }

  @Test func `a path with nothing, a folder or a device is not a store`() {
    #expect(kind(folder.path("nothing")) == .missing)
    #expect(kind(folder.path("nothing/below")) == .missing)
    #expect(kind(folder.path) == .isDirectory)
    #expect(kind("/dev/null") == .notAFile)
  }

  @Test func `files that are not databases are distinguished`() throws {
    let whole = try bytes(of: store())
    #expect(kind(try folder.write([], to: "empty")) == .empty)
    #expect(kind(try folder.write(Array("hello".utf8), to: "text")) == .notSQLite)
    #expect(kind(try folder.write(Array(whole.prefix(10)), to: "magic")) == .truncated)
    #expect(kind(try folder.write(Array(whole.prefix(99)), to: "header")) == .truncated)
    #expect(kind(try folder.write(Array(whole.prefix(whole.count / 2)), to: "half")) == .truncated)
    var badPage = whole
    badPage[16] = 3
    #expect(kind(try folder.write(badPage, to: "page")) == .damaged)
  }

  @Test func `a database without Core Data's tables is not a store`() throws {
    let path = folder.path("plain")
    try Connection(path: path, mode: .create).execute("CREATE TABLE t(a)")
    #expect(kind(path) == .notACoreDataStore)
    let view = folder.path("view")
    try Connection(path: view, mode: .create).execute("CREATE VIEW Z_METADATA AS SELECT 1")
    #expect(kind(view) == .notACoreDataStore)
  }

  @Test func `a store without its row of metadata is distinguished`() throws {
    let path = try store()
    try Connection(path: path, mode: .readWrite).execute("DELETE FROM Z_METADATA")
    #expect(kind(path) == .noMetadata)
    try Connection(path: path, mode: .readWrite).execute(
      "INSERT INTO Z_METADATA VALUES (1, 'u', x'00')")
    #expect(kind(path) == .unreadableMetadata)
    try Connection(path: path, mode: .readWrite).execute("UPDATE Z_METADATA SET Z_PLIST = 7")
    #expect(kind(path) == .unreadableMetadata)
  }

  @Test func `a damaged schema is damage`() throws {
    let path = try store()
    var whole = try bytes(of: path)
    for index in 100..<4_096 { whole[index] = 0xFF }
    #expect(kind(try folder.write(whole, to: "damaged")) == .damaged)
  }

  @Test func `a damaged page is found by the checks`() throws {
    let path = try store()
    try Connection(path: path, mode: .readWrite).execute(Self.fill)
    var whole = try bytes(of: path)
    for index in (whole.count - 4_096)..<(whole.count - 4_000) { whole[index] = 0xFF }
    let damaged = try StoreFile.open(path: folder.write(whole, to: "damaged"))
    #expect(try !damaged.quickCheck().isEmpty)
    #expect(try damaged.fullCheck(limit: 1).count == 1)
  }

  @Test func `a store of few pages is checked with its indexes`() throws {
    let path = try store()
    try Connection(path: path, mode: .readWrite).execute(Self.fill)
    try EmptiedIndex.add(toDatabaseAt: path, table: "ZEVENT", column: "Z_OPT")
    let damaged = try StoreFile.open(path: path)
    #expect(try damaged.quickCheck() == [])
    #expect(try !damaged.boundedCheck().isEmpty)
  }

  @Test func `a store that another program holds is locked`() throws {
    let path = try store()
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("BEGIN EXCLUSIVE")
    #expect(kind(path) == .locked)
    try other.execute("ROLLBACK")
    #expect(kind(path) == nil)
  }

  @Test func `a log that waits is read and nothing is written to it`() throws {
    let path = try store(.wal)
    let writer = try Connection(path: path, mode: .readWrite)
    try writer.execute("INSERT INTO ZEVENT VALUES (1, 1, 1, 5.5)")
    let wal = try bytes(of: path + "-wal")
    #expect(!wal.isEmpty)
    let layout = StoreLayout(model: Fixtures.events)
    let store = try StoreFile.open(path: path)
    // What is written after the store was opened is not seen.
    try writer.execute("INSERT INTO ZEVENT VALUES (2, 1, 1, 6.5)")
    #expect(try store.objectCounts(layout).byEntity == ["Event": 1])
    #expect(try store.largestKey(table: "ZEVENT") == 1)
    #expect(try bytes(of: path + "-wal").starts(with: wal))
    #expect(try StoreMetadata.read(path: path).modelVersionIdentifiers == ["1"])
  }

  @Test func `opening changes no byte of the store`() throws {
    let path = try store(.wal)
    let before = try bytes(of: path)
    let store = try StoreFile.open(path: path)
    #expect(try store.describe().tables.map(\.rows) == [0, 1, 1, 1])
    #expect(try bytes(of: path) == before)
  }

  @Test func `reading metadata leaves no file beside a store that is closed`() throws {
    let path = try store(.wal)
    #expect(try StoreMetadata.read(path: path).storeType == "SQLite")
    #expect(folder.names == ["events.sqlite"])
  }

  @Test func `reading a store in WAL mode leaves no file beside it and no byte changed`() throws {
    let path = try store(.wal)
    let before = try (bytes(of: path), StoreFingerprint(path: path))
    do {
      let store = try StoreFile.open(path: path)
      #expect(try store.primaryKeys().count == 1)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["events.sqlite"])
    #expect(try bytes(of: path) == before.0)
    #expect(try StoreFingerprint(path: path) == before.1)
  }

  @Test func `the sidecars of a store that another program uses stay`() throws {
    let path = try store(.wal)
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    do { _ = try StoreFile.open(path: path) }
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try other.integer("SELECT count(*) FROM ZEVENT") == 1)
  }

  /// SQLite reads the two low bits of the number. Where they are 0 it reads the file as UTF-8, and attaches
  /// it to no connection: nothing could be migrated.
  @Test(arguments: [UInt8(4), 8, 252])
  func `a header with an encoding that is none is damage`(number: UInt8) throws {
    var changed = try bytes(of: store())
    changed[59] = number
    let copy = try folder.write(changed, to: "copy.sqlite")
    let error = try #require(throws: StoreError.self) { try StoreFile.open(path: copy) }
    #expect(error.kind == .damaged)
    #expect(error.detail?.contains("gives \(number) as the encoding") == true)
  }

  @Test(arguments: [UInt8(0), 1, 5, 253])
  func `a header whose encoding SQLite takes for UTF-8 is read as such`(number: UInt8) throws {
    var changed = try bytes(of: store())
    changed[59] = number
    let copy = try folder.write(changed, to: "copy.sqlite")
    #expect(try StoreFile.open(path: copy).header.textEncoding == 1)
    let other = try Connection(path: "", mode: .create)
    try other.attach(copy, as: "copy")
    #expect(try other.integer("SELECT count(*) FROM copy.Z_METADATA") == 1)
  }

  /// The version for writing may be any that this SQLite does not write; the one for reading decides.
  @Test(arguments: [(1, 2, true), (2, 1, false), (9, 2, true), (9, 1, false)])
  func `the journal mode is that of the version for reading`(
    versions: (write: UInt8, read: UInt8, isWAL: Bool)
  ) throws {
    var changed = try bytes(of: store(.wal))
    changed.replaceSubrange(18..<20, with: [versions.write, versions.read])
    let copy = try folder.write(changed, to: "copy.sqlite")
    let store = try StoreFile.open(path: copy)
    #expect(store.header.isWAL == versions.isWAL)
    let mode = try store.connection.value("PRAGMA journal_mode")
    #expect(mode == .text(versions.isWAL ? "wal" : "delete"))
  }

  @Test func `a store with an unfinished transaction is distinguished`() throws {
    let path = try store()
    try Connection(path: path, mode: .readWrite).execute(Self.fill)
    let writer = try Connection(path: path, mode: .readWrite)
    // A small cache makes SQLite write pages, and their old contents to the journal, before the end.
    try writer.execute("PRAGMA cache_size = 2; BEGIN; UPDATE ZEVENT SET ZTIMESTAMP = 0")
    let copy = try folder.copy(path, to: "copy.sqlite")
    _ = try folder.copy(path + "-journal", to: "copy.sqlite-journal")
    try writer.execute("ROLLBACK")
    #expect(kind(copy) == .unfinishedTransaction)
    #expect(kind(path) == nil)
    // The journal is beside the store itself, and is copied before anything is rolled back.
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: copy)
    let error = try #require(throws: StoreError.self) { try StoreFile.open(path: link) }
    let remedy = try #require(error.diagnostic.remedy)
    #expect(remedy.contains("cp -p -- '\(copy)' '\(copy)-journal' '\(copy).unrolled' && "))
  }

  @Test func `a folder that cannot be written takes a store without a log only`() throws {
    let path = try store(.wal)
    let header = try StoreFile.readHeader(path: path)
    func mode(_ walBytes: Int64, writable: Bool, shared: Bool) throws -> Connection.Mode {
      try StoreFile.mode(
        walBytes: walBytes, mayWriteBeside: writable, hasSharedMemory: shared, header: header,
        path: path)
    }
    #expect(try mode(0, writable: false, shared: false) == .immutable)
    #expect(try mode(0, writable: true, shared: false) == .readOnly)
    #expect(try mode(9, writable: true, shared: false) == .readOnly)
    #expect(try mode(9, writable: false, shared: true) == .readOnly)
    #expect(throws: StoreError(.walInReadOnlyFolder, path: path)) {
      try mode(9, writable: false, shared: false)
    }
  }

  @Test(arguments: StoreError.Kind.allCases)
  func `every kind of failure says what happened, where and under which code`(
    kind: StoreError.Kind
  ) {
    let diagnostic = StoreError(kind, path: "a/b.sqlite", detail: "because").diagnostic
    #expect(diagnostic.code == kind.rawValue)
    #expect(diagnostic.location == SourceLocation(file: "a/b.sqlite"))
    #expect(diagnostic.reason == "because")
    #expect(!diagnostic.message.isEmpty && !diagnostic.message.hasSuffix("."))
  }

  @Test func `rows of an entity that the table does not have are counted apart`() throws {
    let path = folder.path("library.sqlite")
    try StoreCreator.create(model: Fixtures.library, at: path, journalMode: .delete)
    try Connection(path: path, mode: .readWrite).execute(
      "INSERT INTO ZWORK (Z_PK, Z_ENT) VALUES (1, 5), (2, 6), (3, 6), (4, 1), (5, NULL), (6, 99)")
    let store = try StoreFile.open(path: path)
    let counts = try store.objectCounts(store.layout(of: Fixtures.library))
    #expect(counts.byEntity["Atlas"] == 1)
    #expect(counts.byEntity["book"] == 2)
    #expect(counts.byEntity["Work"] == 0)
    #expect(counts.strangers == ["ZWORK": 3])
    #expect(counts.total == 3)
  }

  @Test func `a store of another model does not fit a layout`() throws {
    let store = try StoreFile.open(path: store())
    let error = #expect(throws: StoreError.self) { try store.layout(of: Fixtures.library) }
    #expect(error?.kind == .layoutMismatch)
    #expect(error?.detail?.contains("table ZSHELF") == true)
  }

  @Test func `a join table named after its other end is found by its columns`() throws {
    let path = folder.path("library.sqlite")
    try StoreCreator.create(model: Fixtures.library, at: path, journalMode: .delete)
    try Connection(path: path, mode: .readWrite).execute(
      """
      DROP TABLE Z_3LIKES;
      CREATE TABLE Z_3LIKEDBY ( Z_3LIKES INTEGER, Z_3LIKEDBY INTEGER )
      """)
    let layout = try StoreFile.open(path: path).layout(of: Fixtures.library)
    guard
      case .joinTable(let table, let this, let other, nil)? = layout.entity(named: "Tag")?
        .storage(ofRelationship: "likes")
    else {
      Issue.record("likes has no join table")
      return
    }
    #expect(table.name == "Z_3LIKEDBY")
    #expect(table.columns == ["Z_3LIKES", "Z_3LIKEDBY"])
    #expect(this == "Z_3LIKEDBY" && other == "Z_3LIKES")
    #expect(layout.indexes.map(\.name).contains("Z_3LIKEDBY_Z_3LIKEDBY_INDEX"))
  }

  /// As frameworks numbered them: works are in places and in shows, and both call them works.
  @Test func `equal columns that are numbered the other way round are found`() throws {
    func many(_ name: String, _ destination: String, _ inverse: String) -> Relationship {
      Relationship(
        name: name, destinationEntityName: destination, inverseName: inverse, maximumCount: 0,
        isOrdered: name == "shows")
    }
    let model = Model(
      name: "m",
      entities: [
        Entity(
          name: "Art",
          relationships: [many("places", "Place", "works"), many("shows", "Show", "works")]),
        Entity(name: "Place", relationships: [many("works", "Art", "places")]),
        Entity(name: "Show", relationships: [many("works", "Art", "shows")]),
      ])
    let path = folder.path("art.sqlite")
    let new = try StoreCreator.create(model: model, at: path, journalMode: .delete)
    let made = try #require(new.joinTables.first { $0.name == "Z_1PLACES" }).owner.column
    let other = made == "Z_1WORKS" ? "Z_1WORKS1" : "Z_1WORKS"
    try Connection(path: path, mode: .readWrite).execute(
      """
      ALTER TABLE Z_1PLACES RENAME COLUMN \(made) TO \(other)2;
      ALTER TABLE Z_1SHOWS RENAME COLUMN \(other) TO \(made);
      ALTER TABLE Z_1SHOWS RENAME COLUMN Z_FOK_3SHOWS TO Z_FOK_9SHOWS
      """)
    let layout = try StoreFile.open(path: path).layout(of: model)
    func storage(_ relationship: String) -> [String?]? {
      guard
        case .joinTable(let table, let this, let far, let order)? = layout.entity(named: "Art")?
          .storage(ofRelationship: relationship)
      else { return nil }
      return [table.name, this, far, order]
    }
    #expect(storage("places") == ["Z_1PLACES", "\(other)2", "Z_2PLACES", nil])
    #expect(storage("shows") == ["Z_1SHOWS", made, "Z_3SHOWS", "Z_FOK_9SHOWS"])

    // Two columns could hold one end: neither is chosen.
    try Connection(path: path, mode: .readWrite).execute(
      "ALTER TABLE Z_1PLACES ADD COLUMN Z_1WORKS7 INTEGER")
    #expect(throws: StoreError.self) { try StoreFile.open(path: path).layout(of: model) }
  }
}
