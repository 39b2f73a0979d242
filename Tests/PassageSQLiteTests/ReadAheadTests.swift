import Foundation
import PassageSQLite
import PassageValues
import Testing

/// A connection that reads several pages at once reads what any other does.
@Suite final class ReadAheadTests {
  private let folder: URL
  private var path: String { folder.appending(path: "a.sqlite").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Rows of all sizes, with chains before and behind their leaves, and an index.
  private func fill(pageBytes: Int) throws {
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("PRAGMA page_size = \(pageBytes)")
    try connection.execute("CREATE TABLE t(k INTEGER PRIMARY KEY, a, b)")
    try connection.execute("CREATE INDEX i ON t(a)")
    try connection.execute(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
        + "INSERT INTO t SELECT i * 7919 % 2003, i * 31 % 977, "
        + "CAST(substr(printf('%08d', i) || zeroblob(40000), 1, i * 7919 % 20000) AS BLOB) FROM n")
    try connection.execute("DELETE FROM t WHERE k % 11 = 0")
  }

  private func digest(_ connection: Connection) throws -> [Value] {
    try connection.rows(
      "SELECT count(*), sum(length(b)), sum(a), sum(k * length(b)), "
        + "(SELECT count(*) FROM t INDEXED BY i WHERE a > 400) FROM t"
    ).flatMap { $0 }
  }

  @Test(arguments: [512, 4_096, 65_536])
  func `it reads the same rows and finds the database sound`(pageBytes: Int) throws {
    try fill(pageBytes: pageBytes)
    let plain = try Connection(path: path, mode: .readOnly)
    for mode in [Connection.Mode.readOnly, .immutable] {
      let ahead = try Connection(path: path, mode: mode, readsAhead: true)
      #expect(try ahead.value("PRAGMA integrity_check") == .text("ok"))
      #expect(try ahead.value("PRAGMA quick_check") == .text("ok"))
      #expect(try digest(ahead) == digest(plain))
    }
  }

  @Test(arguments: [1_024, 4_096])
  func `it finds the same damage`(pageBytes: Int) throws {
    try fill(pageBytes: pageBytes)
    var bytes = try Array(Data(contentsOf: URL(filePath: path)))
    for place in stride(from: 3 * pageBytes, to: bytes.count, by: 29 * pageBytes) {
      for offset in 0..<8 { bytes[place + offset] ^= 0x55 }
    }
    try Data(bytes).write(to: URL(filePath: path))
    for check in ["quick_check", "integrity_check"] {
      let found = try [false, true].map { readsAhead in
        let connection = try Connection(path: path, mode: .readOnly, readsAhead: readsAhead)
        do {
          return try connection.rows("PRAGMA \(check)(1000)").map { $0[0].string ?? "" }
        } catch let error as SQLiteError {
          return [error.message]
        }
      }
      #expect(found[0] != ["ok"])
      #expect(found[0] == found[1])
    }
  }

  @Test func `a file that was cut off is damage`() throws {
    try fill(pageBytes: 4_096)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(bytes.count / 2 + 1_000).write(to: URL(filePath: path))
    let ahead = try Connection(path: path, mode: .readOnly, readsAhead: true)
    #expect(throws: SQLiteError.self) {
      #expect(try ahead.value("PRAGMA quick_check(1)") != .text("ok"))
      _ = try ahead.rows("SELECT sum(length(b)), sum(a) FROM t NOT INDEXED")
    }
  }

  @Test func `it sees what another connection has written since`() throws {
    try fill(pageBytes: 4_096)
    let ahead = try Connection(path: path, mode: .readOnly, readsAhead: true)
    let writer = try Connection(path: path, mode: .readWrite)
    for _ in 0..<3 {
      try writer.execute("UPDATE t SET a = a + 1, b = b || x'00'")
      #expect(try digest(ahead) == digest(writer))
    }
  }
}
