import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Rows that wait in a file come to their table as they were, wherever the reading was interrupted.
@Suite struct RowRunTests {
  private static let texts = [0, 1, 100, 3_000, 20_000, 70_000, 200_000]

  private static func fill(_ run: RowRun, keys: ClosedRange<Int64>) throws {
    for key in keys {
      let text = Array(repeating: UInt8(97 + key % 26), count: texts[Int(key) % texts.count])
      try text.withUnsafeBytes { bytes in
        let cells = [CellImage.null, .integer(key * 3), .text(bytes), .null]
        try cells.withUnsafeBufferPointer { try run.append(key: key, $0) }
      }
    }
  }

  private static func makeFile(_ directory: TemporaryDirectory) throws -> PositionalFile {
    try FileSystem().makeFile(directory.path("rows"))
    return try PositionalFile(directory.path("rows"), mode: .updating)
  }

  @Test(arguments: [1, 3, 1_000])
  func `rows of any length are appended as they were`(rowsAtOnce: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("t.sqlite")
    let connection = try Connection(path: path, mode: .create, isSynced: false)
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, n INTEGER, s TEXT, e BLOB)")
    let root = UInt32(try connection.integer("SELECT rootpage FROM sqlite_master"))
    let run = try RowRun(Self.makeFile(directory), byteCount: 0)
    try Self.fill(run, keys: 1...60)
    let file = try PageFileWriter(path: path)
    let writer = TableTreeWriter(file, root: root)
    var reader = try RowRunReader(run)
    while try reader.append(to: writer, rows: rowsAtOnce) {
      reader = try RowRunReader(run, at: reader.place)
    }
    try writer.finish()
    try file.finish()
    let store = try Connection(path: path, mode: .readOnly)
    #expect(try store.value("PRAGMA integrity_check")?.string == "ok")
    let rows = try store.rows("SELECT k, n, length(s), substr(s, 1, 1), e FROM t ORDER BY k")
    #expect(rows.count == 60)
    for row in rows {
      let key = try #require(row[0].integer)
      #expect(row[1] == .integer(key * 3))
      #expect(row[2] == .integer(Int64(Self.texts[Int(key) % Self.texts.count])))
      #expect(row[4].isNull)
    }
  }

  @Test func `rows behind the recorded ones are dropped`() throws {
    let directory = try TemporaryDirectory()
    let file = try Self.makeFile(directory)
    let run = try RowRun(file, byteCount: 0)
    try Self.fill(run, keys: 1...20)
    let recorded = try run.flush()
    try Self.fill(run, keys: 21...40)
    try run.flush()
    let again = try RowRun(file, byteCount: recorded)
    #expect(try file.byteCount == recorded)
    try Self.fill(again, keys: 21...40)
    let whole = try again.flush()
    #expect(try file.byteCount == whole)
  }

  @Test func `a file that does not hold what was written is an error`() throws {
    let directory = try TemporaryDirectory()
    let file = try Self.makeFile(directory)
    let run = try RowRun(file, byteCount: 0)
    try Self.fill(run, keys: 1...20)
    let byteCount = try run.flush()
    #expect(throws: SpillDamage.self) { try RowRun(file, byteCount: byteCount + 1) }
    #expect(throws: SpillDamage.self) { try RowRunReader(run, at: byteCount + 1) }
    // Whatever is in the file, it is read without a trap.
    var random = SeededRandom(seed: RandomSeed.told(for: "RowRunTests"))
    let path = directory.path("t.sqlite")
    for _ in 0..<300 {
      let offset = Int64.random(in: 0..<byteCount, using: &random)
      var byte = UInt8.random(in: 0...255, using: &random)
      try withUnsafeBytes(of: &byte) { try file.write($0, at: offset) }
      try FileSystem().remove(path)
      let connection = try Connection(path: path, mode: .create, isSynced: false)
      try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, n INTEGER, s TEXT, e BLOB)")
      let writer = TableTreeWriter(try PageFileWriter(path: path), root: 2)
      do {
        let reader = try RowRunReader(run)
        while try reader.append(to: writer, rows: 100) {}
      } catch is SpillDamage {
      } catch is KeyOutOfOrder {
      }
    }
  }
}
