import PassageSQLite
import PassageTesting
import PassageValues
import Testing

@testable import PassagePages

/// Rows about which a caller decides, and that it does not append: those that fail, one after the other.
@Suite struct LeftRowTests {
  private static let columns = TableColumns(affinities: [.numeric, .text, .text], keyColumn: 0)

  /// Calls a function for each of 200 rows of a table, and returns those of the copy.
  private static func copy(
    _ origin: CopyProgram.Origin, isReplaceable: Bool,
    decide: (RowCopier, Int64) throws -> Void
  ) throws -> [[Value]] {
    let folder = try TemporaryDirectory()
    let (old, new) = (folder.path("old.db"), folder.path("new.db"))
    for path in [old, new] {
      let store = try Connection(path: path, mode: .create, isSynced: false)
      try store.execute("PRAGMA auto_vacuum = INCREMENTAL")
      try store.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, a TEXT, b TEXT)")
    }
    let store = try Connection(path: old, mode: .readWrite)
    for key in 1...200 {
      try store.execute("INSERT INTO t VALUES (?, 'old', 'b')", [.integer(Int64(key))])
    }
    let root = UInt32(try store.integer("SELECT rootpage FROM sqlite_master"))
    let reader = try PageReader(path: old)
    let file = try PageFileWriter(path: new)
    let writer = TableTreeWriter(file, root: root)
    let program = CopyProgram(
      entityNumber: nil, keyOffset: 0,
      cells: [
        CopyProgram.Cell(column: 1, origin: origin, isReplaceable: isReplaceable),
        CopyProgram.Cell(column: 2, origin: .copy(2)),
      ], isDecidedByCaller: true)
    let copier = try RowCopier(
      TableSweep(reader, root: root, columnCount: 3), writer, source: columns, entityColumn: nil,
      destination: columns, programs: [program])
    var stop = try copier.run(rows: .max, bytes: .max)
    while case .row = stop {
      try decide(copier, copier.key)
      stop = try copier.resume()
    }
    try writer.finish()
    try file.finish()
    return try Connection(path: new, mode: .readOnly).rows("SELECT * FROM t")
  }

  @Test func `texts that were set of rows that are left do not wait in memory`() throws {
    let text = Value.text(String(repeating: "x", count: 100_000))
    var most = 0
    let rows = try Self.copy(.set, isReplaceable: false) { copier, key in
      try copier.set(0, to: text)
      most = max(most, copier.setBytes)
      if key == 200 { try copier.append() }
    }
    #expect(rows == [[200, text, "b"]])
    #expect(most >= 100_000 && most < 500_000, "\(most)")
  }

  @Test func `a cell that was replaced in a row that is left is the next row's own`() throws {
    let rows = try Self.copy(.copy(1), isReplaceable: true) { copier, key in
      if key % 2 == 1 {
        try copier.replace(0, with: .text("new"))
      } else if key == 200 {
        try copier.append()
      }
    }
    #expect(rows == [[200, "old", "b"]])
  }
}
