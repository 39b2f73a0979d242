internal import PassageDiagnostics
internal import PassageFiles
internal import PassageMappings
internal import PassageModels
internal import PassagePages
internal import PassagePlanning
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Runs one step: its passes, their assembly, and the sealing.
extension MigrationRun {
  func run(
    _ step: PlannedStep, index: Int, storePath: String, now: Double
  ) throws -> [MappingAccount] {
    isWholeChecked = false
    if let accounts = try takeOver(step: index, now: now) { return accounts }
    if isSourceTakenOver {
      isSourceTakenOver = false
      if try files.exists(storePath) { try checkTakenOver(storePath) }
    }
    if !isInMemory {
      try files.makeDirectory(workspace.stepDirectory(index))
      try checkWorkPlace()
    }
    // Closing a file gives up every lock of the process on it, so the pages are closed after SQLite
    // has closed the store: https://www.sqlite.org/howtocorrupt.html, section 2.2.
    let (pages, store) = try openSource(ofStep: index, storePath)
    defer { withExtendedLifetime(pages) {} }
    // Its read transaction lasts as long as the step. With a rollback journal it keeps every other
    // program from writing to the source; in WAL mode each pass checks for commits
    // (`PassRun.checkSource`).
    defer { withExtendedLifetime(store) {} }
    unread[index] = try checkUnread(
      of: step, index: index, store,
      pages: pages.flatMap { makePageCount(try? $0.get(), store) }, now: now)
    let plan = try stepPlan(
      step, index: index, store, counts: index == 0 ? sourceCounts : nil,
      pages: try? pages?.get(), now: now)
    let step = StepRun(
      plan: plan,
      source: try SourceAccess(store, path: store.unit.path, externalFolder: externalFolder),
      policies: policies,
      quarantine: Quarantine(
        maximum: options.allowed.quarantined, already: try quarantinedCount(beforeStep: index)),
      pages: pages, jobs: options.limits.threadCount, provesLinks: options.provesLinks)
    let dangling = DanglingLinks(step: plan, links: step.links)
    try dangling.countBefore(store.connection)
    if isInMemory, pages != nil, isFasterInFolder(plan, step.links) {
      throw WorkMemory.BetterInFolder()
    }
    if let memory = workspace.memory, let accounts = try makePages(of: step, store, in: memory) {
      try dangling.countDeferred(
        store.connection, isMatched: { _, _ in false }, isJoined: { _ in false })
      warnings.append(contentsOf: try dangling.warnings(store.connection))
      try finishInMemory(
        workspace.storePath(step: index, in: memory), memory, step: index)
      return accounts
    }
    let paths = step.plan.passes.indices.map { workspace.passPath(step: index, pass: $0) }
    let (assembled, accounts) = try runPassesAndAssemble(step, paths: paths)
    stepWarnings.append(
      contentsOf: try warnings(of: dangling, store.connection, accounts, step: index))
    warnings.append(contentsOf: stepWarnings)
    // An earlier process may have found others.
    if !isInMemory, wasContinued || !stepWarnings.all.isEmpty {
      try workspace.write(stepWarnings, step: index, isLast: isLast(index))
    }
    if let memory = workspace.memory {
      try finishInMemory(assembled, memory, step: index)
      return accounts
    }
    try Sealer.finish(assembled, layout: step.plan.destinationLayout)
    try place(assembled, step: index)
    return accounts
  }

  /// Places the finished store of a step where the next step, or the cut-over, takes it.
  private func place(_ assembled: String, step index: Int) throws {
    // The cut-over makes the last step durable.
    let isTrusted = !isLast(index)
    if isTrusted {
      try workspace.makeRunDurable()
      try files.synchronize(assembled)
    }
    try files.rename(assembled, to: workspace.sealedPath(step: index))
    if isTrusted { try files.synchronizeDirectory(workspace.stepDirectory(index)) }
    try workspace.clearPasses(ofStep: index)
  }

  /// The source of a step, in a read transaction, and its pages or why they cannot be read.
  ///
  /// - Parameter path: of the migration's source, of a staged store, or of the store of the step before
  ///   where it is in the folder.
  private func openSource(
    ofStep index: Int, _ path: String
  ) throws -> (pages: Result<PageReader, any Error>?, store: OpenStore) {
    if index > 0, let source = try workspace.memory?.openSource() {
      return (
        options.usesPages ? Result { try PageReader(source.bytes) } : nil, source.store
      )
    }
    let isSource = path == source.path
    let pages =
      !options.usesPages
      ? nil
      : isSource
        ? sourceStore.pageReader()
        : Result { try PageReader(path: path, logPath: StoreUnit(path: path).walPath) }
    return (pages, isSource ? try sourceStore.open() : try StoreFile.open(path: path))
  }

  /// What counts in the pages of the source of a step.
  ///
  /// - Returns: `nil` when SQLite counts.
  private func makePageCount(_ reader: PageReader?, _ store: OpenStore) -> PageCount? {
    reader.flatMap { reader in
      let byteCount = Int64(reader.pageCount) * Int64(reader.geometry.pageBytes)
      return PageCount.isUsed(byteCount: byteCount, isForced: options.lane == .page)
        ? PageCount(reader, store, threadCount: options.limits.threadCount) : nil
    }
  }

  /// Plans a step for its source.
  ///
  /// - Parameters:
  ///   - counts: the objects of the source, if they have been counted already.
  ///   - pages: the pages of the source, if they may be read without SQLite.
  func stepPlan(
    _ step: PlannedStep, index: Int, _ store: OpenStore, counts: ObjectCounts?,
    pages: PageReader?, now: Double
  ) throws -> StepPlan {
    let layout = try store.layout(of: step.source, predicted: prepared.sourceLayouts[index])
    return try stepPlan(
      step, index: index, layout,
      SourceExtent(
        store, path: store.unit.path, layout: layout, counts: counts, pages: pages,
        threadCount: options.limits.threadCount),
      comparisonObstacle: store.comparisonObstacle(layout),
      unnumberedJoins: store.unnumberedJoins(layout), now: now)
  }

  func stepPlan(
    _ step: PlannedStep, index: Int, _ layout: StoreLayout, _ extent: SourceExtent,
    comparisonObstacle: String?, unnumberedJoins: Set<String> = [], now: Double
  ) throws -> StepPlan {
    let lanes = LaneChoice(
      isForcedToRows: options.isForcedToRows, comparisonObstacle: comparisonObstacle,
      unnumberedJoins: unnumberedJoins, usesPages: options.usesPages,
      isForcedToPages: options.lane == .page)
    return try StepPlan(
      index: index, passes: step.passes, lanes: lanes,
      ways: prepared.ways(ofStep: index, lanes, policies), sourceLayout: layout,
      destinationLayout: prepared.destinationLayouts[index],
      destinationArchive: prepared.destinationArchives[index], extent: extent,
      isForeign: sourceStore.type != nil, now: now)
  }

  /// The warnings of links that lead to no object; some are counted only now, because the sweeps of the
  /// passes tell most of them.
  private func warnings(
    of dangling: DanglingLinks, _ connection: Connection, _ accounts: [MappingAccount], step: Int
  ) throws -> Diagnostics {
    if dangling.isAnyDeferred {
      let journal = try journal(ofStep: step)
      try dangling.countDeferred(connection) { relationship, mappingPlan in
        // The sweep counts the links of the objects that it takes, and these were all.
        guard accounts.indices.contains(mappingPlan.index) else { return false }
        let account = accounts[mappingPlan.index]
        return try account.migrated == account.read
          && journal?.linkCount(of: relationship, in: mappingPlan)?.dangling == 0
      } isJoined: {
        try journal?.joinCount(of: $0)?.dangling == 0
      }
    }
    return try dangling.warnings(connection)
  }

  /// - Returns: the path of the store that contains the whole step, without Passage's bookkeeping,
  ///   and the account of every entity mapping.
  private func runPassesAndAssemble(
    _ step: StepRun, paths: [String]
  ) throws -> (path: String, accounts: [MappingAccount]) {
    do {
      return try attempt(step, paths: paths)
    } catch {
      // Pages that SQLite does not accept are not delivered: the step starts again without pages.
      guard let reason = try reasonToAbandonPages(of: step, error) else { throw error }
      try abandonPages(of: step, reason)
      return try attempt(step, paths: paths)
    }
  }

  /// - Returns: `nil` when the error has nothing to do with pages that SQLite has not written.
  private func reasonToAbandonPages(of step: StepRun, _ error: any Error) throws -> String? {
    if let reason = PagePass.reason(of: error) { return reason }
    // The damage may be the source's: then the step finds it again without pages.
    let message: String? =
      switch error {
      case let error as SQLiteError where error.isDamage: error.message
      case let error as StoreError where error.isDamage && error.path != step.source.path:
        error.detail ?? error.kind.rawValue
      default: nil
      }
    guard let message, try journal(ofStep: step.plan.index)?.isUnchecked == true else { return nil }
    return "SQLite does not accept the pages: \(message)"
  }

  private func attempt(
    _ step: StepRun, paths: [String]
  ) throws -> (path: String, accounts: [MappingAccount]) {
    let journalPath = workspace.journalPath(step: step.plan.index)
    stepWarnings = Diagnostics()
    // The record is written before the step is sealed: until then a killed run may have left a part.
    if !isInMemory, let journal = try journal(ofStep: step.plan.index), try journal.isSealed,
      let adopted = try journal.adoptedPass, paths.indices.contains(adopted),
      let record = try record(ofStep: step.plan.index)
    {
      try checkFinished(paths[adopted], step: step.plan.index, record, now: step.plan.now)
      try checkQuarantine(ofStep: step.plan.index, record)
      let accounts = record.accounts
      control.resume(accounts.reduce(0) { $0.saturatingAdd($1.read) }, isInPass: false)
      try tellPassesThroughSQL(of: step, journal)
      try tellRemains(of: step, journal)
      return (paths[adopted], accounts)
    }
    try workspace.makeDatabase(
      journalPath, prepared.images.journal(textEncoding: step.source.textEncoding))
    try discardTornStep(of: step)
    for pass in step.plan.passes.indices { try runPass(pass, of: step, paths: paths) }
    if !isInMemory, !isLast(step.plan.index), let journal = try journal(ofStep: step.plan.index) {
      let accounts = try step.plan.mappingPlans.compactMap {
        try journal.progress(of: $0.index)?.account
      }
      tellMade(accounts, ofStep: step.plan.index)
    }
    control.update(isMilestone: true) {
      $0.phase = .assemble
      $0.passName = ""
      $0.mappingName = ""
    }
    let adopted = try Assembler.adoptedPass(
      of: paths, begun: wasContinued ? journal(ofStep: step.plan.index)?.adoptedPass : nil,
      byteCount: workspace.databaseBytes)
    let store = try Assembler(
      step: step, passPaths: paths, journalPath: journalPath, control: control
    ).assemble(into: adopted)
    let sealer = try sealer(of: step, store)
    try sealer.makeIndexes()
    isWholeChecked = try sealer.checkPages(
      isWhole: options.checksIntegrity, writesBack: !isInMemory && isLast(step.plan.index))
    let accounts = try judgeLosses(sealer.judge(), of: step, in: store)
    // The record is written last: if it exists, all checks have passed.
    var stepMark: String?
    if !isInMemory {
      let quarantined = try QuarantineFile.write(
        store.connection, step: step.plan.source.name,
        to: workspace.quarantinePath(step: step.plan.index),
        files: files)
      try tellRemains(of: step, store.journal)
      let record = StepRecord(
        accounts: accounts, quarantined: quarantined,
        storeUUID: step.source.metadata.storeUUID,
        mark: String(UInt64.random(in: .min ... .max), radix: 16))
      try workspace.write(record, step: step.plan.index, isLast: isLast(step.plan.index))
      if !isLast(step.plan.index) { stepMark = record.mark }
    }
    try sealer.writeBookkeeping(ledger: ledger(adding: accounts, of: step), stepMark: stepMark)
    return (paths[adopted], accounts)
  }

  /// What seals the assembled store of a step.
  func sealer(of step: StepRun, _ store: PassStore) throws -> Sealer {
    Sealer(
      step: step, store: store, control: control, jobs: options.limits.threadCount,
      history: isLast(step.plan.index) ? try historyCopy() : nil)
  }

  /// Whether a step is the last one: its store is the result.
  func isLast(_ index: Int) -> Bool { index + 1 == steps.count }

  private func runPass(_ pass: Int, of step: StepRun, paths: [String]) throws {
    try preparePass(pass, of: step, path: paths[pass])
    try noteUnaskedWork(of: step)
    tellPass(pass, of: step)
    do {
      let counted = try runPages(ofPass: pass, of: step, paths: paths)
      try PassRun(
        step: step, pass: pass, passPaths: paths,
        journalPath: workspace.journalPath(step: step.plan.index), limits: options.limits.batch,
        control: control, usesPages: isSuitable(pass, of: step)
      ).run(counted: counted)
    } catch let failure as RowFailure {
      // Only this pass is discarded: its policy may have done half of something.
      if !isInMemory { try? clearPass(pass, ofStep: step.plan.index) }
      throw failure
    } catch is SourceChanged {
      if !isInMemory { try? clearWork() }
      throw SourceChanged()
    }
  }

  /// Makes the objects of a pass that can be made page by page. Where that turns out to be
  /// impossible, the pass starts again without pages.
  ///
  /// - Returns: the entity mappings whose objects the progress includes.
  private func runPages(
    ofPass pass: Int, of step: StepRun, paths: [String]
  ) throws -> Set<Int> {
    let mappingPlans = step.links.pageMappings(ofPass: pass)
    // What pages cannot make as a whole is made through SQL in memory.
    guard !isInMemory else { return [] }
    let unsuitable = Self.unsuitableName(pass)
    let index = step.plan.index
    if let reason = try journal(ofStep: index)?.state(unsuitable)?.string {
      stepWarnings.append(ranThroughSQL(step.plan.passes[pass].model.name, reason))
      return []
    }
    // Those that come after objects that SQL makes are made later.
    guard !mappingPlans.isEmpty else { return [] }
    // A finished pass needs no page of the source, whether or not they can still be read: the assembly may
    // have begun, and then the pass must not start again.
    if wasContinued, try journal(ofStep: index)?.of(pass: pass).isFinished == true { return [] }
    do {
      let pages = try PagePass(
        mappingPlans, step: step, pass: pass, passPaths: paths,
        journalPath: workspace.journalPath(step: index), limits: options.limits.batch,
        control: control)
      guard let pages else { return [] }
      try pages.run()
      return Set(mappingPlans.map(\.index))
    } catch {
      guard let reason = PagePass.reason(of: error) else { throw error }
      try clearPass(pass, ofStep: index)
      try files.makeFile(paths[pass])
      try journal(ofStep: index)?.setState(unsuitable, .text(reason))
      stepWarnings.append(ranThroughSQL(step.plan.passes[pass].model.name, reason))
      tellPass(pass, of: step)
      return []
    }
  }

  /// Whether nothing has shown that a pass cannot be written page by page.
  private func isSuitable(_ pass: Int, of step: StepRun) throws -> Bool {
    try step.pages != nil
      && journal(ofStep: step.plan.index)?.state(Self.unsuitableName(pass)) == nil
  }

  /// Warns of the passes that did not go page by page, of a step whose passes are finished (`RUN-048`).
  private func tellPassesThroughSQL(of step: StepRun, _ journal: Journal) throws {
    for (index, pass) in step.plan.passes.enumerated() {
      guard let reason = try journal.state(Self.unsuitableName(index))?.string else { continue }
      stepWarnings.append(ranThroughSQL(pass.model.name, reason))
    }
  }

  func ranThroughSQL(_ pass: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      "RUN-048", "the pass “\(pass)” ran through SQL, not page by page", severity: .warning,
      reason: reason)
  }

  /// Prepares the file of a pass. An interrupted pass is discarded if one of its policies cannot
  /// continue in the middle, or if its file and the journal do not match.
  private func preparePass(_ pass: Int, of step: StepRun, path: String) throws {
    try workspace.makeDatabase(
      path,
      prepared.images.passStore(
        ofStep: step.plan.index, layout: step.plan.destinationLayout,
        textEncoding: step.source.textEncoding
      ).bytes)
    // Work that this run began is not continued from anything.
    guard wasContinued else { return }
    let isEmpty = try files.byteCount(path) == 0
    let journal = try journal(ofStep: step.plan.index)?.of(pass: pass)
    let isBegun = try journal?.isBegun ?? false
    if isEmpty, !isBegun { return }
    let isTorn = try journal.map { try LatePages.isTorn($0) } ?? false
    if isTorn {
      discard(
        "the pass “\(step.plan.passes[pass].model.name)” starts again, because pages were being put "
          + "in place")
    } else if isBegun, !isEmpty {
      let restarts = step.plan.mappingPlans(ofPass: pass).contains { mappingPlan in
        mappingPlan.bound.mapping.policy.flatMap {
          policies[$0.name.value]?.restartsWhenInterrupted
        }
          == true
      }
      guard restarts, try journal?.isFinished == false else { return }
      discard(
        "the pass “\(step.plan.passes[pass].model.name)” starts again, because one of its policies "
          + "cannot continue in the middle")
    }
    try journal?.forget()
    try workspace.clearPass(step: step.plan.index, pass: pass)
    try files.makeFile(path)
  }

  /// The journal of a step; `nil` when the step has not begun.
  func journal(ofStep index: Int) throws -> Journal? {
    let path = workspace.journalPath(step: index)
    return try Journal.ofStep(path: path, byteCount: workspace.databaseBytes(path))
  }
}
