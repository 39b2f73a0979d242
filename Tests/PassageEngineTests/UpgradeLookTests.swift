import Foundation
import Passage
import PassageModels
import PassageSQLite
import PassageTesting
import Testing

/// What an app asks before it upgrades its store, and the upgrade it can watch and stop.
@Suite struct UpgradeLookTests {
  private static func upgrade(in project: TemporaryDirectory) throws -> StoreUpgrade {
    try FileManager.default.createDirectory(
      atPath: project.path("Migrations"), withIntermediateDirectories: false)
    for model in [Safety.source, Safety.destination] {
      try project.write(
        Array(ModelDocument.encode(model).utf8), to: "Migrations/Model \(model.name).json")
    }
    try project.write(
      Array(
        """
        {"versions": [{"name": "1", "model": "Model 1.json"},
                      {"name": "2", "model": "Model 2.json"}],
         "steps": [{"from": "1", "to": "2", "mappings": []}]}
        """.utf8), to: "Migrations/history.json")
    return StoreUpgrade(migrations: project.url("Migrations"))
  }

  private static var inferring: MigrationOptions {
    var options = MigrationOptions()
    options.allowed.inference = true
    return options
  }

  @Test func `status and plan say what an upgrade then does, and write nothing`() async throws {
    let trial = try Safety.trial()
    let project = try TemporaryDirectory()
    let upgrade = try Self.upgrade(in: project)
    let url = URL(fileURLWithPath: trial.sourcePath)
    let names = trial.directory.names
    let bytes = try Data(contentsOf: url)

    let before = try await upgrade.status(storeAt: url)
    #expect(before.versionName == "1")
    #expect(before.targetName == "2")
    #expect(before.needsMigration)
    #expect(try await !upgrade.status(storeAt: url, for: "1").needsMigration)
    let plan = try await upgrade.plan(storeAt: url, options: Self.inferring)
    #expect(!plan.isUpToDate)
    #expect(plan.steps.map(\.destination) == ["2"])
    #expect(try Data(contentsOf: url) == bytes)
    #expect(trial.directory.names == names)

    let migration = upgrade.start(storeAt: url, options: Self.inferring)
    for await _ in migration.progress {}
    #expect(try await migration.value.outcome == .migrated)
    let after = try await upgrade.status(storeAt: url)
    #expect(after.versionName == "2" && !after.needsMigration)
    #expect(after.storeUUID == before.storeUUID)
    let rest = try await upgrade.plan(storeAt: url)
    #expect(rest.isUpToDate && rest.steps.isEmpty)
    #expect(try await upgrade.run(storeAt: url).outcome == .upToDate)
  }

  /// An app must not open it, and cannot migrate it.
  @Test func `a store of a newer app is not as it should be, and has no version`() async throws {
    let newer = Model("3", [Entity("Person", [.text("name"), .text("title")])])
    let trial = try Trial(newer, newer, [])
    let project = try TemporaryDirectory()
    let upgrade = try Self.upgrade(in: project)
    let url = URL(fileURLWithPath: trial.sourcePath)
    let status = try await upgrade.status(storeAt: url)
    #expect(status.needsMigration && status.versionName == nil && status.targetName == "2")
    let plan = await #expect(throws: MigrationError.self) {
      _ = try await upgrade.plan(storeAt: url, options: Self.inferring)
    }
    let run = await #expect(throws: MigrationError.self) {
      _ = try await upgrade.run(storeAt: url, options: Self.inferring)
    }
    for error in [plan, run] {
      #expect(error?.codes.contains("PLN-016") == true && error?.kind == .sourceModelUnknown)
    }
  }

  /// Leaves a journal that must be rolled back, as an app does that is killed inside a transaction.
  private static func kill(_ trial: Trial) throws {
    let names = ["old.sqlite", "old.sqlite-journal"]
    var left: [[UInt8]] = []
    do {
      let writer = try Connection(path: trial.sourcePath, mode: .readWrite)
      // A small cache makes SQLite write pages before the end of the transaction.
      try writer.execute(
        "PRAGMA cache_size = 1; BEGIN; UPDATE ZPERSON SET ZNAME = randomblob(300000)")
      left = try names.map { try #require(trial.directory.contents($0)) }
      try writer.execute("ROLLBACK")
    }
    for (name, bytes) in zip(names, left) { try trial.directory.write(bytes, to: name) }
  }

  /// For `inputOutput` an app calls again, which would go on forever.
  @Test func `a transaction that was not completed is no error that a second call mends`()
    async throws
  {
    let trial = try Safety.trial(journalMode: .delete)
    let project = try TemporaryDirectory()
    let upgrade = try Self.upgrade(in: project)
    let url = URL(fileURLWithPath: trial.sourcePath)
    try Self.kill(trial)
    let before = ["old.sqlite", "old.sqlite-journal"].map { trial.directory.contents($0) }
    let status = await #expect(throws: MigrationError.self) {
      _ = try await upgrade.status(storeAt: url)
    }
    let plan = await #expect(throws: MigrationError.self) {
      _ = try await upgrade.plan(storeAt: url, options: Self.inferring)
    }
    let run = await #expect(throws: MigrationError.self) {
      _ = try await upgrade.run(storeAt: url, options: Self.inferring)
    }
    for error in [status, plan, run] {
      #expect(error?.codes == ["STO-114"] && error?.kind == .wrongCall)
      #expect(error?.diagnostics.all.first?.remedy?.contains("sqlite3 ") == true)
    }
    #expect(["old.sqlite", "old.sqlite-journal"].map { trial.directory.contents($0) } == before)

    // What the page tells an app to do.
    _ = try Connection(path: trial.sourcePath, mode: .readWrite).integer(
      "SELECT count(*) FROM sqlite_master")
    #expect(try await upgrade.run(storeAt: url, options: Self.inferring).outcome == .migrated)
  }

  @Test(arguments: [nil, "2"])
  func `a history that is not there is told with its place`(version: String?) async throws {
    let trial = try Safety.trial()
    let project = try TemporaryDirectory()
    let url = URL(fileURLWithPath: trial.sourcePath)
    let folder = project.url("Elsewhere")
    func failure() async -> MigrationError? {
      await #expect(throws: MigrationError.self) {
        _ = try await StoreUpgrade(migrations: folder).run(storeAt: url, to: version)
      }
    }
    let missing = await failure()
    #expect(missing?.codes == ["PLN-017"] && missing?.kind == .wrongCall)
    #expect(missing?.localizedDescription == "there is no history.json in “\(folder.path)”")
    #expect(missing?.diagnostics.all.first?.reason == "the folder does not exist")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let empty = await failure()
    #expect(empty?.codes == ["PLN-017"])
    #expect(empty?.localizedDescription == missing?.localizedDescription)
    let first = try #require(empty?.diagnostics.all.first)
    #expect(first.reason == nil)
  }

  @Test func `both report a version that the history lacks`() async throws {
    let trial = try Safety.trial()
    let project = try TemporaryDirectory()
    let upgrade = try Self.upgrade(in: project)
    let url = URL(fileURLWithPath: trial.sourcePath)
    let error = await #expect(throws: MigrationError.self) {
      _ = try await upgrade.status(storeAt: url, for: "3")
    }
    #expect(error?.diagnostics.map(\.code) == ["PLN-018"])
    #expect(error?.localizedDescription == "the history has no version “3”")
    await #expect(throws: MigrationError.self) {
      _ = try await upgrade.plan(storeAt: url, to: "3")
    }
  }
}
