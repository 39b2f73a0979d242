import PassageSQLite
import PassageStores
import PassageTesting
import Testing

struct StoreFingerprintTests {
  @Test func `a store that is only read keeps its fingerprint`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("s.sqlite")
    try StoreCreator.create(model: Fixtures.events, at: path)
    let before = try StoreFingerprint(path: path)
    _ = try StoreFile.open(path: path).describe()
    #expect(try StoreFingerprint(path: path) == before)
  }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `a store that is written gets another fingerprint`(
    journalMode: StoreBuilder.JournalMode
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("s.sqlite")
    try StoreCreator.create(model: Fixtures.events, at: path, journalMode: journalMode)
    let before = try StoreFingerprint(path: path)
    let writer = try Connection(path: path, mode: .readWrite)
    try writer.execute("INSERT INTO ZEVENT VALUES (1, 1, 1, 5.5)")
    let after = try StoreFingerprint(path: path)
    #expect(after != before)
    #expect(journalMode == .wal ? after.walSalt != 0 : after.changeCounter != before.changeCounter)
  }

  @Test func `its text names every property, in order`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("s.sqlite")
    try StoreCreator.create(model: Fixtures.events, at: path)
    let fingerprint = try StoreFingerprint(path: path)
    let properties = Mirror(reflecting: fingerprint).children.map {
      "\($0.label ?? ""): \($0.value)"
    }
    #expect(properties.count == 7)
    #expect("\(fingerprint)" == "StoreFingerprint(\(properties.joined(separator: ", ")))")
  }

  @Test func `a missing store has no fingerprint`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("none")
    let error = #expect(throws: StoreError.self) { try StoreFingerprint(path: path) }
    #expect(error?.kind == .missing)
  }
}
