internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Finds out what the links of a relationship lead to where that is too much for tables in memory:
/// the links are sorted, and merged with what the related objects have become.
///
/// The owners' table of the source is read once before its sweep.
struct MergedLinks {
  private static let rowsBetweenQuestions = 100_000

  private let link: SweptLink
  private let store: PassStore
  private let source: Connection
  private let reader: PageReader
  private let control: RunControl

  /// - Parameter source: a connection to the source, for its schema.
  init(
    of link: SweptLink, store: PassStore, source: Connection, _ reader: PageReader,
    control: RunControl
  ) {
    self.link = link
    self.store = store
    self.source = source
    self.reader = reader
    self.control = control
  }

  /// - Parameters:
  ///   - byteCount: the memory that it may take.
  ///   - taken: the source objects that a mapping has taken; `nil` when SQLite is to be asked.
  /// - Returns: `nil` when a link leads to an object that has become several.
  func run(byteCount: Int, taken: (MappingPlan) -> KeySet?) throws -> LinkRun? {
    let path = store.path + "-links"
    let run = LinkRun(byteCount: byteCount, meter: StepMemory.allowed.meter) {
      try FileSystem().makeFile(path)
      let file = try PositionalFile(path, mode: .updating)
      // The name is not needed any more, and an interrupted run leaves nothing behind.
      try FileSystem().remove(path)
      return file
    }
    try addLinks(to: run)
    var related = try SortedKeys(of: link.table, source, reader)
    let isResolved = try run.resolve(
      try link.candidates.flatMap { try fates(of: $0, taken($0)) },
      exists: { try related.contains($0) })
    return isResolved ? run : nil
  }

  private func addLinks(to run: LinkRun) throws {
    let table = try PageTable(ofSource: link.mappingPlan.source?.tableName ?? "", source)
    let column = table.position(link.sourceColumn)
    let sweep = TableSweep(reader, root: table.root, columnCount: table.names.count)
    var rows = 0
    do {
      while try sweep.next() {
        rows += 1
        if rows % Self.rowsBetweenQuestions == 0 { try control.checkCancellation() }
        if link.isOfSameObject {
          try run.add(row: sweep.key, link: sweep.key)
          continue
        }
        // The sweep of the owners finds damaged keys.
        guard case .integer(let key) = try sweep.record(through: column).cell(column) else {
          continue
        }
        try run.add(row: sweep.key, link: key)
      }
    } catch let damage as PageDamage {
      throw DamagedTable(table: table.name, damage: damage)
    }
  }

  // MARK: What became of the related objects

  /// What the objects of a mapping have become, each list in the order of source keys.
  private func fates(
    of candidate: MappingPlan, _ taken: KeySet?
  ) throws -> [() throws -> LinkFate?] {
    guard let destination = candidate.destination else { return [] }
    let family = link.expected.familyNumbers
    var fates: [() throws -> LinkFate?] = []
    if family.contains(destination.number), let range = candidate.keyRange {
      let (offset, number) = (candidate.keyOffset, Int64(destination.number))
      if let taken {
        var keys = taken.makeIterator()
        fates.append {
          keys.next().map { LinkFate(source: $0, key: $0 &+ offset, entityNumber: number) }
        }
      } else {
        let rows = try store.connection.prepare(
          "SELECT Z_PK FROM main.\(destination.tableName.quotedIdentifier) "
            + "WHERE Z_PK BETWEEN ? AND ? AND Z_ENT = ? ORDER BY Z_PK")
        try rows.bind([
          .integer(range.lowerBound), .integer(range.upperBound), .integer(number),
        ])
        fates.append {
          guard try rows.step() else { return nil }
          let key = rows.integer(at: 0)
          return LinkFate(source: key &- offset, key: key, entityNumber: number)
        }
      }
    }
    guard candidate.hasAssociations else { return fates }
    let rows = try store.connection.prepare(
      "SELECT source, destination, entity FROM \(Journal.Table.association.name) "
        + "WHERE mapping = ? AND entity BETWEEN ? AND ? ORDER BY source")
    try rows.bind([
      .integer(Int64(candidate.index)), .integer(Int64(family.lowerBound)),
      .integer(Int64(family.upperBound)),
    ])
    fates.append {
      guard try rows.step() else { return nil }
      return LinkFate(
        source: rows.integer(at: 0), key: rows.integer(at: 1), entityNumber: rows.integer(at: 2))
    }
    return fates
  }
}

/// The keys of a source table, asked for in ascending order.
private struct SortedKeys {
  private let table: PageTable
  private let sweep: TableSweep
  private var isAtEnd = false
  private var isBegun = false

  init(of name: String, _ source: Connection, _ reader: PageReader) throws {
    table = try PageTable(ofSource: name, source)
    sweep = TableSweep(reader, root: table.root, columnCount: table.names.count)
  }

  mutating func contains(_ key: Int64) throws -> Bool {
    do {
      while !isAtEnd, !isBegun || sweep.key < key {
        isBegun = true
        isAtEnd = try !sweep.next()
      }
    } catch let damage as PageDamage {
      throw DamagedTable(table: table.name, damage: damage)
    }
    return !isAtEnd && sweep.key == key
  }
}
