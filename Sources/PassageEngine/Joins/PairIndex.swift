internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// An index of a source's join table over both ends, whose entries can be copied in its order: where
/// keys are moved by sums, they stay in order.
struct PairIndex {
  private let job: PairIndexCopier.Job
  private let isUnique: Bool

  /// - Parameters:
  ///   - rule: how the pairs are copied.
  ///   - columns: the two columns of the index of the destination, in its order.
  ///   - isUnique: whether that index has no pair twice.
  ///   - source: a connection to the source.
  /// - Returns: `nil` when the source has no index over the columns that become those.
  init?(
    _ rule: JoinTableRule, columns: [String], isUnique: Bool, _ source: Connection,
    _ reader: PageReader
  ) throws {
    guard let ends = PairEnds(rule), columns.count == 2,
      let first = ends.columns.firstIndex(of: columns[0]),
      let second = ends.columns.firstIndex(of: columns[1]), first != second,
      let root = try Self.root(
        of: rule.source.name, [ends.sourceColumns[first], ends.sourceColumns[second]], source)
    else { return nil }
    job = PairIndexCopier.Job(
      reader, root: root, shifts: (ends.shifts[0], ends.shifts[1]), isReversed: first == 1,
      isUnique: isUnique)
    self.isUnique = isUnique
  }

  /// What an index over two columns of a source's table has, in either order.
  ///
  /// - Returns: `nil` when there is no such index, or its entries cannot be read.
  static func counts(
    of table: String, _ columns: [String], _ source: Connection, _ reader: PageReader,
    control: RunControl
  ) throws -> PairCounts? {
    let inOrder = try root(of: table, columns, source)
    guard let root = try inOrder ?? root(of: table, columns.reversed(), source) else { return nil }
    let job = PairIndexCopier.Job(counting: reader, root: root, isReversed: inOrder == nil)
    let (ranges, copier) = (job.makeRanges(), PairIndexCopier(job))
    var counts = PairCounts()
    do {
      while let range = try ranges.next() {
        try control.checkCancellation()
        counts.add(try copier.count(range))
      }
      return counts
    } catch is PageDamage, is ConvertedValue, is EntryOutOfOrder {
      return nil
    }
  }

  /// The root page of an index over exactly these columns.
  private static func root(
    of table: String, _ columns: [String], _ source: Connection
  ) throws -> UInt32? {
    let indexes = try source.rows(
      "SELECT name FROM pragma_index_list(?) WHERE partial = 0", [.text(table)])
    // The last one is the row's key, which has no name.
    var wanted: [SQLName?] = columns.map { SQLName($0) }
    wanted.append(nil)
    for index in indexes {
      let found = try source.rows(
        "SELECT name FROM pragma_index_xinfo(?) WHERE \"desc\" = 0 ORDER BY seqno", [index[0]])
      let names = found.map { row in row[0].string.map { SQLName($0) } }
      guard names == wanted else { continue }
      let root = try source.value(
        "SELECT rootpage FROM main.sqlite_master WHERE type = 'index' AND name = ?", [index[0]])
      return root?.integer.flatMap { UInt32(exactly: $0) }
    }
    return nil
  }

  /// Copies the index.
  ///
  /// - Parameters:
  ///   - root: the root page of the destination's empty index.
  ///   - threadCount: the threads, this one included.
  ///   - first: what each of the other threads does before.
  /// - Returns: what its entries tell of the pairs; `nil` when they cannot be copied so: they are out of
  ///   order, or damaged. Whatever was written then is not to be used.
  func copy(
    to file: PageFileWriter, root: UInt32, threadCount: Int, control: RunControl,
    after first: @escaping @Sendable () -> Void = {}
  ) throws -> PairCounts? {
    let writer = PairIndexWriter(file, root: root, isUnique: isUnique)
    do {
      if threadCount > 1, job.pageCount >= LeafTotals.fewestPages {
        guard try share(writer, threadCount, control, first) else { return nil }
      } else {
        let copier = PairIndexCopier(job)
        let ranges = job.makeRanges()
        while let range = try ranges.next() {
          try control.checkCancellation()
          try writer.append(copier.copy(range))
        }
      }
      try writer.finish()
      return writer.counts
    } catch is PageDamage, is ConvertedValue, is EntryOutOfOrder {
      return nil
    }
  }

  /// - Returns: false when a thread could not copy a range.
  private func share(
    _ writer: PairIndexWriter, _ threadCount: Int, _ control: RunControl,
    _ first: @escaping @Sendable () -> Void
  ) throws -> Bool {
    let workers = OrderedWorkers<IndexRanges, CopiedEntries>(
      job.makeRanges(), threadCount: threadCount
    ) { [job] in
      first()
      return Self.work(job)
    }
    defer { workers.stop() }
    var taker = OrderedWorkers<IndexRanges, CopiedEntries>.Taker(work: Self.work(job))
    while let next = workers.next(&taker) {
      try control.checkCancellation()
      guard let output = next.output else { return false }
      try writer.append(output)
    }
    return true
  }

  /// What a thread does with a range.
  private static func work(_ job: PairIndexCopier.Job) -> (IndexRange) -> CopiedEntries? {
    let copier = PairIndexCopier(job)
    return { try? copier.copy($0) }
  }
}

extension IndexRanges: WorkSource {}

/// The two ends of the pairs of a join table that is copied by sums.
struct PairEnds {
  /// The destination's first two columns.
  let columns: [String]
  /// The columns of the source that become those.
  let sourceColumns: [String]
  /// How their keys are moved.
  let shifts: [CopyProgram.Shift]

  /// - Returns: `nil` when one of them is something else.
  init?(_ rule: JoinTableRule) {
    guard rule.destination.columns.count >= 2 else { return nil }
    columns = Array(rule.destination.columns.prefix(2))
    var sourceColumns: [String] = []
    var shifts: [CopyProgram.Shift] = []
    for cell in rule.cells.prefix(2) {
      guard case .shifted(let column, let offset) = cell else { return nil }
      let keys = rule.ends.first { $0.column == column }.flatMap(\.keys)
      sourceColumns.append(column)
      shifts.append(CopyProgram.Shift(offset: offset, keys: keys?.ofPages))
    }
    self.sourceColumns = sourceColumns
    self.shifts = shifts
  }
}
