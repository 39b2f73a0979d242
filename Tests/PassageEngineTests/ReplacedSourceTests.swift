import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import Synchronization
import Testing

/// Another file is put at the store's path after the store was opened, and before the run has the
/// lock: another runner has completed its cut-over, or a program has put a backup back.
@Suite struct ReplacedSourceTests {
  /// A way to migrate.
  struct Way: Sendable {
    var journalMode: StoreBuilder.JournalMode
    var isInMemory = false
    var lane = MigrationOptions.Lane.automatic
  }

  static let ways = [StoreBuilder.JournalMode.wal, .delete].flatMap { mode in
    [
      Way(journalMode: mode, isInMemory: true), Way(journalMode: mode, lane: .page),
      Way(journalMode: mode, lane: .set), Way(journalMode: mode, lane: .row),
    ]
  }

  /// Puts the file of the first path in place of the second when the plan is checked, which is after
  /// the store was opened.
  struct Replacing: MigrationPolicy {
    static let hooks: Set<MigrationHook> = []
    static let needs: Set<MigrationContext.Need> = []
    static let name = "Replacing"

    init(mapping: PolicyMapping) throws {
      guard let other = mapping.userInfo["other"], let store = mapping.userInfo["store"] else {
        return
      }
      guard FileManager.default.fileExists(atPath: other) else { return }
      for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + end) }
      _ = rename(other, store)
    }
  }

  private static func trial(_ way: Way) throws -> Trial {
    var trial = try Safety.trial(journalMode: way.journalMode)
    trial.worksInMemory = way.isInMemory
    trial.lane = way.lane
    return trial
  }

  /// From now on, `other.sqlite` takes the place of the trial's store.
  private static func replace(_ trial: inout Trial) throws {
    trial.policies = [Replacing.self]
    trial.mappings = [
      try mapping(
        """
        {"type": "copy", "source": "Car", "destination": "Car", "attributes": {"age": "3"},
         "filter": "plate != 'c5'",
         "policy": {"name": "Replacing",
                    "userInfo": {"other": "\(trial.directory.path("other.sqlite"))",
                                 "store": "\(trial.sourcePath)"}}}
        """, named: "Cars"),
      try mapping(
        #"{"type": "copy", "source": "Person", "destination": "Person"}"#, named: "People"),
    ]
  }

  @Test(arguments: ways)
  func `what another runner has finished is not migrated again`(way: Way) throws {
    var trial = try Self.trial(way)
    try Self.replace(&trial)
    try trial.run(to: "other.sqlite")
    let finished = trial.directory.contents("other.sqlite")
    let report = try trial.runInPlace()
    #expect(report.outcome == .upToDate)
    #expect(trial.directory.contents("old.sqlite") == finished)
    #expect(!trial.directory.names.contains { $0.contains(".before") || $0.contains(".passage") })
  }

  @Test(arguments: ways, [true, false])
  func `what is at the path is migrated, not what was opened there`(
    way: Way, isInPlace: Bool
  ) throws {
    var trial = try Self.trial(way)
    let other = try TestStore(
      model: Safety.source, at: trial.directory.path("other.sqlite"), journalMode: way.journalMode)
    try other.insert("Person", ["name": .text("another")])
    try other.close()
    try Self.replace(&trial)
    let target: MigrationDestination =
      isInPlace ? .inPlace : .file(trial.directory.path("new.sqlite"))
    let report = try trial.migration(to: target).run(control: RunControl())
    #expect(report.outcome == .migrated)
    let contents = try StoreContents(path: report.destinationPath, model: Safety.destination)
    #expect(contents["Person"].count == 1)
    #expect(contents["Car"].isEmpty)
  }

  /// Runs in place, and puts `other.sqlite` at the store's path at one of the syncs: a program that asks
  /// for no lock.
  ///
  /// - Returns: the error, `nil` if there is none; and whether there were so many syncs.
  private static func run(
    _ trial: Trial, replacedAtSync number: Int, keepsOld: Bool
  ) throws -> (error: MigrationError?, isReplaced: Bool) {
    let syncs = Mutex(0)
    let files = FileSystem(willPerform: { [trial] operation, _ in
      guard [.synchronize, .synchronizeDirectory].contains(operation) else { return }
      let isDue = syncs.withLock { count in
        count += 1
        return count == number
      }
      if isDue {
        try FileSystem().rename(trial.directory.path("other.sqlite"), to: trial.sourcePath)
      }
    })
    var options = MigrationOptions()
    if !keepsOld { options.oldStore = .remove }
    var failure: MigrationError?
    do {
      try trial.runInPlace(options: options, files: files)
    } catch let error as MigrationError {
      failure = error
    }
    return (failure, syncs.withLock { $0 } >= number)
  }

  @Test(arguments: ways, 1...9)
  func `a store that is put at the path at any sync is not lost`(way: Way, sync: Int) throws {
    for keepsOld in [true, false] {
      let trial = try Self.trial(way)
      let other = try TestStore(
        model: Safety.source, at: trial.directory.path("other.sqlite"),
        journalMode: way.journalMode)
      try other.insert("Person", ["name": .text("another")])
      try other.close()
      let bytes = trial.directory.contents("other.sqlite")
      let (error, isReplaced) = try Self.run(trial, replacedAtSync: sync, keepsOld: keepsOld)
      guard isReplaced else {
        #expect(error == nil)
        continue
      }
      let isThere = trial.directory.contents("old.sqlite") == bytes
      if let error {
        #expect(error.codes == ["RUN-012"])
        #expect(isThere)
        let kept = trial.directory.names.filter { $0.contains(".before-") }
        #expect(kept.allSatisfy { error.diskState?.contains($0) == true }, "\(error) \(kept)")
      } else if !isThere {
        // It was there before the store was read, and is what was migrated.
        let contents = try StoreContents(path: trial.sourcePath, model: Safety.destination)
        #expect(contents["Person"].count == 1, "sync \(sync)")
      }
    }
  }
}
