import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// A source to which another program is just committing a transaction: its frames are in the log, and
/// the log's index, by which SQLite's readers go, does not say so yet.
@Suite struct CommitUnderWayTests {
  /// A store with a transaction, and another one that is not yet in the index.
  private struct Writer {
    let trial: Trial
    let connection: Connection
    private let index: FileHandle
    private let end: Data

    init(_ trial: Trial) throws {
      self.trial = trial
      connection = try Connection(path: trial.sourcePath, mode: .readWrite)
      _ = try connection.value("PRAGMA journal_mode = WAL")
      try connection.execute("PRAGMA wal_autocheckpoint = 0")
      try Self.insert(1_001, connection)
      index = try #require(FileHandle(forUpdatingAtPath: trial.sourcePath + "-shm"))
      let before = try #require(try index.read(upToCount: 96))
      try Self.insert(1_002, connection)
      try index.seek(toOffset: 0)
      end = try #require(try index.read(upToCount: 96))
      try index.seek(toOffset: 0)
      try index.write(contentsOf: before)
    }

    private static func insert(_ key: Int, _ connection: Connection) throws {
      try connection.execute(
        "INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZPLATE) VALUES (\(key), 1, 1, 'late')")
    }

    /// Writes the transaction into the index.
    func commit() throws {
      try index.seek(toOffset: 0)
      try index.write(contentsOf: end)
    }
  }

  private static func late(_ path: String) throws -> Int64? {
    try Connection(path: path, mode: .readOnly).rows(
      "SELECT count(*) FROM ZCAR WHERE Z_PK IN (1001, 1002)"
    ).first?.first?.integer
  }

  @Test(arguments: [true, false], [MigrationOptions.Lane.automatic, .page, .set, .row])
  func `it is not seen in any lane`(inMemory: Bool, lane: MigrationOptions.Lane) throws {
    var trial = try Safety.trial()
    trial.worksInMemory = inMemory
    trial.lane = lane
    let writer = try Writer(trial)
    // SQLite's readers do not see it.
    #expect(try Self.late(trial.sourcePath) == 1)
    #expect(try trial.run().outcome == .migrated)
    #expect(try Self.late(trial.directory.path("new.sqlite")) == 1)
    try writer.commit()
    #expect(try Self.late(trial.sourcePath) == 2)
  }

  @Test func `the log's end is what its index says`() throws {
    let writer = try Writer(Safety.trial())
    let path = writer.trial.sourcePath
    let store = try StoreFile.open(path: path)
    let frames = try #require(store.connection.logEnd).frames
    #expect(frames > 0)
    try writer.commit()
    #expect(try #require(store.connection.logEnd).frames > frames)
  }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `only a store in the log's mode is read with a log`(mode: StoreBuilder.JournalMode) throws {
    let trial = try Safety.trial(journalMode: mode)
    let store = try StoreFile.open(path: trial.sourcePath)
    #expect(store.readsLog == (mode == .wal))
  }
}
