import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Rows that threads copy to memory, range by range, are the rows that the writer copies itself.
@Suite struct RangeCopierTests {
  private static let seed = RandomSeed.told(for: "RangeCopierTests")

  private static let columns = TableColumns(
    affinities: [.numeric] + TableTreeWriterTests.columns.map { Affinity(declaredType: $0) },
    keyColumn: 0)

  private static func program(keyOffset: Int64) -> CopyProgram {
    CopyProgram(
      entityNumber: nil, keyOffset: keyOffset,
      cells: TableTreeWriterTests.columns.indices.map {
        CopyProgram.Cell(column: $0 + 1, origin: .copy($0 + 1))
      })
  }

  /// A source of many leaves, and two empty destinations.
  private struct Stores {
    let folder: TemporaryDirectory
    let source: String
    let destinations: [String]
    let root: UInt32

    init(longest: Int, pageBytes: Int = 1_024) throws {
      var random = SeededRandom(seed: RangeCopierTests.seed &+ UInt64(longest))
      folder = try TemporaryDirectory()
      source = folder.path("source.db")
      destinations = [folder.path("one.db"), folder.path("other.db")]
      var root: UInt32 = 0
      for path in [source] + destinations {
        root = try TableTreeWriterTests.makeDatabase(
          at: path, pageBytes: pageBytes, isAutoVacuum: true)
      }
      self.root = root
      var key: Int64 = -3_000
      let rows: [(key: Int64, values: [Value])] = (0..<4_000).map { number in
        key += Int64.random(in: 1...5, using: &random)
        let text = String(repeating: "x", count: Int.random(in: 0...longest, using: &random))
        return (
          key,
          [
            .text(text), random.chance(20) ? .null : .integer(Int64(number)), .real(0.5), .null,
            .blob([1, 2, 3]), .integer(Int64.random(in: .min ... .max, using: &random)),
          ]
        )
      }
      try TableTreeWriterTests.insert(rows, into: source)
    }
  }

  /// Short rows, and rows of which a range has more than waits in the memory that is taken first.
  @Test(arguments: [(60, 1_024), (4_000, 16_384)])
  func `every range is copied, and its rows make the same table`(
    longest: Int, pageBytes: Int
  ) throws {
    let stores = try Stores(longest: longest, pageBytes: pageBytes)
    let reader = try PageReader(path: stores.source)
    let program = Self.program(keyOffset: 7)
    let files = try stores.destinations.map { try PageFileWriter(path: $0) }
    let writers = files.map { TableTreeWriter($0, root: stores.root) }

    let sweep = TableSweep(reader, root: stores.root, columnCount: Self.columns.affinities.count)
    let whole = try RowCopier(
      sweep, writers[0], source: Self.columns, entityColumn: nil, destination: Self.columns,
      programs: [program])
    #expect(try whole.run(rows: .max, bytes: .max) == .end)

    let job = RangeCopier.Job(
      reader, root: stores.root, source: Self.columns, entityColumn: nil,
      destination: Self.columns, programs: [program], longestPayload: writers[1].longestPayload)
    let copiers = [try #require(job.makeCopier()), try #require(job.makeCopier())]
    let counter = try RowCopier(
      sweep, writers[1], source: Self.columns, entityColumn: nil, destination: Self.columns,
      programs: [program])
    let ranges = LeafRanges(reader, root: stores.root, after: nil)
    var (count, mostBytes) = (0, 0)
    while let range = try ranges.next() {
      let copied = try #require(copiers[count % 2].copy(range) { _, _ in .limit })
      mostBytes = max(mostBytes, copied.rows.byteCount)
      try writers[1].append(copied.rows)
      counter.add(copied.counts)
      count += 1
    }
    #expect(count > 3)
    #expect(mostBytes > 256 << 10 || longest < 1_000)
    #expect(counter.takeReadCount(ofProgram: 0) == 4_000)
    for cell in program.cells.indices {
      let counts = [counter, whole].map { $0.takeNullCount(ofProgram: 0, cell: cell).nulls }
      #expect(counts[0] == counts[1])
    }
    for (file, writer) in zip(files, writers) {
      try writer.finish()
      try file.finish()
    }
    #expect(writers[0].digest == writers[1].digest)
    #expect(
      stores.folder.contents("one.db") == stores.folder.contents("other.db"))
  }

  @Test func `a range with a row that does not fit its page is left to the writer`() throws {
    let stores = try Stores(longest: 3_000)
    let reader = try PageReader(path: stores.source)
    let file = try PageFileWriter(path: stores.destinations[0])
    let job = RangeCopier.Job(
      reader, root: stores.root, source: Self.columns, entityColumn: nil,
      destination: Self.columns, programs: [Self.program(keyOffset: 0)],
      longestPayload: file.longestPayload)
    let copier = try #require(job.makeCopier())
    let ranges = LeafRanges(reader, root: stores.root, after: nil)
    let first = try #require(try ranges.next())
    #expect(copier.copy(first) { _, _ in .limit }?.rows.rowCount == nil)
  }

  @Test func `what was set of a row about which a caller fails is forgotten`() throws {
    let stores = try Stores(longest: 10)
    var program = Self.program(keyOffset: 0)
    program.isDecidedByCaller = true
    for cell in program.cells.indices { program.cells[cell].isReplaceable = true }
    let reader = try PageReader(path: stores.source)
    let files = try stores.destinations.map { try PageFileWriter(path: $0) }
    let writers = files.map { TableTreeWriter($0, root: stores.root) }
    let job = RangeCopier.Job(
      reader, root: stores.root, source: Self.columns, entityColumn: nil,
      destination: Self.columns, programs: [program], longestPayload: writers[0].longestPayload)
    let others = RangeCopier.Job(
      reader, root: stores.root, source: Self.columns, entityColumn: nil,
      destination: Self.columns, programs: [program], longestPayload: writers[1].longestPayload)
    let (copier, other) = (try #require(job.makeCopier()), try #require(others.makeCopier()))
    struct Failed: Error {}
    let ranges = LeafRanges(reader, root: stores.root, after: nil)
    let first = try #require(try ranges.next())
    let failed = copier.copy(first) { _, copier in
      for cell in program.cells.indices { try copier.replace(cell, with: .null) }
      throw Failed()
    }
    #expect(failed?.rows.rowCount == nil)
    var rowCount = 0
    while let range = try ranges.next() {
      let copied = try #require(copier.copy(range, decide: Self.append))
      try writers[0].append(copied.rows)
      try writers[1].append(try #require(other.copy(range, decide: Self.append)).rows)
      rowCount += copied.rows.rowCount
    }
    #expect(rowCount > 1_000)
    #expect(writers[0].digest == writers[1].digest)
  }

  @Test func `a range is left when a question is answered so, and made by another call`() throws {
    let stores = try Stores(longest: 10)
    var program = Self.program(keyOffset: 0)
    program.isDecidedByCaller = true
    let reader = try PageReader(path: stores.source)
    // A page that is read twice by the copiers of a job is taken for a circle.
    func makeCopier() throws -> RangeCopier {
      try #require(
        RangeCopier.Job(
          reader, root: stores.root, source: Self.columns, entityColumn: nil,
          destination: Self.columns, programs: [program], longestPayload: 4_000
        ).makeCopier())
    }
    let range = try #require(try LeafRanges(reader, root: stores.root, after: nil).next())
    let whole = try #require(try makeCopier().copy(range, decide: Self.append))
    var questions = 0
    let left = try makeCopier().copy(range, rowsBetweenQuestions: 10, decide: Self.append) {
      questions += 1
      return questions < 3
    }
    #expect(left?.rows.rowCount == nil)
    #expect(questions == 3)
    let again = try #require(
      try makeCopier().copy(range, rowsBetweenQuestions: 10, decide: Self.append) { true })
    #expect(again.rows.rowCount == whole.rows.rowCount)
    #expect(again.rows.byteCount == whole.rows.byteCount)
    #expect(again.counts.readCount == Int64(whole.rows.rowCount))
  }

  @Test func `a range whose pages another copier has come to is left`() throws {
    let stores = try Stores(longest: 10)
    let reader = try PageReader(path: stores.source)
    let job = RangeCopier.Job(
      reader, root: stores.root, source: Self.columns, entityColumn: nil,
      destination: Self.columns, programs: [Self.program(keyOffset: 0)], longestPayload: 900)
    let (one, other) = (try #require(job.makeCopier()), try #require(job.makeCopier()))
    let ranges = LeafRanges(reader, root: stores.root, after: nil)
    let first = try #require(try ranges.next())
    #expect(one.copy(first) { _, _ in .limit }?.rows.rowCount != nil)
    #expect(other.copy(first) { _, _ in .limit }?.rows.rowCount == nil)
    let second = try #require(try ranges.next())
    #expect(other.copy(second) { _, _ in .limit }?.rows.rowCount != nil)
    #expect(other.copy(second) { _, _ in .limit }?.rows.rowCount == nil)
  }

  /// A copier keeps the page above the leaves from one range to the next, but none that is damaged.
  @Test func `ranges below a damaged page are left, each of them`() throws {
    let stores = try Stores(longest: 300, pageBytes: 2_048)
    let reader = try PageReader(path: stores.source)
    let job = RangeCopier.Job(
      reader, root: stores.root, source: Self.columns, entityColumn: nil,
      destination: Self.columns, programs: [Self.program(keyOffset: 0)], longestPayload: 1_900)
    let copier = try #require(job.makeCopier())
    let ranges = LeafRanges(reader, root: stores.root, after: nil)
    let (first, second) = (try #require(try ranges.next()), try #require(try ranges.next()))
    let whole = try #require(stores.folder.contents("source.db"))
    var damaged = whole
    // The header of a page above the leaves of a table has 12 bytes, and the places of cells follow.
    for start in stride(from: 2_048, to: whole.count, by: 2_048) where whole[start] == 5 {
      damaged.replaceSubrange(start + 12..<start + 14, with: [0xFF, 0xFF])
    }
    try stores.folder.write(damaged, to: "source.db")
    #expect(copier.copy(first) { _, _ in .limit }?.rows.rowCount == nil)
    #expect(copier.copy(second) { _, _ in .limit }?.rows.rowCount == nil)
    try stores.folder.write(whole, to: "source.db")
    #expect(copier.copy(first) { _, _ in .limit }?.rows.rowCount != nil)
    #expect(copier.copy(second) { _, _ in .limit }?.rows.rowCount != nil)
  }

  @Test func `rows that do not come after those before are refused`() throws {
    let stores = try Stores(longest: 10)
    let reader = try PageReader(path: stores.source)
    let writer = TableTreeWriter(
      try PageFileWriter(path: stores.destinations[0]), root: stores.root)
    let job = RangeCopier.Job(
      reader, root: stores.root, source: Self.columns, entityColumn: nil,
      destination: Self.columns, programs: [Self.program(keyOffset: 0)],
      longestPayload: writer.longestPayload)
    let copier = try #require(job.makeCopier())
    let range = try #require(try LeafRanges(reader, root: stores.root, after: nil).next())
    let rows = try #require(copier.copy(range) { _, _ in .limit }).rows
    try writer.append(rows)
    let last = try #require(writer.largestKey)
    #expect(throws: KeyOutOfOrder.self) { try writer.append(rows) }
    #expect(writer.largestKey == last)
  }

  /// Appends every row.
  private static func append(_ program: Int, _ copier: RowCopier) throws -> RowCopier.Stop {
    try copier.append()
    return try copier.resume()
  }
}
