internal import PassageFiles
internal import PassageMappings
internal import PassagePages
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The first part of a pass: makes the objects of the entity mappings that need no SQL, page by page.
/// ``PassRun`` continues with the other mappings and the later phases.
///
/// SQLite creates the empty tables and is not asked about them again until the part is over. At
/// most every second a mark is recorded in the journal, at which an interrupted run continues.
final class PagePass {
  /// What the journal records of the part.
  private enum State {
    /// Where the writers stood.
    static let mark = "pages:mark"
    /// How many tables had all rows of their mappings.
    static let swept = "pages:swept"
    /// How many tables were complete.
    static let tables = "pages:tables"
    /// That the part is over: every page is in the file.
    static let finished = "pages:finished"
  }

  /// A destination table, and the mappings that fill it: those that share a sweep together, in the
  /// order of their keys.
  private typealias Filled = (table: PageTable, groups: [[MappingRun]])

  private let step: StepRun
  private let store: PassStore
  private let limits: BatchLimits
  private let control: RunControl
  private let missing: MissingValues
  private let source: Connection
  private let reader: PageReader
  private let tables: [Filled]
  private let joins: [PageJoin]
  private let sourceVersion: Int64
  private let links: PageLinks
  private let keys: KeyAllocator
  private let further: FurtherRows
  /// The last table during whose sweep a policy may add rows to any table, by position: those up to
  /// it are open until it has been swept. -1 when no policy does.
  private let lastAdding: Int
  private var sweptTables: Int
  private var finishedTables: Int
  /// The writers of the tables that have been begun and are not complete, in order.
  private var open: [TableTreeWriter] = []
  private var clock = MarkClock()
  /// The mappings that have made objects since the last mark.
  private var unrecorded: [MappingRun] = []
  /// The sweep after the one that runs.
  private var early: EarlyRanges?

  /// - Parameters:
  ///   - mappingPlans: from ``StepPlan/pageMappings(ofPass:)``.
  ///   - passPaths: the paths of the step's pass stores.
  /// - Returns: `nil` when the part is over already.
  /// - Throws: ``PagesUnsuitable``, `Unsoundness` when pages cannot be used.
  init?(
    _ mappingPlans: [MappingPlan], step: StepRun, pass: Int, passPaths: [String],
    journalPath: String, limits: BatchLimits, control: RunControl
  ) throws {
    self.step = step
    self.limits = limits
    self.control = control
    missing = MissingValues(isStrict: step.quarantine.isOpen)
    guard let pages = step.pages else { throw PagesUnsuitable("pages are not used") }
    reader = try pages.get()
    guard try reader.isCurrent() else {
      throw PagesUnsuitable("the source was written to while it was opened")
    }
    let (tables, joins) = try Self.makeTables(
      mappingPlans, step, path: passPaths[pass], journalPath: journalPath, pass: pass)
    self.joins = joins
    let store = try PassStore(
      writtenByPages: passPaths[pass], journalPath: journalPath, pass: pass,
      layout: step.plan.destinationLayout)
    self.store = store
    guard try store.journal.state(State.finished) == nil, try !store.journal.isFinished else {
      return nil
    }
    sweptTables = Int(try store.journal.state(State.swept)?.integer ?? 0)
    finishedTables = Int(try store.journal.state(State.tables)?.integer ?? 0)
    source = try step.source.open()
    try store.connection.attach(step.source.path, as: "source", mode: step.source.mode)
    sourceVersion = try store.connection.integer("PRAGMA source.data_version")
    let lookup = PassLookup(paths: passPaths, openSource: { [step] in try step.source.open() })
    keys = KeyAllocator(firstKeys: step.plan.keyspace.firstExtraKeys)
    try store.journal.continueKeys(keys)
    further = try FurtherRows(
      path: store.path, names: step.plan.destinationLayout.tables.map(\.name), tables: tables,
      journal: store.journal)
    let filling = mappingPlans.filter { tables[$0.destination?.tableName ?? ""] != nil }
    let works = try filling.map { [missing, further, keys] in
      try MappingRun(
        mappingPlan: $0, step: step, store: store, lookup: lookup, keys: keys, missing: missing,
        nilled: NilledValues(rollsBack: step.quarantine.isOpen), makeSink: further.sink)
    }
    var filled: [Filled] = []
    for group in MappingPlan.sweeps(works, \.mappingPlan) {
      for work in group { work.context.account.setMadeByPages() }
      guard let table = tables[group[0].mappingPlan.destination?.tableName ?? ""] else { continue }
      if filled.last?.table.name != table.name { filled.append((table, [])) }
      filled[filled.count - 1].groups.append(group)
    }
    self.tables = filled
    let tableCount = step.plan.destinationLayout.tables.count
    guard (0...filled.count).contains(sweptTables),
      (0...tableCount + joins.count).contains(finishedTables),
      min(finishedTables, filled.count) <= sweptTables
    else { throw PagesUnsuitable("the progress of an interrupted run cannot be read") }
    lastAdding =
      filled.lastIndex { $0.groups.joined().contains { $0.mappingPlan.makesFurtherObjects } } ?? -1
    links = try PageLinks(
      filled.map { $0.groups.joined().map(\.mappingPlan) }, step: step, store: store,
      source: source, reader, control: control)
    try links.restore(works, finishedTables: sweptTables)
  }

  /// Creates the empty tables of a new pass store.
  ///
  /// - Returns: those that the mappings fill, or all where a policy may add rows to any, and the join
  ///   tables that are copied.
  private static func makeTables(
    _ mappingPlans: [MappingPlan], _ step: StepRun, path: String, journalPath: String, pass: Int
  ) throws -> (tables: [String: PageTable], joins: [PageJoin]) {
    let store = try PassStore(
      path: path, journalPath: journalPath, pass: pass, layout: step.plan.destinationLayout,
      textEncoding: step.source.textEncoding)
    var tables: [String: PageTable] = [:]
    let names =
      mappingPlans.contains(where: \.makesFurtherObjects)
      ? step.plan.destinationLayout.tables.map(\.name)
      : mappingPlans.compactMap(\.destination?.tableName)
    for name in names where tables[name] == nil {
      tables[name] = try PageTable(name, store.connection)
    }
    let rules = step.links.plan.copies[pass] ?? []
    // A table that receives pairs from several sides is left to SQLite.
    let joins = try rules.filter { rule in
      rules.count { $0.destination.name == rule.destination.name } == 1
    }.compactMap { try PageJoin($0, store.connection) }
    return (tables, joins)
  }

  /// Why pages cannot be used, if that is what an error says.
  static func reason(of error: any Error) -> String? {
    switch error {
    case let unsuitable as PagesUnsuitable: unsuitable.reason
    case let unsound as Unsoundness: unsound.description
    case is SpillDamage: "a temporary file does not hold what was written to it"
    case is UnreadableMark: "the progress of an interrupted run cannot be read"
    // Damage of the source has been named by its table. What is left are pages of ours, or ones
    // that SQLite is asked about.
    case let damage as PageDamage: "a page cannot be read: \(damage.description)"
    default: nil
    }
  }

  /// Whether pages of a pass are being written: its store then has what the mark says, and more.
  ///
  /// - Parameter journal: for the entries of the pass.
  static func isUnderWay(_ journal: Journal) throws -> Bool {
    try journal.state(State.mark) != nil
  }

  /// Runs what is left of the part.
  ///
  /// - Throws: ``PagesUnsuitable`` when SQLite must do it; `StoreError` when the source is damaged.
  func run() throws {
    control.resume(works.reduce(0) { $0.saturatingAdd($1.progress.account.read) })
    do {
      try fillTables()
    } catch let damaged as DamagedTable {
      throw StoreError(damaged, path: step.source.path)
    }
  }

  private var works: [MappingRun] { tables.flatMap { $0.groups.joined() } }

  private func fillTables() throws {
    let mark = try store.journal.state(State.mark)?.bytes.map { WriterMark(bytes: $0) }
    let file =
      try mark.map { try PageFileWriter(path: store.path, at: $0) }
      ?? PageFileWriter(path: store.path)
    defer { early?.stop() }
    let others = try inTransactions {
      for (place, filled) in tables.enumerated().dropFirst(finishedTables) {
        open.append(try writer(of: filled.table, file))
        if place >= sweptTables {
          for number in filled.groups.indices { try sweep(number, ofTable: place, into: file) }
          sweptTables += 1
        }
        if place >= lastAdding { try completeTables(file) }
        try links.release(afterTable: place)
        try recordIfDue(file)
      }
      let others = try tablesWithFurtherRowsOnly()
      for table in others where try store.journal.digest(ofTable: table.name) == nil {
        open = [try writer(of: table, file)]
        try complete(table, file)
      }
      for join in joins.dropFirst(max(0, finishedTables - tables.count - others.count)) {
        try copy(join, to: file)
      }
      try record(file)
      return others
    }
    try checkSource()
    let moment = StoreMoment.random()
    try file.finish(userVersion: UInt32(moment))
    try Self.check(
      tables.map(\.table) + others + joins.map(\.destination), of: store,
      threadCount: step.jobs, control: control)
    try store.connection.transaction {
      try store.journal.setWrittenByPages()
      for work in works {
        work.progress.phase = .relate
        work.progress.cursor = .min
        try store.journal.setProgress(work.progress, of: work.mappingPlan.index)
      }
      try StoreMoment.record(moment, in: store.journal)
      try store.journal.setState(State.finished, 1)
      try store.journal.removeState(State.mark)
    }
    try further.remove()
  }

  /// The writer of a table, which continues if the table was open at the file's mark.
  private func writer(of table: PageTable, _ file: PageFileWriter) throws -> TableTreeWriter {
    file.isOpen(table: table.root)
      ? try TableTreeWriter(continuing: file, root: table.root)
      : TableTreeWriter(file, root: table.root)
  }

  /// The tables that no mapping of this part fills, and to which policies have added rows.
  private func tablesWithFurtherRowsOnly() throws -> [PageTable] {
    further.tablesWithRows.filter { table in !tables.contains { $0.table.name == table.name } }
  }

  /// Completes the tables that are open, in order.
  private func completeTables(_ file: PageFileWriter) throws {
    for filled in tables[finishedTables..<sweptTables] { try complete(filled.table, file) }
  }

  /// Completes the first table that is open with the rows that policies have added.
  private func complete(_ table: PageTable, _ file: PageFileWriter) throws {
    guard let writer = open.first else { return }
    try further.append(to: writer, table: table.name, rows: limits.rows) {
      try recordIfDue(file)
      try control.checkCancellation()
    }
    try writer.finish()
    open.removeFirst()
    finishedTables += 1
    try store.journal.setDigest(writer.digest, ofTable: table.name)
    try recordIfDue(file)
  }

  private func copy(_ join: PageJoin, to file: PageFileWriter) throws {
    try control.checkCancellation()
    control.update(isMilestone: true) {
      $0.phase = .relate
      $0.mappingName = join.rule.destination.name
    }
    let spillPath = store.path + "-sort"
    defer { try? FileSystem().remove(spillPath) }
    let copied = try join.copy(
      from: source, reader, to: file, threadCount: step.jobs,
      makeSpillFile: {
        try FileSystem().makeFile(spillPath)
        return try PositionalFile(spillPath, mode: .updating)
      }, control: control)
    finishedTables += 1
    try store.journal.setDigest(copied.table, ofTable: join.destination.name)
    try store.journal.setCopied(copied, by: join.rule)
    try recordIfDue(file)
  }

  /// Reads the pages again: what is not as it was written is not delivered. ``PageCheck`` has
  /// SQLite check them once, when the step's store is complete.
  static func check(
    _ tables: [PageTable], of store: PassStore, threadCount: Int, control: RunControl
  ) throws {
    control.update(isMilestone: true) { $0.phase = .verify }
    let totals = LeafTotals(
      try PageReader(path: store.path), threadCount: threadCount, control: control)
    for table in tables {
      try control.checkCancellation()
      guard let written = try store.journal.digest(ofTable: table.name),
        try totals.matches(written, root: table.root)
      else { throw PagesUnsuitable("the pages of \(table.name) are not as they were written") }
    }
  }

  /// Makes the objects of mappings that share a sweep.
  ///
  /// - Parameters:
  ///   - number: the position of the sweep among those of its table.
  ///   - place: the position of the table.
  private func sweep(_ number: Int, ofTable place: Int, into file: PageFileWriter) throws {
    guard let writer = open.last else { return }
    let filled = tables[place]
    let group = filled.groups[number]
    control.update(isMilestone: true) {
      $0.phase = .create
      $0.mappingName = group.map(\.mappingPlan.name).joined(separator: ", ")
    }
    let feed = try PageFeed(
      group, links, step: step, source: source, reader, destination: filled.table, writer, missing)
    defer { feed.stop() }
    let begun = early?.take()
    early = earlyRanges(afterSweep: number, ofTable: place, longestPayload: file.longestPayload)
    feed.next = early
    try feed.start(after: group.map(\.progress.cursor).max() ?? .min, limits, early: begun)
    for work in group { work.progress.phase = .create }
    unrecorded += group
    var isAtEnd = false
    while !isAtEnd {
      try control.checkCancellation()
      repeat {
        isAtEnd = try feed.run(limits, control)
      } while !isAtEnd && !isMarkDue
      // Later sweeps may ask for what has become of these objects.
      for work in group { try work.context.flush() }
      if !isAtEnd, try recordIfDue(file) { unrecorded = group }
      store.connection.releaseMemory()
    }
  }

  /// The sweep after another one, if threads may begin it early.
  private func earlyRanges(
    afterSweep number: Int, ofTable place: Int, longestPayload: Int
  ) -> EarlyRanges? {
    let isLast = number + 1 == tables[place].groups.count
    let next = isLast ? (place + 1, 0) : (place, number + 1)
    guard tables.indices.contains(next.0) else { return nil }
    let filled = tables[next.0]
    return EarlyRanges(
      filled.groups[next.1], links, step: step, source: source, reader,
      destination: filled.table, longestPayload: longestPayload, limits, control)
  }

  /// Runs `body` in transactions, of which ``recordIfDue(_:)`` ends one and begins the next.
  private func inTransactions<Result>(_ body: () throws -> Result) throws -> Result {
    try StatementWatch.lettingEnd { try store.connection.transaction(body) }
  }

  private var isMarkDue: Bool { control.shouldStop || clock.isDue }

  /// Records how far the part has come at most every second, and when it is to stop, and commits it: small
  /// tables have a transaction together. Objects are quarantined in the one that records their pages.
  ///
  /// - Returns: whether it has been recorded.
  @discardableResult
  private func recordIfDue(_ file: PageFileWriter) throws -> Bool {
    guard isMarkDue else { return false }
    try record(file)
    try store.connection.commitAndBegin()
    control.noteAdvance()
    return true
  }

  /// Records how far the part has come: its pages are in the file.
  private func record(_ file: PageFileWriter) throws {
    let works = unrecorded
    unrecorded = []
    for work in works { try work.context.flush() }
    try further.record()
    try store.journal.setNextKeys(keys, first: step.plan.keyspace.firstExtraKeys)
    try store.journal.setState(State.mark, .blob(file.mark(open).bytes))
    try store.journal.setState(State.swept, .integer(Int64(sweptTables)))
    try store.journal.setState(State.tables, .integer(Int64(finishedTables)))
    for work in works {
      work.progress.account = work.context.account
      try store.journal.setProgress(work.progress, of: work.mappingPlan.index)
    }
    try links.record(works)
    try store.journal.setMissing(missing.take())
    try checkSource()
    clock.reset()
  }

  /// Throws when another program has changed the source. A transaction sees only what was committed before it
  /// began.
  private func checkSource() throws {
    guard try store.connection.integer("PRAGMA source.data_version") == sourceVersion else {
      throw SourceChanged()
    }
  }
}
