import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// An index of a test: the places of its columns among those of the table, the key's being -1.
struct IndexFixture {
  var name: String
  var columns: [(place: Int, isDescending: Bool)]
  var isUnique = false

  var columnList: String {
    columns.map { Self.name($0.place) + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
  }
  var columnNames: [String] { columns.map { Self.name($0.place) } }
  var statement: String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON t (\(columnList))"
  }

  private static func name(_ place: Int) -> String { place < 0 ? "k" : "c\(place)" }

  func builder(_ memory: SortMemory) -> IndexBuilder {
    let columns = columns.map {
      // The key's own place is first in a row.
      IndexColumn(position: $0.place < 0 ? nil : $0.place + 1, isDescending: $0.isDescending)
    }
    return IndexBuilder(columns: columns, isUnique: isUnique, memory: memory)
  }
}

/// A table with indexes, built page by page, and the same made by SQLite.
struct IndexedDatabase {
  static let types = ["VARCHAR", "INTEGER", "FLOAT", "TIMESTAMP", "BLOB", "DECIMAL", ""]

  let folder: TemporaryDirectory
  let pageBytes: Int
  let isAutoVacuum: Bool
  let indexes: [IndexFixture]
  let rows: [(key: Int64, values: [Value])]

  var written: String { folder.path("written.db") }
  var made: String { folder.path("made.db") }

  /// Makes an empty table, with its indexes or without them.
  private func makeDatabase(at path: String, _ statements: [String]) throws {
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("PRAGMA page_size = \(pageBytes)")
    try connection.execute("PRAGMA auto_vacuum = \(isAutoVacuum ? 2 : 0)")
    try connection.execute("CREATE TABLE before (a)")
    let list = Self.types.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ")
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, \(list))")
    for statement in statements { try connection.execute(statement) }
    try connection.execute("CREATE TABLE after (a)")
    try connection.execute("INSERT INTO after VALUES (zeroblob(9000))")
  }

  /// Lets SQLite insert the rows, then make the indexes that have no equal entries.
  func make() throws {
    try makeDatabase(at: made, [])
    let connection = try Connection(path: made, mode: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    let places = Array(repeating: "?", count: Self.types.count + 1).joined(separator: ", ")
    let insert = try connection.prepare("INSERT INTO t VALUES (\(places))")
    try connection.transaction {
      for row in rows {
        try insert.bind([.integer(row.key)] + row.values)
        try insert.run()
      }
      for index in indexes { try? connection.execute(index.statement) }
    }
  }

  /// Builds table and indexes page by page.
  ///
  /// - Parameters:
  ///   - helpers: the threads that sort beside this one.
  ///   - sweeps: whether the rows of the indexes are read from the table that was written, and the
  ///     pages of the file stay as they are until the indexes are complete.
  ///   - beforeMerging: called with the path of the sorters' file.
  /// - Returns: the equal entries of each index.
  func write(
    memory byteCount: Int, helpers: Int = 0, sweeps: Bool = false,
    beforeMerging: (String) throws -> Void = { _ in }
  ) throws -> [DuplicateEntries] {
    try makeDatabase(at: written, indexes.map(\.statement))
    var roots: [String: UInt32] = [:]
    do {
      let connection = try Connection(path: written, mode: .readOnly)
      for row in try connection.rows("SELECT name, rootpage FROM sqlite_master") {
        guard case .text(let name) = row[0], case .integer(let root) = row[1] else { continue }
        roots[name] = UInt32(root)
      }
    }
    let memory = SortMemory(byteCount: byteCount, helperCount: helpers) { [folder] in
      let path = try folder.write([], to: "sort")
      return try PositionalFile(path, mode: .updating)
    }
    let builders = indexes.map { $0.builder(memory) }
    let file = try PageFileWriter(path: written)
    let table = TableTreeWriter(file, root: try #require(roots["t"]))
    try Self.forEachRow(rows) { key, images in
      try table.append(key: key, images)
      if sweeps { return }
      for builder in builders { try builder.add(key: key, images) }
    }
    try table.finish()
    if sweeps {
      try file.finish()
      let reader = try PageReader(path: written)
      let sweep = TableSweep(
        reader, root: try #require(roots["t"]), columnCount: Self.types.count + 1)
      while try sweep.next() { for builder in builders { try builder.add(rowOf: sweep) } }
    }
    try beforeMerging(folder.path("sort"))
    // Rows that were swept are read from a file that is complete.
    let before = sweeps ? folder.contents("written.db") ?? [] : []
    let indexFile = sweeps ? try PageFileWriter(path: written, keepsPages: true) : file
    let duplicates = try zip(indexes, builders).map { index, builder in
      try builder.write(to: indexFile, root: try #require(roots[index.name]))
    }
    if sweeps { try checkKept(before, roots) }
    try indexFile.finish()
    return duplicates
  }

  /// Whether a file that is being written to can still be read as it was: no page of it has
  /// changed, but for the pointer map, which tells of new pages already.
  private func checkKept(_ before: [UInt8], _ roots: [String: UInt32]) throws {
    let now = try #require(folder.contents("written.db"))
    for root in roots.values {
      let page = (Int(root) - 1) * pageBytes..<Int(root) * pageBytes
      #expect(now[page].elementsEqual(before[page]))
    }
    #expect(now[..<100].elementsEqual(before[..<100]))
  }

  /// Gives rows as a table stores them.
  static func forEachRow(
    _ rows: [(key: Int64, values: [Value])],
    _ body: (Int64, UnsafeBufferPointer<CellImage>) throws -> Void
  ) throws {
    let affinities = types.map { Affinity(declaredType: $0) }
    for row in rows {
      var batch = RowBatch(columnCount: types.count)
      batch.begin(key: row.key)
      for value in row.values { batch.append(value) }
      var images = [CellImage.null]
      try batch.forEachCell { _, column, cell in
        images.append(try #require(affinities[column].image(of: cell)))
      } afterwards: {
        try images.withUnsafeBufferPointer { try body(row.key, $0) }
      }
    }
  }

  // MARK: Expectations

  /// Compares an index with the table and with the index that SQLite made.
  func check(_ index: IndexFixture, _ connection: Connection) throws {
    let columns = index.columnNames
    let order = "\(index.columnList), k"
    let values = columns.flatMap { [$0, "typeof(\($0))", "hex(\($0))"] }.joined(separator: ", ")
    let query = "SELECT k, \(values) FROM main.t"
    let byIndex = try connection.rows("\(query) INDEXED BY \(index.name) ORDER BY \(order)")
    let byTable = try connection.rows("\(query) NOT INDEXED ORDER BY \(order)")
    #expect(byIndex == byTable, "\(index.statement)")
    let pictures = try [("main", written), ("made", made)].map { schema, path in
      let query = "SELECT rootpage FROM \(schema).sqlite_master WHERE name = ?"
      return try TreePicture(
        path: path, root: UInt32(connection.integer(query, [.text(index.name)])),
        pageBytes: pageBytes)
    }
    pictures[0].expectIndex(pictures[1], index.statement)
    // Without garbage of entries that were moved.
    if pictures[1].height == 1 {
      #expect(pictures[0].leaves[0].bytes == pictures[1].leaves[0].bytes, "\(index.statement)")
    }
  }

  /// The equal entries that SQL finds.
  func duplicateCount(_ index: IndexFixture, _ connection: Connection) throws -> Int64 {
    guard index.isUnique else { return 0 }
    let columns = index.columnNames
    return try connection.integer(
      "SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) n FROM main.t WHERE "
        + columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        + " GROUP BY \(columns.joined(separator: ", ")))")
  }

  /// Writes everything, and compares it with SQLite's work.
  func checkAll(memory: Int, helpers: Int = 0, sweeps: Bool = false) throws {
    let duplicates = try write(memory: memory, helpers: helpers, sweeps: sweeps)
    try make()
    let connection = try Connection(path: written, mode: .readWrite, isSynced: false)
    try connection.attach(made, as: "made", mode: .readWrite)
    for (index, found) in zip(indexes, duplicates) {
      #expect(try Int64(found.count) == duplicateCount(index, connection), "\(index.statement)")
      if found.isEmpty {
        try check(index, connection)
      } else {
        try connection.execute("DROP INDEX main.\(index.name)")
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM main.t") == Int64(rows.count))
    try expectSound(connection, after: "writing")

    // The result is a database like any other.
    for schema in ["main", "made"] {
      try connection.execute("DELETE FROM \(schema).t WHERE k % 3 = 0")
      try connection.execute(
        "UPDATE OR IGNORE \(schema).t SET c0 = c0 || 'longer', c1 = c1 / 2, "
          + "c4 = zeroblob(k % 700)")
      try connection.execute(
        "INSERT OR IGNORE INTO \(schema).t (k, c0, c1, c6) "
          + "SELECT ~k, c0, c1 + 1, k FROM \(schema).t ORDER BY k LIMIT 500")
    }
    try expectSound(connection, after: "changing")
    try connection.execute("PRAGMA main.incremental_vacuum")
    try expectSound(connection, after: "giving room back")
    try connection.vacuum()
    try expectSound(connection, after: "rebuilding")
  }

  private func expectSound(_ connection: Connection, after change: String) throws {
    #expect(try connection.rows("PRAGMA main.integrity_check") == [["ok"]], "after \(change)")
    #expect(try connection.differences(from: "made") == [], "after \(change)")
  }
}
