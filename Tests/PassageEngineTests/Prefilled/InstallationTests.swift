import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

@Suite struct InstallationTests {
  @Test(arguments: PrefilledStore.State.allCases)
  func `the whole unit arrives, and the pre-filled store stays as it was`(
    state: PrefilledStore.State
  ) throws {
    let bundle = try PrefilledStore(state)
    let report = try bundle.install()
    #expect(report.outcome == .installed)
    #expect(report.versionName == "1")
    #expect(report.externalFiles == 3)
    #expect(report.needsMigration == nil)
    #expect(bundle.installedNames == PrefilledStore.wholeNames.sorted())
    let reference = try PrefilledStore()
    // The UUIDs differ: each store was made by itself.
    var found = try StoreContents(path: bundle.installedPath, model: PrefilledStore.source)
    let expected = try StoreContents(path: reference.path, model: PrefilledStore.source)
    #expect(found.differences(from: expected) == [])
    found = try StoreContents(path: bundle.installedPath, model: PrefilledStore.source)
    #expect(found["Tag"].count == 40)
    for name in PrefilledStore.files {
      let folder = "_SUPPORT/_EXTERNAL_DATA/\(name)"
      #expect(
        bundle.directory.contents("app/.Store\(folder)")
          == bundle.directory.contents("bundle/.Default\(folder)"))
    }
    #expect(try StoreAudit(path: bundle.installedPath, model: PrefilledStore.source).findings == [])
  }

  @Test(arguments: [PrefilledStore.State.quietLog, .rollbackJournal])
  func `a store without anything beside it arrives byte for byte`(
    state: PrefilledStore.State
  ) throws {
    let bundle = try PrefilledStore(state)
    try bundle.install()
    #expect(
      bundle.directory.contents("app/Store.sqlite")
        == bundle.directory.contents("bundle/Default.sqlite"))
  }

  @Test func `an existing store is left alone, and its version is reported`() throws {
    let bundle = try PrefilledStore()
    try bundle.install()
    let before = bundle.contents("app")
    let again = try bundle.install(target: PrefilledStore.destination)
    #expect(again.outcome == .alreadyThere)
    #expect(again.versionName == "1")
    #expect(again.targetName == "2")
    #expect(again.needsMigration == true)
    #expect(try bundle.install(target: PrefilledStore.source).needsMigration == false)
    #expect(bundle.contents("app") == before)
  }

  @Test(arguments: PrefilledStore.State.allCases)
  func `a store of another version is migrated on the way in`(
    state: PrefilledStore.State
  ) throws {
    let bundle = try PrefilledStore(state)
    let report = try bundle.install(
      target: PrefilledStore.destination, route: PrefilledStore.route)
    #expect(report.outcome == .migrated)
    #expect(report.versionName == "2")
    #expect(report.needsMigration == false)
    #expect(report.migration?.steps.count == 1)
    #expect(bundle.installedNames == PrefilledStore.wholeNames.sorted())
    let path = bundle.installedPath
    #expect(try StoreAudit(path: path, model: PrefilledStore.destination).findings == [])
    let contents = try StoreContents(path: path, model: PrefilledStore.destination)
    #expect(contents["Photo"].count == 3)
    #expect(contents.object("Photo", 1)?.keys("tags").count == 27)
  }

  // MARK: Refusals

  @Test func `a store of a known other version is refused with the differences`() throws {
    let bundle = try PrefilledStore()
    let error = try bundle.failure(target: PrefilledStore.destination)
    #expect(error.kind == .migrationNeeded)
    #expect(error.kind.rawValue == 10)
    #expect(error.codes == ["INS-010"])
    #expect(error.description.contains("title"))
    #expect(bundle.installedNames == [])
  }

  @Test func `a store of no known version is refused with the differences`() throws {
    let bundle = try PrefilledStore()
    let error = try #require(throws: MigrationError.self) {
      try bundle.installation(
        target: PrefilledStore.destination, models: [PrefilledStore.destination]
      ).run(control: RunControl())
    }
    #expect(error.kind == .sourceModelUnknown)
    #expect(error.codes == ["INS-011"])
    #expect(error.description.contains("Photo"))
    #expect(bundle.installedNames == [])
  }

  @Test func `where no way is found the differences are reported too`() throws {
    let bundle = try PrefilledStore()
    let error = try bundle.failure(target: PrefilledStore.destination) { _ in
      throw MigrationError(.noMapping, Diagnostic("PLN-019", "no steps lead there"))
    }
    #expect(error.kind == .noMapping)
    #expect(error.codes == ["PLN-019", "INS-012"])
    #expect(error.description.contains("title"))
  }

  @Test func `a path where no store can be is refused and left alone`() throws {
    let bundle = try PrefilledStore()
    let directory = bundle.directory
    try FileManager.default.createDirectory(
      atPath: directory.path("app/folder"), withIntermediateDirectories: false)
    for (name, target) in [("dangling", "nowhere"), ("toFolder", "folder")] {
      try FileManager.default.createSymbolicLink(
        atPath: directory.path("app/\(name)"), withDestinationPath: target)
    }
    try directory.write(Array("a text".utf8), to: "app/text")
    try directory.write([], to: "app/empty")
    do {
      let database = try Connection(path: directory.path("app/other"), mode: .create)
      try database.execute("CREATE TABLE notes (text TEXT)")
    }
    let before = bundle.contents("app")
    for (name, code) in [
      ("folder", "INS-001"), ("toFolder", "INS-001"), ("dangling", "INS-002"),
      ("text", "INS-003"), ("empty", "INS-003"), ("other", "INS-003"), ("none/Store", "RUN-003"),
    ] {
      let error = try bundle.failure(to: directory.path("app/\(name)"))
      #expect(error.codes == [code], "\(name)")
      #expect(error.kind == .wrongCall, "\(name)")
    }
    #expect(try bundle.failure(to: bundle.path).codes == ["RUN-001"])
    #expect(try bundle.failure(to: directory.path("bundle/Default.db")).codes == ["STO-315"])
    #expect(bundle.contents("app") == before)
  }

  @Test func `a link to a store counts as the store`() throws {
    let bundle = try PrefilledStore()
    try bundle.install()
    let link = bundle.directory.path("app/link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "Store.sqlite")
    #expect(try bundle.install(to: link).outcome == .alreadyThere)
  }

  @Test func `a damaged store is refused before it is put anywhere`() throws {
    let bundle = try PrefilledStore(.rollbackJournal)
    var bytes = try #require(bundle.directory.contents("bundle/Default.sqlite"))
    for place in stride(from: 4_096 * 3, to: bytes.count, by: 7) { bytes[place] = 0xFF }
    try bundle.directory.write(bytes, to: "bundle/Default.sqlite")
    let error = try bundle.failure()
    #expect(error.kind == .sourceDamaged)
    #expect(bundle.installedNames == [])
  }

  @Test func `a small store with an index that does not agree with its table is damaged`() throws {
    let bundle = try PrefilledStore(.rollbackJournal)
    try EmptiedIndex.add(toDatabaseAt: bundle.path, table: "ZTAG", column: "ZNAME")
    #expect(try bundle.failure().kind == .sourceDamaged)
    #expect(bundle.installedNames == [])
  }

  @Test func `missing files of external data are reported, or refused on request`() throws {
    let bundle = try PrefilledStore()
    try FileManager.default.removeItem(
      atPath: bundle.directory.path(
        "bundle/.Default_SUPPORT/_EXTERNAL_DATA/\(PrefilledStore.files[1])"))
    var options = InstallationOptions()
    options.migration.companions.missingFiles = .refuse
    let error = try bundle.failure(options: options)
    #expect(error.kind == .sourceDamaged)
    #expect(error.codes == ["STO-311"])
    #expect(bundle.installedNames == [])
    #expect(try bundle.install().warnings.all.map(\.code) == ["STO-312"])
  }

  @Test func `files that belong to no object are reported where they are`() throws {
    let bundle = try PrefilledStore(orphans: 1)
    let report = try bundle.install(
      target: PrefilledStore.destination, route: PrefilledStore.route)
    let warning = try #require(report.warnings.all.first { $0.code == "STO-314" })
    let place = try #require(warning.location?.file)
    #expect(place == bundle.directory.path("bundle/.Default_SUPPORT/_EXTERNAL_DATA"))
  }

  @Test func `an unfinished migration to the same place is not thrown away`() throws {
    let bundle = try PrefilledStore()
    _ = try WorkFolder.hold(bundle.installedPath + ".passage", files: FileSystem())
    let identity = #"{"source": "s", "plan": "p", "now": 0}"#
    try bundle.directory.write(Array(identity.utf8), to: "app/Store.sqlite.passage/run.json")
    let error = try bundle.failure()
    #expect(error.codes == ["INS-005"])
    #expect(bundle.directory.contents("app/Store.sqlite.passage/run.json") == Array(identity.utf8))
  }

  // MARK: Identity

  @Test func `the UUID is kept, or a new one given where that is asked for`() throws {
    let bundle = try PrefilledStore(.hotLog)
    let uuid = try StoreFile.open(path: bundle.path).metadata.storeUUID
    #expect(try bundle.install().storeUUID == uuid)
    #expect(try StoreMetadata.read(path: bundle.installedPath).storeUUID == uuid)
    var options = InstallationOptions()
    options.identity = .fresh
    let others = try (1...2).map { number in
      let path = bundle.directory.path("app/Other\(number).sqlite")
      let report = try bundle.install(to: path, options: options)
      let metadata = try StoreMetadata.read(path: path)
      #expect(metadata.storeUUID == report.storeUUID)
      #expect(try metadata.members == StoreMetadata.read(path: bundle.installedPath).members)
      return report.storeUUID
    }
    #expect(Set(others + [uuid]).count == 3)
  }

  // MARK: In use

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `of a store with an open write transaction, what is committed arrives`(
    mode: StoreBuilder.JournalMode
  ) throws {
    let bundle = try PrefilledStore(mode == .wal ? .quietLog : .rollbackJournal)
    let other = try Connection(path: bundle.path, mode: .readWrite)
    try other.execute("PRAGMA wal_autocheckpoint = 0")
    try other.execute("UPDATE ZTAG SET ZNAME = 'committed' WHERE Z_PK = 1")
    try other.execute("BEGIN IMMEDIATE")
    try other.execute("UPDATE ZTAG SET ZNAME = 'open'")
    try bundle.install()
    try other.execute("COMMIT")
    let contents = try StoreContents(path: bundle.installedPath, model: PrefilledStore.source)
    #expect(contents.object("Tag", 1)?["name"] == .text("committed"))
    #expect(contents.object("Tag", 2)?["name"] == .text("t2"))
  }

  @Test func `a log of a store that is gone is neither removed nor applied to the new one`() throws
  {
    let bundle = try PrefilledStore()
    let old = try PrefilledStore(.hotLog)
    try bundle.directory.copy(old.path + "-wal", to: "app/Store.sqlite-wal")
    let log = bundle.directory.contents("app/Store.sqlite-wal")
    let error = try #require(throws: MigrationError.self) { try bundle.install() }
    #expect(error.codes == ["RUN-002"])
    #expect(bundle.directory.contents("app/Store.sqlite-wal") == log)
    try FileManager.default.removeItem(
      atPath: bundle.directory.path("app/Store.sqlite-wal"))
    try bundle.install()
    #expect(bundle.installedNames == PrefilledStore.wholeNames.sorted())
    #expect(
      bundle.directory.contents("app/Store.sqlite")
        == bundle.directory.contents("bundle/Default.sqlite"))
  }

  @Test func `what is bundled read-only can be written where it is installed`() throws {
    let bundle = try PrefilledStore()
    let file = "_SUPPORT/_EXTERNAL_DATA/\(PrefilledStore.files[0])"
    for path in [bundle.path, bundle.directory.path("bundle/.Default\(file)")] {
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    }
    try bundle.install()
    for path in [bundle.installedPath, bundle.directory.path("app/.Store\(file)")] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == 0o644)
    }
  }
}
