package import PassagePages
internal import PassageSQLite

/// Adds up what the leaves of a table tell, with several threads where there are enough of them.
///
/// Ranges of leaves are added up. What cannot be read is not told there: then the table is read in one
/// sweep, and that tells what is wrong, so that errors are the same for any number of threads.
package struct LeafTotals {
  /// Reading fewer pages takes less time than to begin threads, and is no time to stop in.
  static let fewestPages: UInt32 = 1_024

  private let reader: PageReader
  private let threadCount: Int
  private let control: RunControl?

  /// - Parameters:
  ///   - threadCount: the threads, this one included; at least 1.
  ///   - control: asked between ranges whether the run should stop, as is the watch over the statements.
  package init(_ reader: PageReader, threadCount: Int, control: RunControl? = nil) {
    self.reader = reader
    self.threadCount = threadCount
    self.control = control
  }

  /// How many rows a table has.
  ///
  /// - Parameter root: the table's root page.
  /// - Throws: `PageDamage`, `Cancellation`, or an error of the file.
  package func rowCount(root: UInt32) throws -> Int64 {
    let count = try sum(root: root, of: Int64(0)) { sweep, range in
      try sweep.rowCount(of: range)
    } add: {
      $0 &+= $1
    }
    return try count ?? TableSweep(reader, root: root, columnCount: 1).rowCount()
  }

  /// How many rows of a table have which number in a column.
  ///
  /// - Parameters:
  ///   - root: the table's root page.
  ///   - column: the position of the column in the records.
  /// - Throws: `PageDamage`, `Cancellation`, or an error of the file.
  package func rowCounts(root: UInt32, byColumn column: Int) throws -> NumberCounts {
    let counts = try sum(root: root, of: NumberCounts(), columnCount: column + 1) { sweep, range in
      try sweep.rowCounts(byColumn: column, of: range)
    } add: {
      $0.add($1)
    }
    return try counts
      ?? TableSweep(reader, root: root, columnCount: column + 1).rowCounts(byColumn: column)
  }

  /// How many rows of a table have values in columns for which tests hold.
  ///
  /// - Parameters:
  ///   - root: the table's root page.
  ///   - entityColumn: the position of the column with a row's entity.
  ///   - table: the columns of the table.
  /// - Throws: `PageDamage`, `Cancellation`, or an error of the file.
  package func valueCounts(
    root: UInt32, _ wanted: [CountedColumns], entityColumn: Int, of table: TableColumns
  ) throws -> ValueCounts {
    let columnCount = table.affinities.count
    let counts = try sum(root: root, of: ValueCounts(of: wanted), columnCount: columnCount) {
      try $0.valueCounts(wanted, entityColumn: entityColumn, of: table, in: $1)
    } add: {
      $0.add($1)
    }
    return try counts
      ?? TableSweep(reader, root: root, columnCount: columnCount)
      .valueCounts(wanted, entityColumn: entityColumn, of: table)
  }

  /// Whether a table has the rows of a digest.
  ///
  /// - Parameter root: the table's root page.
  /// - Throws: `PageDamage`, `Cancellation`, or an error of the file.
  package func matches(_ written: PageDigest, root: UInt32) throws -> Bool {
    let digest = try sum(root: root, of: PageDigest()) { sweep, range in
      try sweep.digest(of: range)
    } add: {
      $0.add($1)
    }
    if digest == written { return true }
    return try TableSweep(reader, root: root, columnCount: 1).digest() == written
  }

  /// Adds up parts, and asks between them whether the run should stop.
  ///
  /// - Returns: `nil` when one sweep must read the table: it is small, or some of it cannot be read.
  private func sum<Part: Sendable>(
    root: UInt32, of nothing: Part, columnCount: Int = 1,
    part: @escaping @Sendable (TableSweep, LeafRange) throws -> Part,
    add: (inout Part, Part) -> Void
  ) throws -> Part? {
    guard reader.pageCount >= Self.fewestPages else { return nil }
    let sweeps = SharedSweeps(reader, root: root)
    var runs = RangeRuns(ranges: sweeps.makeRanges())
    let makeWork = { @Sendable () -> ([LeafRange]) -> [Part]? in
      let sweep = sweeps.makeSweep(columnCount: columnCount)
      return { run in try? run.map { try part(sweep, $0) } }
    }
    var total = nothing
    // The keys up to which there was no gap. The last leaf has no bound.
    var end: Int64?
    func take(_ run: [LeafRange], _ parts: [Part]?) throws -> Bool {
      try control?.checkCancellation()
      if StatementWatch.current?.isAsked() == true { throw Cancellation() }
      for (range, part) in zip(run, parts ?? []) {
        guard range.after == end else { return false }
        add(&total, part)
        end = range.through
      }
      return parts != nil
    }
    guard threadCount > 1 else {
      let work = makeWork()
      while end != .max, let run = try? runs.next() {
        guard try take(run, work(run)) else { return nil }
      }
      return end == .max ? total : nil
    }
    let workers = OrderedWorkers<RangeRuns, [Part]>(runs, threadCount: threadCount) { makeWork() }
    defer { workers.stop() }
    var taker = OrderedWorkers<RangeRuns, [Part]>.Taker()
    while end != .max, let next = workers.next(&taker) {
      guard try take(next.piece, next.output) else { return nil }
    }
    return end == .max ? total : nil
  }
}

/// Runs of ranges that follow each other. A single one is read in less time than threads take to agree
/// on who reads it.
private struct RangeRuns: WorkSource {
  private static let rangesInRun = 8

  let ranges: LeafRanges

  mutating func next() throws -> [LeafRange]? {
    var run: [LeafRange] = []
    while run.count < Self.rangesInRun, let range = try ranges.next() { run.append(range) }
    return run.isEmpty ? nil : run
  }
}
