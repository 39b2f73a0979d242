import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import Synchronization
import Testing

/// A store at rest is locked on the bytes that SQLite locks, and leaves WAL mode, without SQLite.
@Suite struct RestingLockTests {
  private static func lock(_ trial: Trial) throws -> RestingLock? {
    try RestingLock(StoreUnit(path: trial.sourcePath), FileSystem(), isKnownClosed: true)
  }

  private static func answer(_ trial: Trial, _ sql: String) throws -> Value? {
    try Connection(path: trial.sourcePath, mode: .readWrite, busyTimeout: 0).value(sql)
  }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `while it is held, no connection reads the store`(mode: StoreBuilder.JournalMode) throws {
    let trial = try Safety.trial(journalMode: mode)
    var lock = try Self.lock(trial)
    #expect(lock != nil)
    let error = #expect(throws: SQLiteError.self) {
      try Self.answer(trial, "SELECT count(*) FROM ZCAR")
    }
    #expect(error?.isBusy == true)
    lock = nil
    #expect(try Self.answer(trial, "SELECT count(*) FROM ZCAR") == 7)
  }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `it is not given while a connection reads, also one of this process`(
    mode: StoreBuilder.JournalMode
  ) throws {
    let trial = try Safety.trial(journalMode: mode)
    let reader = try Connection(path: trial.sourcePath, mode: .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM ZCAR")
    #expect(try Self.lock(trial) == nil)
    withExtendedLifetime(reader) {}
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `it is not given where a file is beside the store`(end: String) throws {
    let trial = try Safety.trial()
    try trial.directory.write([], to: "old.sqlite" + end)
    #expect(try Self.lock(trial) == nil)
  }

  @Test func `nor through a link, or for what is no store`() throws {
    let trial = try Safety.trial()
    let link = trial.directory.path("link.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: trial.sourcePath)
    #expect(try RestingLock(StoreUnit(path: link), FileSystem(), isKnownClosed: true) == nil)
    try trial.directory.write([1, 2, 3], to: "other")
    #expect(
      try RestingLock(
        StoreUnit(path: trial.directory.path("other")), FileSystem(), isKnownClosed: true) == nil)
    #expect(
      try RestingLock(
        StoreUnit(path: trial.directory.path("missing")), FileSystem(), isKnownClosed: true) == nil)
  }

  @Test func `the log's mode ends as SQLite ends it`() throws {
    let trial = try Safety.trial()
    let before = try #require(trial.directory.contents("old.sqlite"))
    try trial.directory.write(before, to: "other.sqlite")
    do {
      let lock = try #require(try Self.lock(trial))
      try lock.leaveLogMode()
    }
    let after = try #require(trial.directory.contents("old.sqlite"))
    #expect(
      try Connection(path: trial.directory.path("other.sqlite"), mode: .readWrite)
        .value("PRAGMA journal_mode = DELETE") == "delete")
    var expected = try #require(trial.directory.contents("other.sqlite"))
    // SQLite also notes its version.
    expected.replaceSubrange(96..<100, with: before[96..<100])
    #expect(Array(after) == Array(expected))
    #expect(try Self.answer(trial, "PRAGMA journal_mode") == "delete")
    #expect(try Self.answer(trial, "PRAGMA integrity_check") == "ok")
  }

  @Test func `a store without a log's mode stays as it is`() throws {
    let trial = try Safety.trial(journalMode: .delete)
    let before = trial.directory.contents("old.sqlite")
    try #require(try Self.lock(trial)).leaveLogMode()
    #expect(trial.directory.contents("old.sqlite") == before)
  }

  /// It would otherwise make a log at the path, which is the new store's.
  @Test func `a program that opened the old file cannot write when it is replaced`() throws {
    let trial = try Safety.trial()
    try trial.run()
    let new = try #require(trial.directory.contents("new.sqlite"))
    // SQLite has opened the file, and reads it for the first time later.
    let late = try Connection(path: trial.sourcePath, mode: .readWrite)
    do {
      let lock = try #require(try Self.lock(trial))
      try lock.leaveLogMode()
      let files = FileSystem()
      try files.link(trial.sourcePath, to: trial.directory.path("kept.sqlite"))
      try files.rename(trial.directory.path("new.sqlite"), to: trial.sourcePath)
    }
    #expect(throws: SQLiteError.self) { try late.execute("UPDATE ZCAR SET ZPLATE = 'lost'") }
    #expect(trial.directory.contents("old.sqlite") == new)
    #expect(!trial.directory.names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-journal") })
  }

  // MARK: The cut-over of a small migration

  private static func smallTrial() throws -> Trial {
    var trial = try Safety.trial()
    trial.worksInMemory = true
    return trial
  }

  /// What a run makes durable, and where: the name of each file or folder.
  private static func synced(_ trial: Trial) throws -> [String] {
    let log = Mutex<[String]>([])
    let files = FileSystem(willPerform: { operation, path in
      guard [.synchronize, .synchronizeDirectory].contains(operation) else { return }
      log.withLock { $0.append(path.split(separator: "/").last.map(String.init) ?? "") }
    })
    try trial.runInPlace(files: files)
    return log.withLock { $0 }
  }

  @Test func `in place, what a small migration needs is synced together and once`() throws {
    let trial = try Self.smallTrial()
    let folder = trial.directory.path("").split(separator: "/").last.map(String.init) ?? ""
    #expect(
      try Self.synced(trial) == [
        // With the folder, the name of the kept store; then the new store's.
        "finished.sqlite", "lock", "old.sqlite.passage", folder, folder,
      ])
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(try Safety.version(trial.directory.path("old.sqlite.before-1")) == "1")
  }

  /// A run that does something at an operation on the file or folder of a name.
  private static func failure(
    _ trial: Trial, at operation: FileSystem.Operation, of name: String,
    _ body: @escaping @Sendable () throws -> Void
  ) throws -> MigrationError {
    let isDone = Mutex(false)
    let files = FileSystem(willPerform: { found, path in
      guard found == operation, path.hasSuffix("/" + name),
        isDone.withLock({ done in
          defer { done = true }
          return !done
        })
      else { return }
      try body()
    })
    return try #require(throws: MigrationError.self) { try trial.runInPlace(files: files) }
  }

  /// The old store has its second name before anything is durable.
  @Test func `a sync that fails leaves neither a kept store nor work`() throws {
    let trial = try Self.smallTrial()
    let before = trial.sourceBytes
    let error = try Self.failure(trial, at: .synchronize, of: "lock") {
      #expect(trial.directory.names.contains("old.sqlite.before-1"))
      throw FileSystem.Failure(operation: .synchronize, path: "lock", errorNumber: 5)
    }
    #expect(error.kind == .inputOutput)
    #expect(trial.directory.names == ["old.sqlite"])
    #expect(trial.sourceBytes == before)
    #expect(try trial.runInPlace().outcome == .migrated)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  /// A program that knows no locks.
  @Test func `a store that is put at the path while the mark becomes durable stays there`() throws {
    let trial = try Self.smallTrial()
    let other = Array("another".utf8)
    let error = try Self.failure(trial, at: .synchronizeDirectory, of: "old.sqlite.passage") {
      try trial.directory.write(other, to: "other")
      try FileSystem().rename(trial.directory.path("other"), to: trial.sourcePath)
    }
    #expect(error.codes == ["RUN-012"])
    #expect(trial.directory.contents("old.sqlite") == other)
    // It may be the last name of the old store.
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
    #expect(try Safety.version(trial.directory.path("old.sqlite.before-1")) == "1")
  }

  /// The lock in the work folder is written last before the store is locked.
  @Test(arguments: [true, false])
  func `a log that appears right before the store is locked is not lost`(isOpen: Bool) throws {
    let trial = try Self.smallTrial()
    let writers = Mutex<[Connection]>([])
    let error = try Self.failure(trial, at: .write, of: "lock") {
      try writers.withLock { writers in
        let writer = try Connection(path: trial.sourcePath, mode: .readWrite)
        try writer.execute("UPDATE ZCAR SET ZPLATE = 'late'")
        #expect(trial.directory.names.contains("old.sqlite-wal"))
        if isOpen { writers.append(writer) } else { writer.keepLogWhenClosed() }
      }
    }
    #expect(["RUN-011", "RUN-012"].contains(error.codes.first))
    writers.withLock { $0 = [] }
    #expect(trial.directory.names.filter { $0.hasPrefix("old.sqlite.") } == [])
    #expect(try Self.answer(trial, "SELECT count(*) FROM ZCAR WHERE ZPLATE = 'late'") == 7)
    #expect(try Safety.version(trial.sourcePath) == "1")
  }

  /// A power failure may take the marker, or any part of the mark.
  @Test(arguments: ["", "\u{0}\u{0}\u{0}", #"{"backup":"old.sqlite.before-1","#, #"{"new":""}"#])
  func `the mark of a cut-over that never began is taken away by the next run`(
    mark: String
  ) throws {
    let trial = try Self.smallTrial()
    let folder = trial.directory.path("old.sqlite.passage")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try trial.directory.write([], to: "old.sqlite.passage/lock")
    try trial.directory.write(Array(mark.utf8), to: "old.sqlite.passage/cut-over")
    try trial.runInPlace()
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  @Test func `a foreign file of the mark's name is not taken for one`() throws {
    let trial = try Self.smallTrial()
    let folder = trial.directory.path("old.sqlite.passage")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try trial.directory.write(Array("my notes".utf8), to: "old.sqlite.passage/cut-over")
    let error = #expect(throws: MigrationError.self) { try trial.runInPlace() }
    #expect(error?.diagnostics.all.first?.code == "RUN-050")
  }
}
