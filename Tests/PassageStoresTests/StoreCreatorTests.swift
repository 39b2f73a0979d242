import Foundation
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

struct StoreCreatorTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `a new store has the header of Core Data's stores`(
    journalMode: StoreBuilder.JournalMode
  ) throws {
    let path = folder.path("new.sqlite")
    try StoreCreator.create(model: Fixtures.library, at: path, journalMode: journalMode)
    let header = try bytes(of: path)
    #expect(Array(header[16..<18]) == [0x10, 0x00], "pages of 4096 bytes")
    #expect(Array(header[18..<20]) == (journalMode == .wal ? [2, 2] : [1, 1]))
    #expect(header[47] == 4, "schema format 4")
    #expect(header[52..<56].contains { $0 != 0 }, "auto-vacuum")
    #expect(Array(header[56..<60]) == [0, 0, 0, 1], "UTF-8")
    #expect(Array(header[60..<64]) == [0, 0, 0, 0], "no user version")
    #expect(Array(header[64..<68]) == [0, 0, 0, 1], "incremental")
    #expect(Array(header[68..<72]) == [0, 0, 0, 0], "no application id")
    #expect(folder.names == ["new.sqlite"])
  }

  @Test func `a new store is sound, complete and has nothing else`() throws {
    let path = folder.path("new.sqlite")
    let layout = try StoreCreator.create(model: Fixtures.library, at: path)
    let store = try StoreFile.open(path: path)
    #expect(try store.fullCheck() == [])
    let statements = try store.connection.rows(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    ).compactMap { $0[0].string }
    #expect(
      statements
        == layout.tableStatements + BookkeepingTable.allCases.map(\.createStatement)
        + layout.indexes.map(\.createStatement))
    #expect(
      try store.primaryKeys().map { [$0.number, $0.parentNumber, $0.largestKey] }
        == [[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0], [5, 4, 0], [6, 4, 0]])
    #expect(try store.layout(of: Fixtures.library) == layout)
  }

  @Test func `a new store is compatible with its model and with no other`() throws {
    let path = folder.path("new.sqlite")
    let uuid = UUID()
    try StoreCreator.create(model: Fixtures.library, at: path, storeUUID: uuid)
    let metadata = try StoreMetadata.read(path: path)
    let hashes = ModelHashes(model: Fixtures.library)
    #expect(metadata.storeUUID == uuid.uuidString)
    #expect(metadata.isCompatible(with: hashes))
    #expect(!metadata.isCompatible(with: ModelHashes(model: Fixtures.events)))
    #expect(metadata.versionHashesDigest == hashes.digest)
    #expect(metadata.versionChecksum == hashes.checksum)
    #expect(metadata["_NSAutoVacuumLevel"] == .string("2"))
    #expect(metadata.appMembers.isEmpty)
  }

  @Test func `the same call gives the same bytes`() throws {
    let uuid = UUID()
    let paths = [folder.path("a"), folder.path("b")]
    for path in paths {
      try StoreCreator.create(model: Fixtures.library, at: path, storeUUID: uuid)
    }
    #expect(try bytes(of: paths[0]) == bytes(of: paths[1]))
  }

  @Test func `a file that is there is never replaced`() throws {
    let path = try folder.write([1, 2, 3], to: "there")
    let error = #expect(throws: StoreError.self) {
      try StoreCreator.create(model: Fixtures.events, at: path)
    }
    #expect(error?.kind == .destinationExists)
    #expect(try bytes(of: path) == [1, 2, 3])
    #expect(folder.names == ["there"])
  }

  @Test func `a folder that is missing is an error and nothing is left behind`() throws {
    let path = folder.path("none/new.sqlite")
    let error = #expect(throws: StoreError.self) {
      try StoreCreator.create(model: Fixtures.events, at: path)
    }
    #expect(error?.kind == .missing)
    #expect(folder.names.isEmpty)
  }

  @Test func `a build that was interrupted continues where it stopped`() throws {
    let path = folder.path("pass.sqlite")
    let layout = StoreLayout(model: Fixtures.library)
    let metadata = StoreMetadata(
      storeUUID: "U", hashes: ModelHashes(model: Fixtures.library), versionIdentifiers: [])
    for round in 0..<2 {
      let builder = try StoreBuilder(path: path, layout: layout)
      try builder.createTables()
      if round == 0 { try builder.connection.execute(builder.indexStatements[0]) }
    }
    let builder = try StoreBuilder(path: path, layout: layout)
    try builder.connection.execute("INSERT INTO ZTAG VALUES (7, 3, 1)")
    for _ in 0..<2 {
      try builder.createIndexes()
      try builder.writePrimaryKeys(["Tag": 7, "book": 99])
      try builder.writeMetadata(metadata)
      try builder.finish(journalMode: .delete)
    }
    let store = try StoreFile.open(path: path)
    #expect(try store.fullCheck() == [])
    #expect(store.metadata == metadata)
    #expect(try store.primaryKeys().map(\.largestKey) == [0, 0, 7, 0, 0, 0])
    #expect(try store.describe().tables.map(\.name).count == layout.tableStatements.count + 3)
  }
}
