internal import PassageDiagnostics
internal import PassageMappings
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Makes the objects of one destination table page by page in the middle of a pass, because their
/// links lead to objects that SQLite makes.
///
/// SQLite does not see the pages until all of them are in the file: then the table's root is
/// written and the header changed. That is one short moment, which the journal records, because a
/// run that is interrupted in it cannot be continued. One that is interrupted before it leaves the
/// table to SQL.
struct LatePages {
  private enum State {
    /// That a table's root is being written.
    static let moment = "pages:moment"

    /// That the pages of a table were begun.
    static func begun(_ table: String) -> String { "pages:begun:\(table)" }
  }

  private let works: [MappingRun]
  private let step: StepRun
  private let store: PassStore
  private let source: Connection
  private let limits: BatchLimits
  private let control: RunControl

  /// - Parameters:
  ///   - works: all mappings that fill the table, in the order of their keys.
  ///   - source: a connection to the source, for its schema.
  init(
    _ works: [MappingRun], step: StepRun, store: PassStore, source: Connection,
    limits: BatchLimits, control: RunControl
  ) {
    self.works = works
    self.step = step
    self.store = store
    self.source = source
    self.limits = limits
    self.control = control
  }

  /// Whether a run was interrupted in the moment.
  static func isTorn(_ journal: Journal) throws -> Bool { try journal.state(State.moment) != nil }

  /// Notes that the root of a table is being written.
  static func enterMoment(_ journal: Journal) throws { try journal.setState(State.moment, 1) }

  /// Notes that the root is written.
  static func leaveMoment(_ journal: Journal) throws { try journal.removeState(State.moment) }

  /// Makes the objects.
  ///
  /// - Returns: whether it did; otherwise nothing was changed, and SQL does it.
  /// - Throws: ``PagesUnsuitable`` when the pages are not what was written.
  func run(_ missing: MissingValues) throws -> Bool {
    guard let name = works.first?.mappingPlan.destination?.tableName, !step.quarantine.isOpen,
      !MemoryDatabase.isPath(store.path), case .success(let reader)? = step.pages,
      works.allSatisfy({ $0.progress.phase == .begin }), try reader.isCurrent(),
      try store.journal.state(State.begun(name)) == nil,
      let table = try PageTable(name, store.connection),
      try store.connection.value("SELECT 1 FROM main.\(name.quotedIdentifier) LIMIT 1") == nil
    else { return false }
    let links = try PageLinks(
      [works.map(\.mappingPlan)], after: made(), step: step, store: store, source: source, reader,
      control: control)
    try store.journal.setState(State.begun(name), 1)
    try store.releaseLocks()
    defer { try? store.takeLocks() }
    guard try write(table, links, reader, missing) else { return false }
    try PagePass.check([table], of: store, threadCount: step.jobs, control: control)
    try record(links, missing)
    return true
  }

  /// The mappings that have made their objects.
  private func made() throws -> Set<Int> {
    let mappingPlans = step.plan.mappingPlans.filter {
      $0.passIndex == works.first?.mappingPlan.passIndex
    }
    return Set(
      try mappingPlans.map(\.index).filter {
        try (store.journal.progress(of: $0)?.phase ?? .begin) > .create
      })
  }

  // MARK: Writing

  /// - Returns: false when SQL must do it.
  private func write(
    _ table: PageTable, _ links: PageLinks, _ reader: PageReader, _ missing: MissingValues
  ) throws -> Bool {
    let accounts = works.map(\.context.account)
    do {
      let file = try PageFileWriter(path: store.path, keepsPages: true)
      do {
        let writer = TableTreeWriter(file, root: table.root)
        for group in MappingPlan.sweeps(works, \.mappingPlan) {
          let feed = try PageFeed(
            group, links, step: step, source: source, reader, destination: table, writer, missing)
          defer { feed.stop() }
          try sweep(feed, group)
        }
        try writer.finish()
        try store.journal.setDigest(writer.digest, ofTable: table.name)
      } catch {
        // SQLite does not know of the pages, and whoever makes the table then has their place.
        try? file.discard()
        throw error
      }
      try Self.enterMoment(store.journal)
      try file.finish()
      return true
    } catch let damaged as DamagedTable {
      throw StoreError(damaged, path: step.source.path)
    } catch {
      guard let reason = PagePass.reason(of: error) else { throw error }
      let read = works.reduce(0) { $0 + $1.context.account.read }
      control.update {
        $0.passCompleted -= read
        $0.completed -= read
      }
      for (work, account) in zip(works, accounts) {
        work.context.account = account
        work.context.account.abandonedLane = .page
        work.context.account.laneReason = reason
        work.foundLinks = [:]
        work.progress.cursor = .min
      }
      return false
    }
  }

  private func sweep(_ feed: PageFeed, _ group: [MappingRun]) throws {
    control.update(isMilestone: true) {
      $0.phase = .create
      $0.mappingName = group.map(\.mappingPlan.name).joined(separator: ", ")
    }
    try feed.runToEnd(limits, control)
  }

  /// Records that the objects are made.
  private func record(_ links: PageLinks, _ missing: MissingValues) throws {
    try store.connection.transaction {
      try store.journal.setWrittenByPages()
      for work in works {
        work.context.account.setMadeByPages()
        work.progress.phase = .relate
        work.progress.cursor = .min
        work.progress.account = work.context.account
        try store.journal.setProgress(work.progress, of: work.mappingPlan.index)
      }
      try links.recordCounts(works)
      try store.journal.setMissing(missing.take())
      try Self.leaveMoment(store.journal)
    }
  }
}
