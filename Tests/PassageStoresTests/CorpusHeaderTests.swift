import PassageModels
import PassageReaders
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// A new store's file and bookkeeping against those of stores that Core Data made.
@Suite(.enabled(if: Corpus.isPresent))
struct CorpusHeaderTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func pair(_ sample: Corpus.Sample) throws -> (real: OpenStore, made: OpenStore) {
    let model = try ModelFile.read(path: sample.modelPath)
    let path = folder.path("made.sqlite")
    try StoreCreator.create(model: model, at: path)
    return (
      try StoreFile.open(path: folder.copy(sample.storePath, to: "real.sqlite")),
      try StoreFile.open(path: path)
    )
  }

  @Test(arguments: Corpus.samples)
  func `a new store's header is that of Core Data's stores`(sample: Corpus.Sample) throws {
    let (real, made) = try pair(sample)
    #expect(made.header.pageBytes == real.header.pageBytes)
    #expect(made.header.textEncoding == real.header.textEncoding)
    #expect(made.header.isAutoVacuum && real.header.isAutoVacuum)
    #expect(made.header.isIncrementalVacuum && real.header.isIncrementalVacuum)
    for pragma in ["user_version", "application_id", "auto_vacuum", "encoding"] {
      #expect(
        try made.connection.value("PRAGMA \(pragma)") == real.connection.value("PRAGMA \(pragma)"),
        "\(pragma)")
    }
    // Apps may ask for a rollback journal; the framework's own choice since 2013 is the log.
    #expect(made.header.isWAL)
  }

  @Test(arguments: Corpus.samples)
  func `a new store has every entry of metadata that Core Data wrote, with its value`(
    sample: Corpus.Sample
  ) throws {
    let (real, made) = try pair(sample)
    let app = Set(real.metadata.appMembers.map(\.key))
    let own = real.metadata.members.filter { !app.contains($0.key) }
    #expect(own.count >= 6)
    for member in own where member.key != "NSPersistenceFrameworkVersion" {
      // A store that was migrated may have been so by a version with the same hashes and another name.
      if member.key == "NSStoreModelVersionIdentifiers", !sample.isPristine { continue }
      let found = made.metadata[member.key]
      if let members = member.value.members {
        // Dictionaries have no order.
        #expect(
          Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
            == Dictionary(
              uniqueKeysWithValues: (found?.members ?? []).map { ($0.key, $0.value) }),
          "\(member.key)")
      } else {
        #expect(found == member.value, "\(member.key)")
      }
    }
    // The first framework whose stores carry every entry that is written has no other.
    if (real.metadata.frameworkVersion ?? 0) >= 1_327 {
      #expect(Set(own.map(\.key)) == Set(made.metadata.members.map(\.key)))
    }
    #expect(made.metadata.appMembers.isEmpty)
    #expect(made.metadata.storeUUID.utf8.count == real.metadata.storeUUID.utf8.count)
  }
}
