import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport

/// A copy of the repository's example in a folder of its own.
struct ExampleProject {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["Migrations", "Migrations/Sample", "Mappings"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for name in [
      "Migrations/history.json", "Migrations/Events 1.json", "Migrations/Events 2.json",
      "Migrations/Sample/Events.sqlite", "Mappings/StepOne.json", "Mappings/StepTwo.json",
    ] {
      try folder.copy(Repository.file(name), to: name)
    }
  }

  static let sample = "Migrations/Sample/Events.sqlite"
  static let migrated = "Migrations/Sample/Events.migrated.sqlite"

  func path(_ name: String) -> String { folder.path(name) }

  func migrate(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(arguments, in: folder.path)
  }

  func migrate(_ arguments: [String]) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(arguments, in: folder.path)
  }

  /// The main form.
  func migrateByName() throws -> MigrateProcess.Outcome {
    try migrate("--mappings", "StepOne,StepTwo")
  }

  func sampleBytes() throws -> [UInt8] { try bytes(of: path(Self.sample)) }

  /// Every file that a run left, sidecars of WAL mode left out: they are caches.
  func names() -> [String] {
    folder.everything.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
  }

  /// Puts another store in the sample's place, with as many events as asked for.
  func replaceSample(events: Int64) throws {
    try FileManager.default.removeItem(atPath: path(Self.sample))
    let store = try TestStore(model: SampleStore.eventsModel, at: path(Self.sample))
    try store.execute(
      """
      WITH RECURSIVE keys(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM keys WHERE n < \(events))
      INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) SELECT n, 1, 1, n * 61 FROM keys
      """)
    try store.close()
  }

  /// Changes a store with SQL.
  func change(_ name: String, _ sql: String) throws {
    try Connection(path: path(name), mode: .readWrite).execute(sql)
  }

  /// The objects of the migrated store.
  func migratedContents() throws -> StoreContents {
    try StoreContents(
      path: path(Self.migrated), model: ModelFile.read(path: path("Migrations/Events 2.json")))
  }
}
