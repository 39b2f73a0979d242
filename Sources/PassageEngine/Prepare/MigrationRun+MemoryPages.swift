internal import PassageDiagnostics
internal import PassageMappings
internal import PassagePlanning
internal import PassageSQLite
internal import PassageStores

/// Small migrations page by page: the whole store is made in memory in one go.
extension MigrationRun {
  /// Whether a run may make objects page by page, for each step: in memory, it does so only where
  /// nothing of the step is left to SQL.
  ///
  /// - Parameter found: what the checks before the run have found.
  func mayUsePages(_ found: Preparation) throws -> [Bool] {
    let forAll = steps.map { _ in options.usesPages }
    guard options.usesPages, try fittingMemory() != nil else { return forAll }
    let present = FrozenPresent().seconds
    let plans = steps.enumerated().map { index, step in
      // A source that cannot be planned is refused by the run.
      index == 0
        ? try? stepPlan(
          step, index: 0, sourceStore.open(), counts: found.sourceCounts, pages: nil, now: present)
        : try? stepPlan(
          step, index: index, prepared.sourceLayouts[index], .unknown, comparisonObstacle: nil,
          now: present)
    }
    let isInFolder = plans.contains { plan in
      plan.map { isFasterInFolder($0, StepLinks($0)) } ?? false
    }
    if isInFolder { return forAll }
    return plans.map { plan in
      plan.map { MemoryPages.canMakeAll(of: $0, StepLinks($0)) } ?? false
    }
  }

  /// Whether the work takes less time in the folder, although it would fit into memory.
  ///
  /// In memory, SQL makes the indexes, and everything of a step of which pages cannot make all. From
  /// a certain size on that takes longer than the work on files that pages spare: measured with
  /// objects shared by others, links through associations and two indexes of texts, both take the
  /// same time at sources of 0.5 to 2 MB.
  func isFasterInFolder(_ plan: StepPlan, _ links: StepLinks) -> Bool {
    guard plan.lanes.usesPages, sourceStore.totalBytes > Self.largestMixedSource else {
      return false
    }
    let layout = plan.destinationLayout
    return !layout.indexes.isEmpty || !MemoryPages.canMakeAll(of: plan, links)
  }

  private static var largestMixedSource: Int64 { 1 << 20 }

  /// Makes the store of a step page by page, and seals it.
  ///
  /// - Returns: the account of every entity mapping; `nil` when SQL must make the store.
  func makePages(
    of step: StepRun, _ source: OpenStore, in memory: WorkMemory
  ) throws -> [MappingAccount]? {
    guard MemoryPages.canMakeAll(of: step.plan, step.links) else { return nil }
    do {
      return try sealPages(of: step, source, in: memory)
    } catch {
      guard let reason = PagePass.reason(of: error) else { throw error }
      memory.remove(workspace.storePath(step: step.plan.index, in: memory))
      for pass in step.plan.passes {
        warnings.append(ranThroughSQL(pass.model.name, reason))
      }
      return nil
    }
  }

  private func sealPages(
    of step: StepRun, _ source: OpenStore, in memory: WorkMemory
  ) throws -> [MappingAccount] {
    let image = try prepared.images.passStore(
      ofStep: step.plan.index, layout: step.plan.destinationLayout,
      textEncoding: step.source.textEncoding)
    let path = workspace.storePath(step: step.plan.index, in: memory)
    let database = try memory.makePages(path, image.bytes, from: prepared.images.databases)
    let store = PassStore(inOneGo: database, layout: step.plan.destinationLayout)
    let pages = try MemoryPages(
      step: step, store: store, memory: database.file(), tables: image.tables,
      source: source, limits: options.limits.batch, control: control)
    let made = try pages.run { tellPass($0, of: step) }
    tellMade(made, ofStep: step.plan.index)
    try Assembler.writeInverses(of: step, on: store.connection)
    let sealer = try sealer(of: step, store)
    try sealer.makeIndexes()
    try sealer.judge(made, suspects: pages.takeSuspects(), rowCounts: pages.rowCounts)
    let accounts = try judgeLosses(made, of: step, in: store)
    try sealer.writeBookkeeping(
      ledger: ledger(adding: accounts, of: step), largestKeys: pages.largestKeys,
      pages: step.links.plan.oneSided.isEmpty ? pages : nil)
    try control.checkCancellation()
    // The last word on the bytes is SQLite's.
    control.update(isMilestone: true) { $0.phase = .verify }
    isWholeChecked = try PageCheck.run(
      anew: store.connection, isWhole: options.checksIntegrity, control: control)
    return accounts
  }
}
