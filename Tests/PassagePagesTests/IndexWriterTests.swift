import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// A tree of entries that are in order already.
@Suite struct IndexWriterTests {
  static let seed = RandomSeed.told(for: "IndexWriterTests")

  @Test(arguments: [512, 4_096, 65_536], [true, false])
  func `entries in the order of SQLite make a sound index`(
    pageBytes: Int, isAutoVacuum: Bool
  ) throws {
    var content = RandomIndexes(seed: Self.seed &+ UInt64(pageBytes))
    let index = IndexFixture(name: "i", columns: [(6, false), (0, true)])
    let database = IndexedDatabase(
      folder: try TemporaryDirectory(), pageBytes: pageBytes, isAutoVacuum: isAutoVacuum,
      indexes: [index], rows: content.rows([1_500]))
    try database.make()
    _ = try database.write(memory: 1 << 20)
    // The same index once more, empty, is filled with what SQLite has sorted.
    let path = database.written
    var root: UInt32 = 0
    var entries: [[Value]] = []
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      entries = try connection.rows("SELECT c6, c0, k FROM t ORDER BY c6, c0 DESC, k")
      try connection.execute("CREATE TABLE u AS SELECT * FROM t WHERE 0")
      try connection.execute("CREATE INDEX j ON u (c6, c0 DESC)")
      root = UInt32(
        try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'j'"))
    }
    let file = try PageFileWriter(path: path)
    let writer = IndexWriter(file, root: root)
    for entry in entries { try Self.withImages(of: entry) { try writer.append($0) } }
    try writer.finish()
    try file.finish()

    let connection = try Connection(path: path, mode: .readWrite)
    // The table of the second index is empty; the pages of its tree are sound all the same.
    let problems = try connection.rows("PRAGMA integrity_check").filter {
      $0 != [.text("wrong # of entries in index j")] && $0 != ["ok"]
    }
    #expect(problems.isEmpty)
    let sizes = "SELECT sum(ncell), sum(payload), count(*) FROM dbstat WHERE name = ?"
    #expect(try connection.rows(sizes, ["i"]) == connection.rows(sizes, ["j"]))
    try connection.execute("DROP INDEX j")
    #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
  }

  private static func withImages(
    of values: [Value], _ body: (UnsafeBufferPointer<CellImage>) throws -> Void
  ) throws {
    var batch = RowBatch(columnCount: values.count)
    batch.begin(key: 0)
    for value in values { batch.append(value) }
    var images: [CellImage] = []
    try batch.forEachCell { _, _, cell in
      images.append(try #require(Affinity.blob.image(of: cell)))
    } afterwards: {
      try images.withUnsafeBufferPointer(body)
    }
  }

  @Test(arguments: [10, 400, 3_000])
  func `entries that are records already make a sound index`(textBytes: Int) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("records.db")
    var roots: [UInt32] = []
    do {
      let connection = try Connection(path: path, mode: .create)
      try connection.execute("PRAGMA page_size = 1024")
      try connection.execute("PRAGMA auto_vacuum = 2")
      try connection.execute("CREATE TABLE t (a)")
      try connection.execute("CREATE INDEX i ON t (a)")
      roots = try ["t", "i"].map {
        let query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return UInt32(try connection.integer(query, [.text($0)]))
      }
    }
    let file = try PageFileWriter(path: path)
    let rows = (0..<200).map { key in
      // Many of the texts are equal.
      (key: key, text: [UInt8](repeating: UInt8(48 + key / 50), count: textBytes))
    }
    let table = TableTreeWriter(file, root: roots[0])
    for row in rows {
      try row.text.withUnsafeBytes { text in
        try [CellImage.text(text)].withUnsafeBufferPointer {
          try table.append(key: Int64(row.key + 1_000), $0)
        }
      }
    }
    try table.finish()
    let writer = IndexWriter(file, root: roots[1])
    for row in rows {
      // The header: its length, the type of a text, and that of an integer of two bytes.
      let type = textBytes * 2 + 13
      let types = type < 128 ? [UInt8(type)] : [UInt8(type >> 7) | 0x80, UInt8(type & 0x7F)]
      let key = row.key + 1_000
      let record =
        [UInt8(types.count + 2)] + types + [2] + row.text + [UInt8(key >> 8), UInt8(key & 0xFF)]
      try record.withUnsafeBytes { try writer.append(record: $0) }
    }
    try writer.finish()
    try file.finish()
    let connection = try Connection(path: path, mode: .readWrite)
    #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try connection.integer("SELECT count(*) FROM t INDEXED BY i WHERE a > '0'") == 200)
  }
}
