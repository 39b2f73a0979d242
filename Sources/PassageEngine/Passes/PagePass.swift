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
    /// How many tables were complete.
    static let tables = "pages:tables"
    /// That the part is over: every page is in the file.
    static let finished = "pages:finished"
  }

  /// The destination table that is being filled, and the mappings that fill it.
  private typealias Feed = (table: PageRowSink.Table, mappings: [MappingRun])

  private let step: StepRun
  private let store: PassStore
  private let limits: BatchLimits
  private let control: RunControl
  private let missing: MissingValues
  private let nilled: NilledValues
  private let source: Connection
  private let reader: PageReader
  private let feeds: [Feed]
  private let sourceVersion: Int64
  private var finishedTables: Int
  private var lastMark = ContinuousClock.now

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
    nilled = NilledValues(rollsBack: step.quarantine.isOpen)
    guard let pages = step.pages else { throw PagesUnsuitable("pages are not used") }
    reader = try pages.get()
    guard try reader.isCurrent() else {
      throw PagesUnsuitable("the source was written to while it was opened")
    }
    let tables = try Self.makeTables(
      mappingPlans, step, path: passPaths[pass], journalPath: journalPath, pass: pass)
    let store = try PassStore(
      writtenByPages: passPaths[pass], journalPath: journalPath, pass: pass,
      layout: step.plan.destinationLayout)
    self.store = store
    guard try store.journal.state(State.finished) == nil, try !store.journal.isFinished else {
      return nil
    }
    finishedTables = Int(try store.journal.state(State.tables)?.integer ?? 0)
    source = try step.source.open()
    try store.connection.attach(step.source.path, as: "source", mode: step.source.mode)
    sourceVersion = try store.connection.integer("PRAGMA source.data_version")
    let lookup = PassLookup(paths: passPaths, openSource: { [step] in try step.source.open() })
    let keys = KeyAllocator(firstKeys: step.plan.keyspace.firstExtraKeys)
    var feeds: [Feed] = []
    for mappingPlan in mappingPlans {
      let work = try MappingRun(
        mappingPlan: mappingPlan, step: step, store: store, lookup: lookup, keys: keys,
        missing: missing, nilled: nilled)
      work.context.account.lane = .page
      work.context.account.laneReason = nil
      let name = mappingPlan.destination?.tableName ?? ""
      if feeds.last?.table.name == name {
        feeds[feeds.count - 1].mappings.append(work)
      } else if let table = tables[name] {
        feeds.append((table, [work]))
      }
    }
    self.feeds = feeds
  }

  /// Creates the empty tables of a new pass store.
  ///
  /// - Returns: those that the mappings fill.
  private static func makeTables(
    _ mappingPlans: [MappingPlan], _ step: StepRun, path: String, journalPath: String, pass: Int
  ) throws -> [String: PageRowSink.Table] {
    let store = try PassStore(
      path: path, journalPath: journalPath, pass: pass, layout: step.plan.destinationLayout,
      textEncoding: step.source.textEncoding)
    var tables: [String: PageRowSink.Table] = [:]
    for name in mappingPlans.compactMap(\.destination?.tableName) where tables[name] == nil {
      tables[name] = try PageRowSink.Table(name, store.connection)
    }
    return tables
  }

  /// Why pages cannot be used, if that is what an error says.
  static func reason(of error: any Error) -> String? {
    switch error {
    case let unsuitable as PagesUnsuitable: unsuitable.reason
    case let unsound as Unsoundness: unsound.description
    case is UnreadableMark: "the progress of an interrupted run cannot be read"
    default: nil
    }
  }

  /// Runs what is left of the part.
  ///
  /// - Throws: ``PagesUnsuitable`` when SQLite must do it; `StoreError` when the source is damaged.
  func run() throws {
    control.resume(feeds.flatMap(\.mappings).reduce(0) { $0 + $1.progress.account.read })
    do {
      try fillTables()
    } catch let damaged as DamagedTable {
      throw StoreError(
        .damaged, path: step.source.path,
        detail: "\(damaged.table): \(damaged.damage.description)")
    }
  }

  private func fillTables() throws {
    defer { for work in feeds.flatMap(\.mappings) { work.context.mapper = nil } }
    let mark = try store.journal.state(State.mark)?.bytes.map { WriterMark(bytes: $0) }
    let file =
      try mark.map { try PageFileWriter(path: store.path, at: $0) }
      ?? PageFileWriter(path: store.path)
    for feed in feeds.dropFirst(finishedTables) {
      let writer =
        try file.isInTable
        ? TableTreeWriter(continuing: file, root: feed.table.root)
        : TableTreeWriter(file, root: feed.table.root)
      for work in feed.mappings { try sweep(work, into: writer, feed) }
      try writer.finish()
      finishedTables += 1
      try store.connection.transaction { try record(file.mark(), feed) }
    }
    try file.finish()
    try check()
    try store.connection.transaction {
      for work in feeds.flatMap(\.mappings) {
        work.progress.phase = .relate
        work.progress.cursor = .min
        try store.journal.setProgress(work.progress, of: work.mappingPlan.index)
      }
      try store.journal.setState(State.finished, 1)
      try store.journal.removeState(State.mark)
    }
  }

  /// Has SQLite check the pages: what it does not accept is not delivered.
  private func check() throws {
    let connection = try Connection(path: store.path, mode: .readOnly)
    control.stopStatements(of: connection)
    guard let found = try connection.value("PRAGMA quick_check(1)")?.string, found != "ok" else {
      return
    }
    throw PagesUnsuitable("SQLite does not accept the pages: \(found)")
  }

  /// Makes the objects of one mapping.
  private func sweep(_ work: MappingRun, into writer: TableTreeWriter, _ feed: Feed) throws {
    control.update(isMilestone: true) {
      $0.phase = .create
      $0.mappingName = work.mappingPlan.name
    }
    let program = step.links.program(of: work.mappingPlan)
    missing.note(constantsOf: program)
    guard let entity = work.mappingPlan.source,
      let table = try PageRowSource.SourceTable(entity.tableName, source)
    else { throw PagesUnsuitable("a source table is not an ordinary one") }
    let doors = RowLane<PageRowSource, PageRowSink>.Doors { [reader] _, cells in
      let filter = work.mappingPlan.bound.filter?.safestFirst
      return try PageRowSource(
        entity, table: table, reader: reader, filter: filter, cells: cells(filter))
    } sink: { columns in
      try PageRowSink(
        writer, table: feed.table, constants: program.constants, columns: columns)
    }
    let lane = try RowLane(
      program, step: step, context: work.context, policy: nil, source: source, doors: doors)
    try lane.start(after: work.progress.cursor)
    defer { lane.stop() }
    work.progress.phase = .create
    var isAtEnd = false
    while !isAtEnd {
      try control.checkCancellation()
      // Objects are quarantined in the transaction that records their pages.
      try store.connection.transaction {
        repeat {
          isAtEnd = try sweepBatch(lane, work)
        } while !isAtEnd && !control.shouldStop && lastMark.duration(to: .now) < .seconds(1)
        try record(writer.mark(), feed)
      }
      store.connection.releaseMemory()
    }
  }

  /// - Returns: whether the source is at its end.
  private func sweepBatch(_ lane: RowLane<PageRowSource, PageRowSink>, _ work: MappingRun) throws
    -> Bool
  {
    let batch = try lane.runBatch(
      rows: limits.rows, bytes: limits.bytes, shouldStop: { control.shouldStop })
    work.context.account.becameNil.merge(nilled.take(), uniquingKeysWith: +)
    if let key = batch.lastKey { work.progress.cursor = key }
    control.update {
      $0.passCompleted += Int64(batch.count)
      $0.completed += Int64(batch.count)
    }
    return batch.isAtEnd
  }

  /// Records how far the part has come: its pages are in the file.
  private func record(_ mark: WriterMark, _ feed: Feed) throws {
    try store.journal.setState(State.mark, .blob(mark.bytes))
    try store.journal.setState(State.tables, .integer(Int64(finishedTables)))
    for work in feed.mappings {
      work.progress.account = work.context.account
      try store.journal.setProgress(work.progress, of: work.mappingPlan.index)
    }
    for suspect in missing.take() {
      try store.journal.setState("missing:\(suspect.entity).\(suspect.attribute)", 1)
    }
    guard try store.connection.integer("PRAGMA source.data_version") == sourceVersion else {
      throw SourceChanged()
    }
    lastMark = .now
  }
}
