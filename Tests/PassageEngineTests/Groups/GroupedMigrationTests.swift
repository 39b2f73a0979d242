import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import Synchronization
import Testing

/// Migrations of several stores at a time whose files become durable together.
@Suite struct GroupedMigrationTests {
  /// What a run does to files, with names relative to the trial's folder.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    let folder: String

    init(_ folder: String) { self.folder = folder }

    var all: [String] { entries.withLock { $0 } }

    func files(_ syncs: SyncGroup?) -> FileSystem {
      FileSystem(
        syncs: syncs,
        willPerform: { [self] operation, path in
          let name = path.replacingOccurrences(of: folder, with: "")
          entries.withLock { $0.append("\(operation.rawValue) \(name)") }
        })
    }
  }

  private static func trial() throws -> Trial {
    var trial = try Safety.trial(isLogKept: true)
    trial.worksInMemory = true
    return trial
  }

  /// How a migration fails; `nil` if it does not.
  private static func failure(of migration: StoreMigration) -> MigrationError.Kind? {
    do {
      _ = try migration.run(control: RunControl())
      return nil
    } catch {
      return (error as? MigrationError)?.kind ?? .bug
    }
  }

  @Test(arguments: [1, 4])
  func `each store has the operations that it has alone, in the same order`(count: Int) throws {
    let undisturbed = try Self.trial()
    let alone = Log(undisturbed.directory.path)
    try undisturbed.runInPlace(files: alone.files(nil))

    let trials = try (0..<count).map { _ in try Self.trial() }
    let logs = trials.map { Log($0.directory.path) }
    let group = MadeUpDisk().group(limit: count, slots: count)
    let runs = zip(trials, logs).map {
      $0.migration(to: .inPlace, files: $1.files(group))
    }
    onThreads(count) { number in
      #expect(group.withSlot { Self.failure(of: runs[number]) } == nil)
    }
    for (trial, log) in zip(trials, logs) {
      #expect(log.all == alone.all)
      #expect(try Safety.version(trial.sourcePath) == "2")
      #expect(trial.directory.names == undisturbed.directory.names)
    }
    #expect(alone.all.contains { $0.hasPrefix("synchronize") })
  }

  /// What the system's calls would be without a group: each is one of a file or a folder.
  @Test func `what SQLite syncs when it folds in the log becomes durable with the rest`() throws {
    let trial = try Self.trial()
    let log = Log(trial.directory.path)
    let group = MadeUpDisk().group(limit: 4, slots: 1)
    let migration = trial.migration(to: .inPlace, files: log.files(group))
    #expect(group.withSlot { Self.failure(of: migration) } == nil)
    let own = log.all.count { $0.hasPrefix("synchronize") }
    // The mark of the cut-over is written with a sync of its own.
    let marks = log.all.count { $0.hasPrefix("write ") && $0.hasSuffix("/lock") }
    #expect(marks == 1)
    #expect(group.counts.alone > own + marks)
    #expect(group.counts.grouped == 0)
  }

  @Test func `many stores share syncs`() throws {
    let trials = try (0..<8).map { _ in try Self.trial() }
    let disk = MadeUpDisk()
    let group = disk.group(limit: 8, slots: 2)
    let runs = trials.map { $0.migration(to: .inPlace, files: FileSystem(syncs: group)) }
    onThreads(8) { number in
      #expect(group.withSlot { Self.failure(of: runs[number]) } == nil)
    }
    for trial in trials { #expect(try Safety.version(trial.sourcePath) == "2") }
    #expect(group.counts.groups == disk.syncCount)
    // Each has more than ten files and folders to sync; two or more at a time share one.
    #expect(group.counts.grouped >= 2 * group.counts.groups)
    #expect(group.counts.grouped > group.counts.alone)
  }

  @Test(arguments: 1...12)
  func `after a failed sync each path holds a whole store, and the next run ends well`(
    failing: Int
  ) throws {
    let trials = try (0..<4).map { _ in try Self.trial() }
    var system = SyncGroup.System()
    let calls = Mutex(0)
    system.isSufficient = { _ in true }
    system.synchronize = { _ in
      calls.withLock { calls in
        calls += 1
        return calls == failing ? EIO : 0
      }
    }
    let group = SyncGroup(limit: 4, slots: 2, patience: .seconds(3_600), system: system)
    let runs = trials.map { $0.migration(to: .inPlace, files: FileSystem(syncs: group)) }
    let kinds = Mutex<[MigrationError.Kind]>([])
    onThreads(4) { number in
      guard let kind = group.withSlot({ Self.failure(of: runs[number]) }) else { return }
      kinds.withLock { $0.append(kind) }
    }
    #expect(kinds.withLock { $0 }.allSatisfy { $0 == .inputOutput })
    for trial in trials {
      #expect(["1", "2"].contains(try Safety.version(trial.sourcePath)))
      try trial.runInPlace()
      #expect(try Safety.version(trial.sourcePath) == "2")
    }
    if calls.withLock({ $0 }) >= failing {
      #expect(calls.withLock { $0 } == failing, "a disk that has failed is not relied on")
    }
  }
}
