import Foundation
import PassageSQLite
import PassageValues
import Testing

/// Databases in memory that connections open by a path.
@Suite struct MemoryDatabaseTests {
  @Test func `connections share it, and its bytes are a database file`() throws {
    let database = try MemoryDatabase(
      path: MemoryDatabase.path(ofName: "shared-1/a.sqlite"), maximumBytes: 1 << 20)
    do {
      let writer = try Connection(path: database.path, mode: .create)
      try writer.execute(
        "PRAGMA auto_vacuum = INCREMENTAL; CREATE TABLE t (x); INSERT INTO t VALUES (7)")
    }
    let reader = try Connection(path: database.path, mode: .readOnly)
    #expect(try reader.integer("SELECT x FROM t") == 7)
    #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM t") }
    let other = try Connection(path: "", mode: .create)
    try other.attach(database.path, as: "other")
    #expect(try other.integer("SELECT x FROM other.t") == 7)
    let count = try database.withImage(isWAL: false) { image in
      #expect(image.starts(with: Array("SQLite format 3\0".utf8)))
      return Int64(image.count)
    }
    #expect(try database.byteCount == count)
  }

  @Test func `a file can be attached to it`() throws {
    let path = NSTemporaryDirectory() + "/memory-\(UUID().uuidString).sqlite"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Connection(path: path, mode: .create)
      .execute("CREATE TABLE t (x); INSERT INTO t VALUES (3)")
    let database = try MemoryDatabase(
      path: MemoryDatabase.path(ofName: "file-1/a"), maximumBytes: 1 << 20)
    let connection = try Connection(path: database.path, mode: .create)
    try connection.attach(path, as: "file")
    #expect(try connection.integer("SELECT x FROM file.t") == 3)
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM file.t") }
  }

  @Test func `a transaction over two of them commits and rolls back as one`() throws {
    let first = try MemoryDatabase(
      path: MemoryDatabase.path(ofName: "two-1/a"), maximumBytes: 1 << 20)
    let second = try MemoryDatabase(
      path: MemoryDatabase.path(ofName: "two-1/b"), maximumBytes: 1 << 20)
    let connection = try Connection(path: first.path, mode: .create)
    try connection.attach(second.path, as: "b", mode: .readWrite)
    try connection.execute("CREATE TABLE t (x); CREATE TABLE b.u (x)")
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1); INSERT INTO u VALUES (1)")
        throw Stop()
      }
    }
    try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (2); INSERT INTO u VALUES (2)")
    }
    let reader = try Connection(path: second.path, mode: .readOnly)
    #expect(try reader.rows("SELECT x FROM u") == [[.integer(2)]])
  }

  @Test func `it does not grow beyond its limit`() throws {
    let database = try MemoryDatabase(
      path: MemoryDatabase.path(ofName: "limit-1/a"), maximumBytes: 64 << 10)
    let connection = try Connection(path: database.path, mode: .create)
    try connection.execute("CREATE TABLE t (x)")
    let error = #expect(throws: SQLiteError.self) {
      for _ in 0..<100 { try connection.execute("INSERT INTO t VALUES (zeroblob(4096))") }
    }
    #expect(error?.isDiskFull == true)
    #expect(try connection.integer("SELECT count(*) FROM t") < 20)
  }

  @Test func `it is gone with its object, and its path is that of no file`() throws {
    let path: String
    do {
      let database = try MemoryDatabase(
        path: MemoryDatabase.path(ofName: "gone-1/a"), maximumBytes: 1 << 20)
      path = database.path
      try Connection(path: path, mode: .create).execute("CREATE TABLE t (x)")
    }
    let again = try Connection(path: path, mode: .create)
    #expect(try again.integer("SELECT count(*) FROM sqlite_master") == 0)
    #expect(MemoryDatabase.isPath(path))
  }

  @Test func `what was read of it can be forgotten, its schema too`() throws {
    let database = try MemoryDatabase(
      path: MemoryDatabase.path(ofName: "anew-1/a"), maximumBytes: 1 << 20)
    let connection = database.keeper
    try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES ('before')")
    #expect(try connection.rows("SELECT x FROM t") == [[.text("before")]])
    let file = try database.file()
    var bytes = try database.withImage(isWAL: false) { Array($0) }
    func change(_ old: String, to new: String) throws {
      let range = try #require(bytes.firstRange(of: Array(old.utf8)))
      bytes.replaceSubrange(range, with: Array(new.utf8))
      try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }
    try change("before", to: "behind")
    // Nothing counts the change.
    #expect(try connection.rows("SELECT x FROM t") == [[.text("before")]])
    try connection.forgetContents()
    #expect(try connection.rows("SELECT x FROM t") == [[.text("behind")]])
    try change("CREATE TABLE t (x)", to: "CREATE TABLE t x) ")
    try connection.forgetContents()
    #expect(throws: SQLiteError.self) { try connection.rows("SELECT x FROM t") }
  }

  @Test func `one that was given back is used again, as an empty one`() throws {
    let pool = MemoryDatabasePool()
    var database = try pool.take(maximumBytes: 1 << 20)
    let path = database.path
    try database.keeper.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    let image = try database.withImage(isWAL: false) { Array($0) }
    try database.keeper.execute("DROP TABLE t; CREATE TABLE u (x); INSERT INTO u VALUES (2)")
    pool.giveBack(consume database)
    database = try pool.take(maximumBytes: 64 << 10)
    #expect(database.path == path)
    #expect(try database.file().byteCount == 0)
    try database.load(image)
    #expect(try database.keeper.rows("SELECT x FROM t") == [[.integer(1)]])
    // It has the limit of the new use.
    let error = #expect(throws: SQLiteError.self) {
      for _ in 0..<100 {
        try database.keeper.execute("INSERT INTO t VALUES (zeroblob(4096))")
      }
    }
    #expect(error?.isDiskFull == true)
  }

  @Test func `one that something else has, or was added to, is not used again`() throws {
    let pool = MemoryDatabasePool()
    var database = try pool.take(maximumBytes: 1 << 20)
    let connection = database.keeper
    var path = database.path
    pool.giveBack(consume database)
    database = try pool.take(maximumBytes: 1 << 20)
    #expect(database.path != path)
    withExtendedLifetime(connection) {}
    path = database.path
    try database.keeper.attach("", as: "other", mode: .create)
    pool.giveBack(consume database)
    database = try pool.take(maximumBytes: 1 << 20)
    #expect(database.path != path)
    path = database.path
    try database.keeper.execute("BEGIN")
    pool.giveBack(consume database)
    #expect(try pool.take(maximumBytes: 1 << 20).path != path)
  }

  @Test func `a statement of a later use ends when its own work is asked to stop`() throws {
    let pool = MemoryDatabasePool()
    let first = try StatementWatch.$current.withValue(StatementWatch { true }) {
      try pool.take(maximumBytes: 1 << 20)
    }
    pool.giveBack(consume first)
    let long =
      "WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 100000) SELECT count(*) FROM n"
    let second = try pool.take(maximumBytes: 1 << 20)
    #expect(try second.keeper.integer(long) == 100_000)
    pool.giveBack(consume second)
    let third = try StatementWatch.$current.withValue(StatementWatch { true }) {
      try pool.take(maximumBytes: 1 << 20)
    }
    #expect(throws: SQLiteError.self) { try third.keeper.integer(long) }
  }
}
