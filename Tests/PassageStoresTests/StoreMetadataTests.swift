import PassageSQLite
import PassageStores
import PassageTesting
import Testing

struct StoreMetadataTests {
  let old = ModelHashes(model: Fixtures.events)
  let new = ModelHashes(model: Fixtures.library)

  @Test func `a migration keeps the app's entries and the UUID and renews the rest`() {
    let app = [
      PropertyList.Member("token", .string("t")),
      PropertyList.Member("NSStoreType", .string("XML")),
      PropertyList.Member("when", .date(1.5)),
    ]
    let before = StoreMetadata(
      storeUUID: "U", hashes: old, versionIdentifiers: ["1"], appMembers: app)
    let after = before.carriedOver(to: new, versionIdentifiers: ["2"])
    #expect(after.storeUUID == "U")
    #expect(after.appMembers == [app[0], app[2]])
    #expect(after.modelVersionIdentifiers == ["2"])
    #expect(after.versionHashes == new.hashes)
    #expect(after.storeType == "SQLite")
    #expect(!after.members.contains { old.hashes.keys.contains($0.key) })
    #expect(Set(after.members.map(\.key)).count == after.members.count)
  }

  @Test func `entries of other kinds than expected are absent`() {
    let metadata = StoreMetadata(
      storeUUID: "U",
      members: [
        PropertyList.Member("NSStoreModelVersionHashes", .string("?")),
        PropertyList.Member("NSStoreModelVersionIdentifiers", .integer(1)),
        PropertyList.Member("NSPersistenceFrameworkVersion", .string("1")),
      ])
    #expect(metadata.versionHashes.isEmpty)
    #expect(metadata.modelVersionIdentifiers.isEmpty)
    #expect(metadata.frameworkVersion == nil)
    #expect(!metadata.isCompatible(with: old))
  }

  private func store(_ statements: String) throws -> (folder: TemporaryDirectory, path: String) {
    let folder = try TemporaryDirectory()
    let path = folder.path("library.sqlite")
    try StoreCreator.create(model: Fixtures.library, at: path, journalMode: .delete)
    try Connection(path: path, mode: .readWrite).execute(statements)
    return (folder, path)
  }

  @Test(arguments: [
    ("ALTER TABLE Z_METADATA RENAME COLUMN Z_UUID TO Z_UUIE", "no such column: Z_UUID"),
    ("ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO \"Z_PLISÿ\"", "no such column: Z_PLIST"),
    ("UPDATE Z_METADATA SET Z_UUID = NULL", "its Z_UUID is not a text"),
    ("UPDATE Z_METADATA SET Z_PLIST = NULL", "its Z_PLIST is not a blob of at most 67108864 bytes"),
    (
      "UPDATE Z_METADATA SET Z_PLIST = '<?xml version=\"1.0\"?><plist/>'",
      "its Z_PLIST is a property list in XML; Core Data writes a binary one"
    ),
    (
      "UPDATE Z_METADATA SET Z_PLIST = CAST('<plist/>' AS BLOB)",
      "its Z_PLIST is a property list in XML; Core Data writes a binary one"
    ),
  ])
  func `metadata that cannot be read is damage, and what is wrong with it is said`(
    statements: String, detail: String
  ) throws {
    let (folder, path) = try store(statements)
    let names = folder.names
    let error = #expect(throws: StoreError.self) { try StoreMetadata.read(path: path) }
    #expect(error?.kind == .unreadableMetadata)
    #expect(error?.isDamage == true)
    #expect(error?.detail == detail)
    #expect(folder.names == names)
  }

  @Test(arguments: [0, 2, 7]) func `of several rows Core Data's own counts`(number: Int) throws {
    let (folder, path) = try store("INSERT INTO Z_METADATA VALUES (\(number), 'other', x'00')")
    let metadata = try StoreMetadata.read(path: path)
    #expect(metadata.versionHashes == new.hashes)
    #expect(folder.names == ["library.sqlite"])
  }
}
