import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import Synchronization
import Testing

/// A small store that no program has open is read without locks and without a file beside it.
@Suite struct RestingSourceTests {
  /// A store in WAL mode that was written last so many seconds ago.
  private static func trial(secondsAgo: Double = 3_600) throws -> Trial {
    var trial = try Safety.trial()
    trial.worksInMemory = true
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: trial.sourcePath)
    return trial
  }

  /// The names in the folder of a trial whenever a run touches a file.
  private static func namesSeen(_ trial: Trial, isInPlace: Bool = false) throws -> Set<String> {
    let seen = Mutex<Set<String>>([])
    let files = FileSystem(willPerform: { [directory = trial.directory] _, _ in
      let names = directory.names
      seen.withLock { $0.formUnion(names) }
    })
    if isInPlace { try trial.runInPlace(files: files) } else { try trial.run(files: files) }
    return seen.withLock { $0 }
  }

  @Test func `nothing is ever beside a store that was left alone`() throws {
    let seen = try Self.namesSeen(Self.trial())
    #expect(seen.filter { $0.hasPrefix("old.sqlite") } == ["old.sqlite"])
    #expect(seen.contains("new.sqlite.passage"))
  }

  @Test func `in place, a store that was left alone is opened by the cut-over only`() throws {
    let seen = try Self.namesSeen(Self.trial(), isInPlace: true)
    // The lock of the cut-over needs no index in a file.
    #expect(!seen.contains("old.sqlite-shm"))
    #expect(seen.contains("old.sqlite.passage"))
  }

  @Test(arguments: [false, true])
  func `a store that was written a moment ago is read under locks`(isInPlace: Bool) throws {
    let seen = try Self.namesSeen(Self.trial(secondsAgo: 0), isInPlace: isInPlace)
    #expect(seen.contains("old.sqlite-shm"))
  }

  @Test func `so is one that a program has open`() throws {
    let trial = try Self.trial()
    let reader = try Connection(path: trial.sourcePath, mode: .readWrite)
    _ = try reader.integer("SELECT count(*) FROM ZCAR")
    let seen = try Self.namesSeen(trial)
    #expect(seen.contains("old.sqlite-wal"))
    #expect(trial.directory.names.contains("old.sqlite-wal"))
    withExtendedLifetime(reader) {}
  }

  /// A program opens the store while it is migrated, writes, and closes it again or not.
  @Test(arguments: [true, false], [true, false])
  func `a write meanwhile is noticed, wherever it is`(isClosed: Bool, isInPlace: Bool) throws {
    let trial = try Self.trial()
    let writers = Mutex<[Connection?]>([])
    let control = RunControl(report: { [path = trial.sourcePath] progress in
      guard progress.phase == .create, !progress.mappingName.isEmpty else { return }
      writers.withLock { writers in
        guard writers.isEmpty else { return }
        let writer = try? Connection(path: path, mode: .readWrite)
        try? writer?.execute("UPDATE ZCAR SET ZPLATE = 'changed'")
        writers.append(isClosed ? nil : writer)
      }
    })
    let error = try #require(throws: MigrationError.self) {
      try trial.migration(
        to: isInPlace ? .inPlace : .file(trial.directory.path("new.sqlite"))
      ).run(control: control)
    }
    #expect(writers.withLock { $0.count } == 1)
    #expect(error.codes == ["RUN-012"])
    #expect(trial.directory.contents("new.sqlite") == nil)
    writers.withLock { $0 = [] }
    let changed = try Connection(path: trial.sourcePath, mode: .readOnly)
    #expect(try changed.integer("SELECT count(*) FROM ZCAR WHERE ZPLATE = 'changed'") > 0)
  }

  @Test func `in place, the old store is kept and the new one is whole`() throws {
    let trial = try Self.trial()
    let before = trial.sourceBytes
    #expect(try trial.runInPlace().outcome == .migrated)
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
    #expect(trial.directory.contents("old.sqlite.before-1")?.count == before[0].count)
  }

  @Test func `a store whose schema is known is read by its pages, and says the same`() throws {
    let trial = try Self.trial()
    let first = try #require(StoreFile.openResting(path: trial.sourcePath, maximumBytes: 1 << 20))
    let again = try #require(StoreFile.openResting(path: trial.sourcePath, maximumBytes: 1 << 20))
    #expect(again.store.restingPages != nil)
    #expect(again.fingerprint == first.fingerprint)
    let asked = try StoreFile.open(path: trial.sourcePath)
    #expect(asked.restingPages == nil)
    #expect(again.store.metadata == asked.metadata)
    #expect(again.store.schema.tables.map(\.name) == asked.schema.tables.map(\.name))
    let question = "SELECT count(*), min(Z_PK), max(Z_PK) FROM ZCAR"
    #expect(try again.store.connection.rows(question) == asked.connection.rows(question))
    #expect(try !again.store.hasMoved())
  }

  @Test func `what was seen when its metadata was read opens a store, once`() throws {
    let trial = try Self.trial()
    _ = StoreFile.openResting(path: trial.sourcePath, maximumBytes: 1 << 20)
    let (metadata, found) = try StoreMetadata.see(path: trial.sourcePath)
    let sight = try #require(found)
    let seen = try #require(
      StoreFile.openResting(path: trial.sourcePath, maximumBytes: 1 << 20, sight: sight))
    let fresh = try #require(
      StoreFile.openResting(path: trial.sourcePath, maximumBytes: 1 << 20, sight: sight))
    #expect(seen.store.metadata == metadata && fresh.store.metadata == metadata)
    #expect(seen.fingerprint == fresh.fingerprint)
    #expect(seen.store.restingPages != nil)
  }

  @Test(arguments: [true, false])
  func `what was seen of a store that was written since is not relied on`(
    isInPlace: Bool
  ) throws {
    let trial = try Self.trial()
    _ = StoreFile.openResting(path: trial.sourcePath, maximumBytes: 1 << 20)
    let sight = try StoreMetadata.see(path: trial.sourcePath).sight
    #expect(sight != nil)
    try Connection(path: trial.sourcePath, mode: .readWrite)
      .execute("UPDATE ZCAR SET ZPLATE = 'since'; PRAGMA wal_checkpoint(TRUNCATE)")
    let output = isInPlace ? trial.sourcePath : trial.directory.path("new.sqlite")
    let migration = trial.migration(to: isInPlace ? .inPlace : .file(output))
    _ = try migration.run(control: RunControl(), sight: sight)
    let result = try Connection(path: output, mode: .readOnly)
    #expect(try result.integer("SELECT count(*) FROM ZCAR WHERE ZPLATE = 'since'") > 0)
  }

  @Test func `a store that took the place of one that was read by its pages is noticed`() throws {
    let trial = try Self.trial()
    _ = StoreFile.openResting(path: trial.sourcePath, maximumBytes: 1 << 20)
    let isReplaced = Mutex(false)
    let control = RunControl(report: { [directory = trial.directory] progress in
      guard progress.phase == .create, isReplaced.withLock({ $0.exchange(true) }) == false,
        let bytes = directory.contents("old.sqlite")
      else { return }
      _ = try? directory.write(bytes, to: "other.sqlite")
      _ = try? FileManager.default.replaceItemAt(
        URL(fileURLWithPath: directory.path("old.sqlite")),
        withItemAt: URL(fileURLWithPath: directory.path("other.sqlite")))
    })
    let error = try #require(throws: MigrationError.self) {
      try trial.migration(to: .inPlace).run(control: control)
    }
    #expect(isReplaced.withLock { $0 })
    #expect(error.codes == ["RUN-012"])
  }
}

extension Bool {
  fileprivate mutating func exchange(_ value: Bool) -> Bool {
    defer { self = value }
    return self
  }
}
