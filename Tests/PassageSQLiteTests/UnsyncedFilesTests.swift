import Foundation
import PassageSQLite
import PassageValues
import Testing

/// Files that are not synced still change together.
@Suite struct UnsyncedFilesTests {
  private let folder = NSTemporaryDirectory() + "/unsynced-\(UUID().uuidString)"

  private func connection(to name: String = "a") throws -> Connection {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let connection = try Connection(path: folder + "/" + name, mode: .create, isSynced: false)
    if !FileManager.default.fileExists(atPath: folder + "/b") {
      _ = FileManager.default.createFile(atPath: folder + "/b", contents: nil)
    }
    try connection.attach(folder + "/b", as: "other", mode: .readWrite)
    try connection.execute("PRAGMA main.journal_mode = TRUNCATE")
    try connection.execute("PRAGMA other.journal_mode = TRUNCATE")
    return connection
  }

  /// A copy taken in the middle of a transaction, put back where it was, is what a kill leaves.
  @Test func `what a kill leaves of a transaction over two files is rolled back in both`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var files: [String: Data] = [:]
    do {
      let connection = try connection()
      try connection.execute("CREATE TABLE main.x (n); CREATE TABLE other.y (n)")
      try connection.execute("INSERT INTO main.x VALUES (1); INSERT INTO other.y VALUES (1)")
      try connection.execute("PRAGMA main.cache_size = 1; PRAGMA other.cache_size = 1")
      try connection.execute("BEGIN IMMEDIATE")
      for _ in 0..<200 {
        try connection.execute("INSERT INTO main.x VALUES (zeroblob(3000))")
        try connection.execute("INSERT INTO other.y VALUES (zeroblob(3000))")
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        files[name] = FileManager.default.contents(atPath: folder + "/" + name)
      }
      try connection.execute("ROLLBACK")
    }
    #expect(files["a-journal"]?.isEmpty == false && files["b-journal"]?.isEmpty == false)
    for (name, bytes) in files { try bytes.write(to: URL(filePath: folder + "/" + name)) }
    let again = try connection()
    #expect(try again.integer("SELECT count(*) FROM main.x") == 1)
    #expect(try again.integer("SELECT count(*) FROM other.y") == 1)
    #expect(try again.value("PRAGMA main.integrity_check") == "ok")
  }

  /// The name is so long that a rollback journal beside it has room, and the longer name of a
  /// super-journal has none: without one, nothing would fail.
  @Test func `a transaction over two files needs a super-journal, and reports its own error`()
    throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let connection = try connection(to: String(repeating: "n", count: 246))
    try connection.execute("CREATE TABLE main.x (n); CREATE TABLE other.y (n)")
    let error = try #require(throws: SQLiteError.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO main.x VALUES (1); INSERT INTO other.y VALUES (1)")
      }
    }
    #expect(error.systemErrorNumber == ENAMETOOLONG)
    #expect(try connection.integer("SELECT count(*) FROM main.x") == 0)
    #expect(try connection.integer("SELECT count(*) FROM other.y") == 0)
    try connection.execute("INSERT INTO main.x VALUES (1)")
  }
}
