import PassageDiagnostics
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import Testing

/// Stores in WAL mode of which only the main file was copied.
@Suite struct MissingLogTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A store whose metadata is in its log alone.
  private func makeStore(_ statements: String) throws -> String {
    let path = folder.path("Notes.sqlite")
    let model = Model(name: "1", entities: [Entity(name: "Note")])
    try StoreCreator.create(model: model, at: path)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(statements)
    }
    return path
  }

  @Test(arguments: ["DELETE FROM Z_METADATA", "DROP TABLE Z_METADATA"])
  func `a main file without metadata and without its log names the missing file`(
    statements: String
  ) throws {
    let path = try makeStore(statements)
    let error = try #require(throws: StoreError.self) { try StoreFile.open(path: path) }
    #expect(error.kind == .logMissing)
    #expect(error.diagnostic.code == "STO-121")
    // What was in the file, nobody knows.
    #expect(error.diagnostic.message.contains("may have had it"))
    #expect(error.isDamage)
    #expect(error.description.contains("Notes.sqlite-wal"))
    #expect(throws: StoreError.self) { try StoreMetadata.read(path: path) }
  }

  @Test func `a store that is not in WAL mode has no log to miss`() throws {
    let path = try makeStore("PRAGMA journal_mode = DELETE; DELETE FROM Z_METADATA")
    let error = try #require(throws: StoreError.self) { try StoreFile.open(path: path) }
    #expect(error.kind == .noMetadata)
  }
}
