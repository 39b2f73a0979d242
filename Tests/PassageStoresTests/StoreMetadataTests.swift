import PassageStores
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
}
