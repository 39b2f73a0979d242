import Foundation
import Passage
import PassageEngine
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The calls that an app and its build make.
@Suite struct PrefilledLibraryTests {
  /// A project of two versions with one step, beside a pre-filled store.
  private func makeProject(_ bundle: PrefilledStore) throws -> URL {
    for name in ["Migrations", "Mappings"] {
      try FileManager.default.createDirectory(
        atPath: bundle.directory.path(name), withIntermediateDirectories: false)
    }
    for model in [PrefilledStore.source, PrefilledStore.destination] {
      try bundle.directory.write(
        Array(ModelDocument.encode(model).utf8), to: "Migrations/\(model.name).json")
    }
    let history = """
      {"versions": [{"name": "1", "model": "1.json"}, {"name": "2", "model": "2.json"}],
       "steps": [{"from": "1", "to": "2", "mappings": ["All"]}]}
      """
    try bundle.directory.write(Array(history.utf8), to: "Migrations/history.json")
    let mapping = """
      {"source": "1", "destination": "2", "entityMappings": [
        {"type": "copy", "source": "Photo", "destination": "Photo"},
        {"type": "copy", "source": "Tag", "destination": "Tag"}]}
      """
    try bundle.directory.write(Array(mapping.utf8), to: "Mappings/All.json")
    return bundle.directory.url("Migrations")
  }

  @Test func `an app installs its newest version, and finds it there the next time`() async throws {
    let bundle = try PrefilledStore(.hotLog)
    let installer = StoreInstaller(migrations: try makeProject(bundle))
    let source = URL(fileURLWithPath: bundle.path)
    let destination = URL(fileURLWithPath: bundle.installedPath)
    let first = try await installer.install(from: source, to: destination)
    #expect(first.outcome == .migrated)
    #expect(first.versionName == "2")
    let second = try await installer.install(from: source, to: destination)
    #expect(second.outcome == .alreadyThere)
    #expect(second.needsMigration == false)
    #expect(
      try StoreAudit(path: bundle.installedPath, model: PrefilledStore.destination).findings == [])
  }

  @Test func `an app installs a store of one model alone`() async throws {
    let bundle = try PrefilledStore()
    let source = URL(fileURLWithPath: bundle.path)
    let destination = URL(fileURLWithPath: bundle.installedPath)
    let other = StoreInstaller(model: PrefilledStore.destination, models: [PrefilledStore.source])
    let error = await #expect(throws: MigrationError.self) {
      try await other.install(from: source, to: destination)
    }
    #expect(error?.codes == ["INS-010"])
    let report = try await StoreInstaller(model: PrefilledStore.source)
      .install(from: source, to: destination)
    #expect(report.outcome == .installed)
  }

  @Test func `a version that the history lacks is refused`() async throws {
    let bundle = try PrefilledStore()
    let installer = StoreInstaller(migrations: try makeProject(bundle), version: "7")
    let error = await #expect(throws: MigrationError.self) {
      try await installer.install(
        from: URL(fileURLWithPath: bundle.path), to: URL(fileURLWithPath: bundle.installedPath))
    }
    #expect(error?.codes == ["PLN-018"])
    #expect(error?.kind == .wrongCall)
  }

  @Test func `of calls that begin together one installs`() async throws {
    for _ in 1...10 {
      let bundle = try PrefilledStore(.hotLog)
      let installer = StoreInstaller(model: PrefilledStore.source)
      let source = URL(fileURLWithPath: bundle.path)
      let destination = URL(fileURLWithPath: bundle.installedPath)
      let outcomes = try await withThrowingTaskGroup(of: InstallationReport.Outcome.self) { group in
        for _ in 1...4 {
          group.addTask {
            try await installer.install(from: source, to: destination).outcome
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == .installed } == 1)
      #expect(outcomes.count { $0 == .alreadyThere } == 3)
      #expect(bundle.installedNames == PrefilledStore.wholeNames.sorted())
    }
  }

  @Test func `a build packs a store, and an app installs what was packed`() async throws {
    let live = try PrefilledStore(.hotLog)
    let packed = live.directory.url("app/Packed.sqlite")
    let report = try await StorePacker(model: PrefilledStore.source)
      .pack(storeAt: URL(fileURLWithPath: live.path), to: packed)
    #expect(report.outcome == .packed)
    let destination = live.directory.url("app/Store.sqlite")
    let installed = try await StoreInstaller(model: PrefilledStore.source)
      .install(from: packed, to: destination)
    #expect(installed.externalFiles == 3)
    #expect(
      live.directory.contents("app/Packed.sqlite") == live.directory.contents("app/Store.sqlite"))
    let rows = try StoreRows(path: destination.path)
    #expect(try rows.differences(from: StoreRows(path: live.path)) == [])
  }
}
