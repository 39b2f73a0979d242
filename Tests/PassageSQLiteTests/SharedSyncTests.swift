import Foundation
import PassageSQLite
import Synchronization
import Testing

@Suite struct SharedSyncTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  private var path: String { folder.appending(path: "a.sqlite").path }

  /// What was asked of it: the names of files, and of folders with a slash.
  private final class Recorder: Sendable {
    private let names = Mutex<[String]>([])
    let fails: Bool

    init(fails: Bool = false) { self.fails = fails }

    var all: [String] { names.withLock { $0 } }

    var syncs: SharedSyncs {
      SharedSyncs { [self] path, alone in
        names.withLock { $0.append(URL(filePath: path).lastPathComponent) }
        return fails ? EIO : alone()
      } synchronizeFolder: { [self] path in
        names.withLock { $0.append(URL(filePath: path).lastPathComponent + "/") }
        return fails ? ENOSPC : 0
      }
    }
  }

  private func fill(_ connection: Connection) throws {
    // With EXTRA, the removal of the journal is made durable too.
    try connection.execute("PRAGMA synchronous = EXTRA")
    try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES(1)")
  }

  @Test func `a commit with a journal asks for every file and for the folder`() throws {
    let recorder = Recorder()
    try SharedSyncs.$current.withValue(recorder.syncs) {
      try fill(Connection(path: path, mode: .create))
    }
    #expect(Set(recorder.all) == ["a.sqlite", "a.sqlite-journal", "a.sqlite-journal/"])
    #expect(try Connection(path: path, mode: .readOnly).integer("SELECT x FROM t") == 1)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `folding in a log asks for the log and for the database`() throws {
    let recorder = Recorder()
    try SharedSyncs.$current.withValue(recorder.syncs) {
      let connection = try Connection(path: path, mode: .create)
      try connection.execute("PRAGMA journal_mode = WAL")
      try fill(connection)
      let before = recorder.all.count
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      #expect(Set(recorder.all[before...]).isSuperset(of: ["a.sqlite", "a.sqlite-wal"]))
    }
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `a failed sync fails the commit with the system's reason`() throws {
    let recorder = Recorder(fails: true)
    let error = try SharedSyncs.$current.withValue(recorder.syncs) {
      let connection = try Connection(path: path, mode: .create)
      return try #require(throws: SQLiteError.self) { try fill(connection) }
    }
    #expect(error.isInputOutput)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `outside of the work the connection syncs as always`() throws {
    let recorder = Recorder()
    let connection = try SharedSyncs.$current.withValue(recorder.syncs) {
      try Connection(path: path, mode: .create)
    }
    try fill(connection)
    #expect(recorder.all == [])
    #expect(try connection.integer("SELECT x FROM t") == 1)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `files that are never synced ask for nothing`() throws {
    let recorder = Recorder()
    try SharedSyncs.$current.withValue(recorder.syncs) {
      try fill(Connection(path: path, mode: .create, isSynced: false))
    }
    #expect(recorder.all == [])
    try FileManager.default.removeItem(at: folder)
  }
}
