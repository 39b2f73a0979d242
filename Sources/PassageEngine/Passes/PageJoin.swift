internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Copies a join table whose two ends are arithmetic page by page, with the index of its primary
/// key.
struct PageJoin {
  /// The memory for sorting the pairs.
  private static let sortBytes = 12 << 20

  let rule: JoinTableRule
  let destination: PageTable
  private let indexRoot: UInt32
  /// The offsets of the destination's first two columns, and their columns in the source.
  private let ends: [(column: String, offset: Int64, largest: Int64)]

  /// - Parameter connection: of the pass store, which has its empty tables.
  /// - Returns: `nil` when SQLite must copy it.
  init?(_ rule: JoinTableRule, _ connection: Connection) throws {
    guard let destination = try PageTable(rule.destination.name, connection),
      let indexRoot = try destination.keyIndexRoot(connection),
      rule.destination.columns.count >= 2,
      Array(destination.names.prefix(2)) == Array(rule.destination.columns.prefix(2))
    else { return nil }
    var ends: [(column: String, offset: Int64, largest: Int64)] = []
    for cell in rule.cells.prefix(2) {
      guard case .shifted(let column, let offset) = cell else { return nil }
      let largest = rule.ends.first { $0.column == column }?.largest
      ends.append((column, offset, largest ?? .max))
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
  ///   - makeSpillFile: makes an empty file for what does not fit into memory.
  /// - Returns: the digest of the written table.
  /// - Throws: ``PagesUnsuitable`` when a pair is damaged or stored twice.
  func copy(
    from source: Connection, _ reader: PageReader, to file: PageFileWriter,
    makeSpillFile: @escaping () throws -> PositionalFile, control: RunControl
  ) throws -> PageDigest {
    guard let table = try PageTable(rule.source.name, source) else {
      throw PagesUnsuitable("\(rule.source.name) is not an ordinary table")
    }
    let memory = SortMemory(byteCount: Self.sortBytes, makeFile: makeSpillFile)
    let index = IndexBuilder(
      columns: [IndexColumn(position: 0), IndexColumn(position: 1)], isUnique: true,
      memory: memory)
    let writer = TableTreeWriter(file, root: destination.root)
    do {
      try copyRows(table, reader, writer, index, control)
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

  private func copyRows(
    _ table: PageTable, _ reader: PageReader, _ writer: TableTreeWriter, _ index: IndexBuilder,
    _ control: RunControl
  ) throws {
    let columns = ends.map { table.position($0.column) }
    guard columns.allSatisfy({ $0 >= 0 }) else {
      throw PagesUnsuitable("\(table.name) lacks a column")
    }
    let sweep = TableSweep(reader, root: table.root, columnCount: table.names.count)
    let copier = try RowCopier(
      sweep, writer, source: table.columns, entityColumn: nil, destination: destination.columns,
      programs: [program(table, columns)])
    var stop = try copier.run(rows: .max, bytes: 16 << 20)
    while stop != .end {
      if case .row = stop {
        let keys = (
          try key(0, copier.cell(columns[0]), table), try key(1, copier.cell(columns[1]), table)
        )
        if let first = keys.0, let second = keys.1 {
          try index.add(key: copier.key, first, second)
          try copier.append()
        }
        stop = try copier.resume()
      } else {
        try control.checkCancellation()
        stop = try copier.run(rows: .max, bytes: 16 << 20)
      }
    }
  }

  /// A key of the destination; `nil` when the pair leads to no object and is left out.
  private func key(_ end: Int, _ cell: RawCell, _ table: PageTable) throws -> Int64? {
    switch cell {
    case .integer(let key):
      guard ends[end].offset != 0 else { return key }
      return key > ends[end].largest ? nil : key &+ ends[end].offset
    case .real: throw Self.damaged(table)
    default: return nil
    }
  }

  private static func damaged(_ table: PageTable) -> PagesUnsuitable {
    PagesUnsuitable("a key of \(table.name) is not a whole number")
  }

  private func program(_ table: PageTable, _ keys: [Int]) -> CopyProgram {
    var cells: [CopyProgram.Cell] = []
    for (name, cell) in zip(rule.destination.columns, rule.cells) {
      let origin: CopyProgram.Origin =
        switch cell {
        case .shifted(let column, let offset):
          .shifted(
            table.position(column), CopyProgram.Shift(offset: offset, largest: .max))
        case .copied(let column): .copy(table.position(column))
        case .empty: .constant(.null)
        }
      cells.append(CopyProgram.Cell(column: destination.position(name), origin: origin))
    }
    return CopyProgram(
      entityNumber: nil, keyOffset: 0, cells: cells, isDecidedByCaller: true, callerColumns: keys)
  }
}
