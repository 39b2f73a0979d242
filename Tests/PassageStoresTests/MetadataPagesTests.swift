import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The metadata of a store at rest is read from its pages. It is what SQLite reads.
struct MetadataPagesTests {
  /// A store in WAL mode without a log.
  private func store(_ statements: String = "") throws -> (TemporaryDirectory, String) {
    let folder = try TemporaryDirectory()
    let path = folder.path("library.sqlite")
    try StoreCreator.create(model: Fixtures.library, at: path, journalMode: .delete)
    do {
      let connection = try Connection(path: path, mode: .readWrite, limits: .app)
      if !statements.isEmpty { try connection.execute(statements) }
      try connection.execute("PRAGMA journal_mode = WAL")
    }
    #expect(folder.names == ["library.sqlite"])
    return (folder, path)
  }

  /// What a look says: the metadata, or the kind of the error.
  private func answer(_ body: () throws -> StoreMetadata) -> (StoreMetadata?, StoreError.Kind?) {
    do { return (try body(), nil) } catch { return (nil, (error as? StoreError)?.kind) }
  }

  private func expectSame(_ path: String, _ comment: Comment? = nil) {
    let (found, problem) = answer { try StoreMetadata.read(path: path) }
    let (expected, reason) = answer { try StoreFile.open(path: path).metadata }
    #expect(found == expected && problem == reason, comment)
  }

  /// Statements that make further tables, so that the schema has many pages.
  private static let manyTables = (0..<400).map {
    "CREATE TABLE \"A table with a long name, number \($0)\" (a, b, c)"
  }.joined(separator: ";")

  @Test(arguments: [
    "", manyTables, "PRAGMA page_size = 512; VACUUM", "PRAGMA page_size = 65536; VACUUM",
    "PRAGMA auto_vacuum = FULL; VACUUM", "DROP TABLE Z_MODELCACHE; \(manyTables)",
    // These are left to SQLite.
    "INSERT INTO Z_METADATA VALUES (0, 'other', x'00')",
    "INSERT INTO Z_METADATA VALUES (2, 'other', x'00')", "UPDATE Z_METADATA SET Z_VERSION = 5",
    "DELETE FROM Z_METADATA", "DROP TABLE Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = 'text'",
    "UPDATE Z_METADATA SET Z_PLIST = x'00'", "UPDATE Z_METADATA SET Z_UUID = x'00'",
    "UPDATE Z_METADATA SET Z_UUID = CAST(x'ff' AS TEXT)",
    "ALTER TABLE Z_METADATA ADD COLUMN more",
    "ALTER TABLE Z_METADATA RENAME TO M; ALTER TABLE M RENAME TO z_metadata",
    "ALTER TABLE Z_METADATA RENAME TO M; CREATE VIEW Z_METADATA AS SELECT * FROM M",
    "ALTER TABLE Z_METADATA RENAME COLUMN Z_UUID TO Z_UUIE",
  ])
  func `a look at a store finds what SQLite finds`(statements: String) throws {
    let (folder, path) = try store(statements)
    expectSame(path)
    #expect(folder.names == ["library.sqlite"])
  }

  @Test(arguments: [0, 1, 100, 4_000, 5_000, 70_000, 1 << 20])
  func `metadata of any size is read`(size: Int) throws {
    let (folder, path) = try store()
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let metadata = try StoreMetadata.read(connection, path: path)
      let text = PropertyList.string(String(repeating: "é", count: size))
      try StoreMetadata(
        storeUUID: metadata.storeUUID,
        members: metadata.members + [PropertyList.Member("app", text)]
      ).replace(on: connection)
    }
    expectSame(path)
    #expect(folder.names == ["library.sqlite"])
  }

  @Test func `damage is found by SQLite, or makes no difference`() throws {
    let seed = RandomSeed.told(for: "MetadataPagesTests")
    var random = SeededRandom(seed: seed)
    let (folder, path) = try store()
    let original = try bytes(of: path)
    var readCount = 0
    for round in 0..<400 {
      var damaged = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 100..<damaged.count, using: &random)] =
          UInt8.random(in: 0...255, using: &random)
      }
      let copy = try folder.write(damaged, to: "damaged")
      let (found, _) = answer { try StoreMetadata.read(path: copy) }
      let (expected, _) = answer { try StoreFile.open(path: copy).metadata }
      if let found, let expected {
        readCount += 1
        #expect(found == expected, "round \(round), seed \(seed)")
      }
      // A look does not see what is wrong elsewhere; but it never knows less than SQLite.
      #expect(found != nil || expected == nil, "round \(round), seed \(seed)")
    }
    #expect(readCount > 0, "seed \(seed)")
  }
}
