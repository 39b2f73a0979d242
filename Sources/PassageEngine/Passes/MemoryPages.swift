internal import PassageMappings
package import PassagePages
internal import PassageSQLite
internal import PassageStores

/// Makes all objects of a step page by page in one store in memory: pass after pass, in one go.
///
/// SQLite has made the empty tables. A table that several passes fill gets their rows one after the
/// other, so that nothing is left to assemble. Nothing is recorded on the way: what is stopped begins
/// again.
package final class MemoryPages {
  /// Is called with the bytes of the store before its pages are read again.
  @TaskLocal package static var willReadAgain: @Sendable (any PageStorage) -> Void = { _ in }

  private let step: StepRun
  private let store: PassStore
  private let source: OpenStore
  private let reader: PageReader
  private let memory: any PageStorage
  private let file: PageFileWriter
  private let tables: [String: PageTable]
  private var sourceTables: [String: PageTable] = [:]
  private let limits: BatchLimits
  private let control: RunControl
  private let missing = MissingValues()
  private let nilled = NilledValues()
  private let keys: KeyAllocator
  private let lookup: PassLookup
  /// The tables that have rows, in the order in which they were begun.
  private var begun: [(name: String, writer: TableTreeWriter)] = []
  /// The digests of the join tables.
  private var joined: [(table: PageTable, digest: PageDigest)] = []
  private var works: [MappingRun] = []
  /// The rows of the tables that were filled, counted when their pages were read again.
  private(set) var rowCounts: [String: Int64] = [:]
  /// The largest keys of the tables of objects that were filled.
  var largestKeys: [String: Int64] {
    Dictionary(
      begun.map { ($0.name, $0.writer.largestKey ?? 0) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Parameters:
  ///   - memory: the bytes of the store.
  ///   - tables: the tables of the empty store, by name.
  ///   - source: in a read transaction that lasts as long as the run.
  /// - Throws: ``PagesUnsuitable``, `Unsoundness` when pages cannot be used.
  init(
    step: StepRun, store: PassStore, memory: any PageStorage, tables: [String: PageTable],
    source: OpenStore, limits: BatchLimits, control: RunControl
  ) throws {
    guard let pages = step.pages else { throw PagesUnsuitable("pages are not used") }
    reader = try pages.get()
    guard try reader.isCurrent() else {
      throw PagesUnsuitable("the source was written to while it was opened")
    }
    self.step = step
    self.store = store
    self.memory = memory
    self.tables = tables
    self.source = source
    self.limits = limits
    self.control = control
    file = try PageFileWriter(memory: memory)
    keys = KeyAllocator(firstKeys: step.plan.keyspace.firstExtraKeys)
    lookup = PassLookup(paths: [], openSource: { try step.source.open() })
  }

  /// Whether pages can make everything of a step: no mapping is left to SQL, no link is looked up
  /// or compared with its other side, and a policy is asked for its objects only.
  static func canMakeAll(of step: StepPlan, _ links: StepLinks) -> Bool {
    step.lanes.usesPages && links.plan.lookups.isEmpty && links.bothSides.isEmpty
      && OrderedLinks(of: step).isEmpty
      && step.mappingPlans.allSatisfy {
        $0.pageObstacle == nil && !$0.makesFurtherObjects
          && $0.hooks.isSubset(of: [.createDestinationInstances])
      }
  }

  /// The required attributes that may be nil somewhere.
  func takeSuspects() -> Set<MissingValues.Suspect> { missing.take() }

  /// Makes the objects and the links.
  ///
  /// - Parameter begin: called with the number of each pass before it begins.
  /// - Returns: the account of every entity mapping of the step, in order.
  /// - Throws: ``PagesUnsuitable`` when SQLite must do it; `StoreError` when the source is damaged.
  func run(begin: (Int) -> Void) throws -> [MappingAccount] {
    do {
      for pass in step.plan.passes.indices {
        begin(pass)
        for group in step.plan.pageGroups(ofPass: pass) { try sweep(group) }
        try copyJoinTables(ofPass: pass)
      }
      for item in begun { try item.writer.finish() }
      try file.finish()
      try checkTables()
    } catch let damaged as DamagedTable {
      throw StoreError(damaged, path: step.source.path)
    }
    return works.sorted { $0.mappingPlan.index < $1.mappingPlan.index }.map(\.context.account)
  }

  // MARK: Objects

  /// Makes the objects of mappings that share a sweep.
  private func sweep(_ group: [MappingPlan]) throws {
    try control.checkCancellation()
    control.update(isMilestone: true) {
      $0.phase = .create
      $0.mappingName = group.map(\.name).joined(separator: ", ")
    }
    guard let first = group.first, let entity = first.source,
      let destination = tables[first.destination?.tableName ?? ""],
      let table = sourceTable(entity.tableName)
    else { throw PagesUnsuitable("a table is not an ordinary one") }
    let works = try group.map { try work(of: $0) }
    self.works += works
    let programs = works.map { ($0, step.links.program(of: $0.mappingPlan)) }
    for (_, program) in programs { missing.note(constantsOf: program) }
    let feed = try PageFeed(
      programs, step: step, source: table, reader: reader, destination: destination,
      writer: writer(of: destination))
    defer { feed.stop() }
    try feed.runToEnd(limits, control)
  }

  private func sourceTable(_ name: String) -> PageTable? {
    if let known = sourceTables[name] { return known }
    let table = PageTable(name, in: source)
    sourceTables[name] = table
    return table
  }

  private func work(of mappingPlan: MappingPlan) throws -> MappingRun {
    let work = try MappingRun(
      mappingPlan: mappingPlan, step: step, store: store, lookup: lookup, keys: keys,
      missing: missing, nilled: nilled)
    work.context.account.setMadeByPages()
    return work
  }

  private func writer(of table: PageTable) -> TableTreeWriter {
    if let known = begun.first(where: { $0.name == table.name }) { return known.writer }
    let writer = TableTreeWriter(file, root: table.root)
    begun.append((table.name, writer))
    return writer
  }

  // MARK: Links

  private func copyJoinTables(ofPass pass: Int) throws {
    for rule in step.links.plan.copies[pass] ?? [] {
      try control.checkCancellation()
      control.update(isMilestone: true) {
        $0.phase = .relate
        $0.mappingName = rule.destination.name
      }
      guard !joined.contains(where: { $0.table.name == rule.destination.name }),
        let join = try PageJoin(rule, store.connection)
      else { throw PagesUnsuitable("\(rule.destination.name) is filled from several sides") }
      let copied = try join.copy(
        from: source.connection, reader, to: file, threadCount: 1,
        makeSpillFile: { throw MemoryFull() }, control: control)
      joined.append((join.destination, copied.table))
    }
  }

  // MARK: Bookkeeping

  /// Writes the rows of Core Data's own tables, which have none yet. SQL would parse the schema before
  /// the first of them.
  ///
  /// - Throws: ``PagesUnsuitable`` when SQLite must do it.
  func write(_ bookkeeping: BookkeepingRows) throws {
    // Those so far are part of the store: these are appended to them.
    let file = try PageFileWriter(memory: memory)
    var written: [(table: PageTable, digest: PageDigest)] = []
    for name in BookkeepingTable.allCases {
      guard let rows = bookkeeping.rows[name], !rows.isEmpty else { continue }
      guard let table = tables[name.rawValue] else {
        throw PagesUnsuitable("\(name.rawValue) is not an ordinary table")
      }
      let writer = TableTreeWriter(file, root: table.root)
      try writer.append(rows)
      try writer.finish()
      written.append((table, writer.digest))
    }
    try file.finish()
    try check(written)
  }

  // MARK: Proof

  private func checkTables() throws {
    control.update(isMilestone: true) { $0.phase = .verify }
    try check(
      begun.compactMap { item in
        tables[item.name].map { (table: $0, digest: item.writer.digest) }
      } + joined)
  }

  /// Reads pages again: what is not as it was written is not delivered.
  private func check(_ written: [(table: PageTable, digest: PageDigest)]) throws {
    Self.willReadAgain(memory)
    let pages = try PageReader(memory)
    for (table, digest) in written {
      let sweep = TableSweep(pages, root: table.root, columnCount: table.names.count)
      let found = try sweep.digest()
      guard found == digest else {
        throw PagesUnsuitable("the pages of \(table.name) are not as they were written")
      }
      rowCounts[table.name] = found.rowCount
    }
  }
}

/// Work in memory needs more of it than it may have.
struct MemoryFull: Error {}
