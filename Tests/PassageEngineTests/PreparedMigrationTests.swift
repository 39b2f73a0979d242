import Foundation
import Passage
import PassageEngine
import PassageTesting
import Testing

/// A migration that is prepared once and run on many stores.
@Suite struct PreparedMigrationTests {
  private static func url(_ trial: Trial, _ name: String) -> URL {
    URL(fileURLWithPath: trial.directory.path(name))
  }

  private static let manager = MigrationManager(
    source: Safety.source, destination: Safety.destination)

  @Test func `many stores give what each gives by itself, at the same time and in place`()
    async throws
  {
    let prepared = try Self.manager.prepare(mappings: Safety.mappings())
    let trials = try [StoreBuilder.JournalMode.wal, .delete, .wal, .delete].map {
      try Safety.trial(journalMode: $0)
    }
    for trial in trials { try trial.run(to: "alone.sqlite") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for trial in trials {
        group.addTask {
          let report = try await prepared.migrate(
            storeAt: Self.url(trial, "old.sqlite"), to: Self.url(trial, "new.sqlite")
          ).value
          #expect(report.outcome == .migrated)
        }
      }
      try await group.waitForAll()
    }
    for trial in trials {
      let alone = try StoreRows(path: trial.directory.path("alone.sqlite"))
      #expect(
        try StoreRows(path: trial.directory.path("new.sqlite")).differences(from: alone) == [])
      let again = try await prepared.migrate(
        storeAt: Self.url(trial, "old.sqlite"), to: Self.url(trial, "new.sqlite")
      ).value
      #expect(again.outcome == .upToDate)
      let inPlace = try await prepared.migrate(storeInPlaceAt: Self.url(trial, "old.sqlite")).value
      #expect(inPlace.outcome == .migrated)
      #expect(try Safety.version(trial.sourcePath) == "2")
    }
  }

  @Test func `a store with another text encoding gets stores of its own`() async throws {
    let prepared = try Self.manager.prepare(mappings: Safety.mappings())
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be", "UTF-8"] {
      let trial = try Safety.trial(journalMode: .delete)
      try TextRecoding.copy(
        trial.sourcePath, to: trial.directory.path("recoded.sqlite"), encoding: encoding)
      let report = try await prepared.migrate(
        storeAt: Self.url(trial, "recoded.sqlite"), to: Self.url(trial, "new.sqlite")
      ).value
      #expect(report.outcome == .migrated)
      #expect(try Safety.version(trial.directory.path("new.sqlite")) == "2")
    }
  }

  @Test func `mistakes in mapping models are found when it is prepared`() throws {
    let wrong = try mapping(
      #"{"type": "copy", "source": "Nobody", "destination": "Person"}"#, named: "Wrong")
    let error = #expect(throws: MigrationError.self) {
      try Self.manager.prepare(mappings: [wrong])
    }
    #expect(error?.kind == .wrongFile)
  }

  @Test func `no mapping model at all is a wrong call, and no wrong file`() {
    let error = #expect(throws: MigrationError.self) { try Self.manager.prepare(mappings: []) }
    #expect(error?.diagnostics.map(\.code) == ["PLN-013"])
    #expect(error?.kind == .wrongCall)
  }

  @Test func `mapping models are inferred when that is allowed`() async throws {
    var options = MigrationOptions()
    options.allowed.inference = true
    let prepared = try Self.manager.prepare(mappings: [], options: options)
    let trial = try Safety.trial()
    let report = try await prepared.migrate(storeInPlaceAt: Self.url(trial, "old.sqlite")).value
    #expect(report.outcome == .migrated)
    #expect(report.steps.flatMap(\.inferred).count == 1)
  }
}
