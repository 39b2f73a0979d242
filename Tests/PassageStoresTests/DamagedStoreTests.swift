import PassageSQLite
import PassageStores
import PassageTableStores
import PassageTesting
import TestSupport
import Testing

/// Stores with random damage: every one gives an error or an answer, in bounded time.
struct DamagedStoreTests {
  @Test func `a damaged store gives an error or an answer, and never stops the program`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed of the damaged stores: \(seed)")
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryDirectory()
    let path = folder.path("library.sqlite")
    try StoreCreator.create(model: Fixtures.library, at: path, journalMode: .delete)
    try Connection(path: path, mode: .readWrite).execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO ZWORK (Z_PK, Z_ENT, ZTITLE, ZYEAR) SELECT i, 5 + i % 2, 'title', i FROM n
      """)
    let original = try bytes(of: path)
    var opened = 0
    var refused = 0
    for _ in 0..<300 {
      var damaged = original
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        // Half of the damage goes to the schema and the metadata.
        let end = Bool.random(using: &random) ? damaged.count : min(damaged.count, 8_192)
        damaged[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random))
      }
      let copy = try folder.write(damaged, to: "damaged")
      _ = try? StoreFingerprint(path: copy)
      do {
        let store = try StoreFile.open(path: copy, busyTimeout: 0)
        opened += 1
        _ = try store.describe()
        _ = try store.primaryKeys()
        _ = try store.quickCheck()
        _ = try store.objectCounts(store.layout(of: Fixtures.library))
      } catch {
        refused += 1
      }
    }
    #expect(opened > 0 && refused > 0, "seed \(seed)")
  }

  @Test func `a store in WAL mode with a damaged schema is refused without leaving sidecars`()
    throws
  {
    let folder = try TemporaryDirectory()
    let path = folder.path("library.sqlite")
    try StoreCreator.create(model: Fixtures.library, at: path, journalMode: .wal)
    var damaged = try bytes(of: path)
    let statement = Array("CREATE TABLE Z_METADATA".utf8)
    let place = try #require(
      damaged.indices.first { damaged[$0...].starts(with: statement) })
    damaged[place + 8] = UInt8(ascii: "*")
    let copy = try folder.write(damaged, to: "damaged.sqlite")
    let before = folder.names
    let error = #expect(throws: StoreError.self) { try StoreFile.open(path: copy) }
    #expect(error?.kind == .damaged)
    #expect(folder.names == before)
    // To find out what it is, it is opened as a plain database first.
    #expect(
      !TableStoreType().recognizes(path: copy, firstBytes: Array(damaged.prefix(100))))
    #expect(folder.names == before)
  }
}
