internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Copies a join table whose two ends are arithmetic page by page, with the index of its primary
/// key.
///
/// The index is copied from the source's index over the same ends, if there is one, and otherwise
/// sorted.
struct PageJoin {
  /// The rows that wait in memory.
  private static let rowsAtOnce = 16_384

  let rule: JoinTableRule
  let destination: PageTable
  private let indexRoot: UInt32
  private let ends: PairEnds

  /// - Parameter connection: of the pass store, which has its empty tables.
  /// - Returns: `nil` when SQLite must copy it.
  init?(_ rule: JoinTableRule, _ connection: Connection) throws {
    guard let destination = try PageTable(rule.destination.name, connection),
      let indexRoot = try destination.keyIndexRoot(connection), let ends = PairEnds(rule),
      Array(destination.names.prefix(2)) == ends.columns
    else { return nil }
    self.rule = rule
    self.destination = destination
    self.indexRoot = indexRoot
    self.ends = ends
  }

  // MARK: Copying

  /// Copies the pairs.
  ///
  /// - Parameters:
  ///   - source: a connection to the source, for its schema.
  ///   - threadCount: the threads, this one included.
  ///   - makeSpillFile: makes an empty file for what does not fit into memory.
  /// - Throws: ``PagesUnsuitable`` when a pair is damaged or stored twice.
  func copy(
    from source: Connection, _ reader: PageReader, to file: PageFileWriter, threadCount: Int,
    makeSpillFile: @escaping @Sendable () throws -> PositionalFile, control: RunControl
  ) throws -> CopiedJoin {
    guard let table = try PageTable(rule.source.name, source) else {
      throw PagesUnsuitable("\(rule.source.name) is not an ordinary table")
    }
    let job = try makeJob(table, reader)
    let writer = TableTreeWriter(file, root: destination.root)
    let index = try PairIndex(rule, columns: ends.columns, isUnique: true, source, reader)
    do {
      let pairs: PairCounts
      if let index {
        pairs = try copyRows(job, to: writer, threadCount, control)
        try writer.finish()
        // SQLite reads pairs from the table's index.
        guard
          try index.copy(to: file, root: indexRoot, threadCount: threadCount, control: control)
            == pairs
        else { throw Self.differs(table) }
      } else {
        let memory = SortMemory(
          byteCount: StepMemory.allowed.pairBytes, helperCount: threadCount - 1,
          meter: StepMemory.allowed.meter, makeFile: makeSpillFile)
        let builder = IndexBuilder(
          columns: [IndexColumn(position: 0), IndexColumn(position: 1)], isUnique: true,
          memory: memory)
        pairs = try copyRest(PairCopier(job), to: writer, index: builder, control)
        try checkCounts(pairs, table, source)
        try writer.finish()
        guard try builder.write(to: file, root: indexRoot).isEmpty else {
          throw PagesUnsuitable("\(rule.source.name) contains a pair twice")
        }
      }
      return CopiedJoin(table: writer.digest, pairs: pairs.copied)
    } catch let damage as PageDamage {
      throw DamagedTable(table: table.name, damage: damage)
    } catch is ConvertedValue {
      throw PagesUnsuitable("a key of \(table.name) is not a whole number")
    }
  }

  private func makeJob(_ table: PageTable, _ reader: PageReader) throws -> PairCopier.Job {
    let columns = ends.sourceColumns.map { table.position($0) }
    guard columns.allSatisfy(table.holdsNumbers),
      destination.names.indices.allSatisfy(destination.holdsNumbers),
      destination.names.count <= PairCopier.mostColumns
    else {
      throw PagesUnsuitable("\(table.name) has no columns of whole numbers for its keys")
    }
    return PairCopier.Job(
      reader, root: table.root, columnCount: table.names.count, columns: (columns[0], columns[1]),
      shifts: (ends.shifts[0], ends.shifts[1]), cells: try cells(table))
  }

  /// Where each column of the destination comes from.
  private func cells(_ table: PageTable) throws -> [PairCopier.Cell] {
    try destination.names.map { name in
      guard let place = rule.destination.columns.firstIndex(of: name) else { return .null }
      switch rule.cells[place] {
      case .shifted(let column, _):
        return .end(ends.sourceColumns[0] == column ? 0 : 1)
      case .copied(let column):
        let position = table.position(column)
        guard table.holdsNumbers(position) else {
          throw PagesUnsuitable("\(table.name) has no column of whole numbers for a place")
        }
        return .copy(position)
      case .empty: return .null
      }
    }
  }

  // MARK: Rows

  /// - Returns: what the whole table has.
  private func copyRows(
    _ job: PairCopier.Job, to writer: TableTreeWriter, _ threadCount: Int, _ control: RunControl
  ) throws -> PairCounts {
    var counts = PairCounts()
    var end: Int64?
    if threadCount > 1, job.pageCount >= LeafTotals.fewestPages {
      let workers = RangeWorkers<CopiedPairs>(job.makeRanges(), threadCount: threadCount) {
        let copier = PairCopier(ofRanges: job)
        return { try? copier.copy($0) }
      }
      defer { workers.stop() }
      var taker = RangeWorkers<CopiedPairs>.Taker()
      while end != .max, let next = workers.next(&taker), next.piece.after == end,
        let copied = next.output
      {
        try control.checkCancellation()
        try writer.append(copied.rows)
        counts.add(copied.counts)
        end = next.piece.through
      }
    }
    guard end != .max else { return counts }
    // What is left are the rows of a single leaf, or what no thread could copy, or all.
    let copier = PairCopier(job)
    if let end { try copier.seek(after: end) }
    counts.add(try copyRest(copier, to: writer, index: nil, control))
    return counts
  }

  /// - Returns: what was read.
  private func copyRest(
    _ copier: PairCopier, to writer: TableTreeWriter, index: IndexBuilder?, _ control: RunControl
  ) throws -> PairCounts {
    var counts = PairCounts()
    while let copied = try copier.copyNext(rows: Self.rowsAtOnce, index: index) {
      try control.checkCancellation()
      try writer.append(copied.rows)
      counts.add(copied.counts)
    }
    return counts
  }

  /// Checks that the pairs are those that SQLite finds in the index of the source's table.
  private func checkCounts(
    _ pairs: PairCounts, _ table: PageTable, _ source: Connection
  ) throws {
    let first = (rule.source.columns.first ?? "").quotedIdentifier
    let count = try source.integer(
      "SELECT count(*) FROM \(table.name.quotedIdentifier) WHERE \(first) >= ?", [.integer(.min)])
    guard pairs.readCount == count,
      try pairs.leftOut == source.integer(rule.countOfExcluded(inSchema: "main"))
    else { throw Self.differs(table) }
  }

  private static func differs(_ table: PageTable) -> PagesUnsuitable {
    PagesUnsuitable("the pairs of \(table.name) are not those of its index")
  }
}

/// What was written of a join table.
struct CopiedJoin: Sendable, Hashable {
  let table: PageDigest
  let pairs: PairDigest
}
