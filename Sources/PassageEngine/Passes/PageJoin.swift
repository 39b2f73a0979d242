internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Copies a join table whose two ends are arithmetic page by page, with the index of its primary
/// key.
struct PageJoin {
  private static let rowsBetweenQuestions = 100_000
  /// The memory for sorting the pairs.
  private static let sortBytes = 12 << 20

  let rule: JoinTableRule
  let destination: PageTable
  private let indexRoot: UInt32
  /// The offsets of the destination's first two columns, and their columns in the source.
  private let ends: [(column: String, offset: Int64, largest: Int64?)]

  /// - Parameter connection: of the pass store, which has its empty tables.
  /// - Returns: `nil` when SQLite must copy it.
  init?(_ rule: JoinTableRule, _ connection: Connection) throws {
    guard let destination = try PageTable(rule.destination.name, connection),
      let indexRoot = try destination.keyIndexRoot(connection),
      rule.destination.columns.count >= 2,
      Array(destination.names.prefix(2)) == Array(rule.destination.columns.prefix(2))
    else { return nil }
    var ends: [(column: String, offset: Int64, largest: Int64?)] = []
    for cell in rule.cells.prefix(2) {
      guard case .shifted(let column, let offset) = cell else { return nil }
      let largest = rule.ends.first { $0.column == column }.flatMap(\.largest)
      ends.append((column, offset, largest))
    }
    self.rule = rule
    self.destination = destination
    self.indexRoot = indexRoot
    self.ends = ends
  }

  // MARK: The journal

  private static func stateName(_ rule: JoinTableRule) -> String {
    "pages:join:\(rule.source.name):\(rule.destination.name)"
  }

  /// Whether a pass has copied the join table page by page.
  static func isCopied(_ rule: JoinTableRule, _ journal: Journal) throws -> Bool {
    try journal.state(stateName(rule)) != nil
  }

  func noteCopied(in journal: Journal) throws { try journal.setState(Self.stateName(rule), 1) }

  // MARK: Copying

  /// Copies the pairs.
  ///
  /// - Parameters:
  ///   - source: a connection to the source, for its schema.
  ///   - helperCount: the threads that may sort beside this one.
  ///   - makeSpillFile: makes an empty file for what does not fit into memory.
  /// - Returns: the digest of the written table.
  /// - Throws: ``PagesUnsuitable`` when a pair is damaged or stored twice.
  func copy(
    from source: Connection, _ reader: PageReader, to file: PageFileWriter,
    helperCount: Int, makeSpillFile: @escaping @Sendable () throws -> PositionalFile,
    control: RunControl
  ) throws -> PageDigest {
    guard let table = try PageTable(rule.source.name, source) else {
      throw PagesUnsuitable("\(rule.source.name) is not an ordinary table")
    }
    let memory = SortMemory(
      byteCount: Self.sortBytes, helperCount: helperCount, makeFile: makeSpillFile)
    let index = IndexBuilder(
      columns: [IndexColumn(position: 0), IndexColumn(position: 1)], isUnique: true,
      memory: memory)
    let writer = TableTreeWriter(file, root: destination.root)
    do {
      let copier = try copyRows(table, reader, writer, index, control)
      // SQLite reads pairs from the table's index, and the pairs that are left out were counted there.
      guard try copier.readCount == countByIndex(table, source),
        try copier.leftOutCount == source.integer(rule.countOfExcluded(inSchema: "main"))
      else {
        throw PagesUnsuitable("the pairs of \(table.name) are not those of its index")
      }
      try writer.finish()
      guard try index.write(to: file, root: indexRoot).isEmpty else {
        throw PagesUnsuitable("\(rule.source.name) contains a pair twice")
      }
      return writer.digest
    } catch let damage as PageDamage {
      throw DamagedTable(table: table.name, damage: damage)
    } catch is ConvertedValue {
      throw Self.damaged(table)
    }
  }

  /// The number of pairs that SQLite finds in the index of a join table.
  private func countByIndex(_ table: PageTable, _ source: Connection) throws -> Int64 {
    let first = (rule.source.columns.first ?? "").quotedIdentifier
    return try source.integer(
      "SELECT count(*) FROM \(table.name.quotedIdentifier) WHERE \(first) >= ?", [.integer(.min)])
  }

  /// - Returns: what has read the whole table.
  private func copyRows(
    _ table: PageTable, _ reader: PageReader, _ writer: TableTreeWriter, _ index: IndexBuilder,
    _ control: RunControl
  ) throws -> PairCopier {
    let columns = ends.map { table.position($0.column) }
    guard columns.allSatisfy(table.holdsNumbers),
      destination.names.indices.allSatisfy(destination.holdsNumbers)
    else {
      throw PagesUnsuitable("\(table.name) has no columns of whole numbers for its keys")
    }
    let shifts = ends.map { CopyProgram.Shift(offset: $0.offset, largest: $0.largest) }
    let copier = PairCopier(
      TableSweep(reader, root: table.root, columnCount: table.names.count), writer, index,
      columns: (columns[0], columns[1]), shifts: (shifts[0], shifts[1]), cells: try cells(table))
    while try copier.run(rows: Self.rowsBetweenQuestions) { try control.checkCancellation() }
    return copier
  }

  private static func damaged(_ table: PageTable) -> PagesUnsuitable {
    PagesUnsuitable("a key of \(table.name) is not a whole number")
  }

  /// Where each column of the destination comes from.
  private func cells(_ table: PageTable) throws -> [PairCopier.Cell] {
    try destination.names.map { name in
      guard let place = rule.destination.columns.firstIndex(of: name) else { return .null }
      switch rule.cells[place] {
      case .shifted(let column, _):
        return .end(ends[0].column == column ? 0 : 1)
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
}
