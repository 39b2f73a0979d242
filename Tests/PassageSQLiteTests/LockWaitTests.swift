import Foundation
import PassageSQLite
import Synchronization
import Testing

/// Waiting for another program's lock, in the caller's way.
@Suite struct LockWaitTests {
  private let path: String
  private let other: Connection

  /// A database that another connection has locked.
  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    path = folder.appending(path: "a.sqlite").path
    other = try Connection(path: path, mode: .create)
    try other.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1); BEGIN EXCLUSIVE")
  }

  private func read(limit: Int32) throws -> Int64 {
    try Connection(path: path, mode: .readOnly, busyTimeout: limit)
      .integer("SELECT x FROM t")
  }

  @Test(arguments: [1, 7, 100, 2_000] as [Int32])
  func `the waits add up to the limit`(limit: Int32) throws {
    let waits = Mutex<[Int]>([])
    LockWait.$pause.withValue({ milliseconds in waits.withLock { $0.append(milliseconds) } }) {
      let error = #expect(throws: SQLiteError.self) { try read(limit: limit) }
      #expect(error?.isBusy == true)
    }
    #expect(waits.withLock { $0.reduce(0, +) } == Int(limit))
    #expect(waits.withLock { $0.allSatisfy { $0 > 0 && $0 <= 100 } })
  }

  @Test func `a lock that ends meanwhile is waited for`() throws {
    let waits = Mutex(0)
    nonisolated(unsafe) let other = other
    let value = try LockWait.$pause.withValue({ _ in
      let count = waits.withLock { waits in
        waits += 1
        return waits
      }
      if count == 3 { try? other.execute("COMMIT") }
    }) {
      try read(limit: 2_000)
    }
    #expect(value == 1)
    #expect(waits.withLock { $0 } == 3)
  }

  @Test(arguments: [false, true])
  func `where the caller has no way, SQLite waits`(isOpenedInside: Bool) throws {
    let path = path
    let open = { try Connection(path: path, mode: .readOnly, busyTimeout: 60) }
    let connection =
      isOpenedInside
      ? try Result { try LockWait.$pause.withValue({ _ in }, operation: { try open() }) }.get()
      : try open()
    let began = ContinuousClock.now
    #expect(throws: SQLiteError.self) { try connection.integer("SELECT x FROM t") }
    #expect(began.duration(to: .now) >= .milliseconds(50))
  }
}
