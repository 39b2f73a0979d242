internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Runs one pass: one mapping model, from the step's source into a new pass store, in Core Data's
/// three phases.
final class PassRun {
  let step: StepRun
  private let pass: Int
  private let mappingPlans: [MappingPlan]
  let store: PassStore
  let limits: BatchLimits
  let control: RunControl
  let lookup: PassLookup
  let missing: MissingValues
  let nilled: NilledValues
  let foreign = ForeignRows()
  let keys: KeyAllocator
  /// Whether objects may be made page by page.
  let usesPages: Bool
  /// The source's change number when the pass began; see ``checkSource()``.
  private var sourceVersion: Int64 = 0

  /// - Parameters:
  ///   - passPaths: the pass stores of the step, in order; those before `pass` are finished.
  ///   - journalPath: the path of the step's journal.
  ///   - usesPages: whether objects may be made page by page.
  init(
    step: StepRun, pass: Int, passPaths: [String], journalPath: String, limits: BatchLimits,
    control: RunControl, usesPages: Bool
  ) throws {
    self.step = step
    self.usesPages = usesPages
    self.pass = pass
    self.limits = limits
    self.control = control
    missing = MissingValues(isStrict: step.quarantine.isOpen)
    nilled = NilledValues(rollsBack: step.quarantine.isOpen)
    mappingPlans = step.plan.mappingPlans(ofPass: pass)
    lookup = PassLookup(
      paths: passPaths,
      openSource: { [step] in
        let source = try step.source.open()
        try source.registerExpressionFunctions(step.policies.functions)
        return source
      })
    store = try PassStore(
      path: passPaths[pass], journalPath: journalPath, pass: pass,
      layout: step.plan.destinationLayout, textEncoding: step.source.textEncoding)
    keys = KeyAllocator(firstKeys: step.plan.keyspace.firstExtraKeys)
    try step.quarantine.noteObjects(of: store.journal)
    try store.journal.continueKeys(keys)
  }

  /// Runs the remaining part of the pass.
  ///
  /// - Parameter counted: the entity mappings whose objects the progress includes already.
  func run(counted: Set<Int> = []) throws {
    let before = try mappingPlans.filter { !counted.contains($0.index) }.compactMap {
      try store.journal.progress(of: $0.index)?.account.read
    }
    control.resume(before.reduce(0) { $0.saturatingAdd($1) })
    guard try !store.journal.isFinished else { return }
    let connection = store.connection
    try connection.attach(step.source.path, as: "source", mode: step.source.mode)
    sourceVersion = try connection.integer("PRAGMA source.data_version")
    try missing.register(on: connection)
    try nilled.register(on: connection)
    try foreign.register(on: connection)
    try AppendedKeys.register(on: connection)
    try connection.registerExpressionFunctions(step.policies.functions)
    try ExternalConversion.register(on: connection, folder: step.source.externalFolder)
    let work = try mappingPlans.map {
      try MappingRun(
        mappingPlan: $0, step: step, store: store, lookup: lookup, keys: keys, missing: missing,
        nilled: nilled)
    }
    defer { for item in work { item.context.mapper = nil } }
    for item in work { try beginAgain(item) }
    let places = Dictionary(uniqueKeysWithValues: mappingPlans.enumerated().map { ($1.index, $0) })
    var late = usesPages ? step.links.latePageTables(ofPass: pass) : []
    for mappingPlan in step.links.createOrder(mappingPlans) {
      if let place = late.firstIndex(where: { $0.contains { $0.index == mappingPlan.index } }) {
        let works = late.remove(at: place).compactMap { places[$0.index].map { work[$0] } }
        let pages = LatePages(
          works, step: step, store: store, source: try lookup.source(), limits: limits,
          control: control)
        if try pages.run(missing) { continue }
      }
      if let place = places[mappingPlan.index] { try create(work[place]) }
    }
    step.facts.releaseAssociations()
    for item in work { try select(item) }
    // Where no policy takes part, nothing is left to do and to record of each mapping.
    let guided = work.filter { $0.policy != nil }
    for item in guided { try relate(item) }
    if usesPages, step.links.joined.contains(where: { $0.mappingPlan.passIndex == pass }) {
      try LateJoins(
        step: step, pass: pass, store: store, source: try lookup.source(), control: control
      ).run()
    }
    try JoinTableCopier(step: step, pass: pass, store: store, limits: limits, control: control)
      .run()
    for item in guided { try validate(item) }
    try finish(work)
  }

  /// Notes that the pass and its mappings are finished. What later passes ask for is indexed then.
  private func finish(_ work: [MappingRun]) throws {
    try control.checkCancellation()
    try store.connection.transaction {
      for item in work where item.progress.phase < .finished {
        item.progress.phase = .finished
        try store.journal.setProgress(item.progress, of: item.mappingPlan.index)
      }
      // Only a policy asks from which source objects an object was made.
      let isAsked = step.plan.mappingPlans.contains {
        $0.passIndex > pass && !$0.hooks.isEmpty
          && step.policies.needs(of: $0.bound.mapping).contains(.destinationObjects)
      }
      if isAsked,
        try store.connection.integer(
          "SELECT EXISTS (SELECT 1 FROM \(Journal.Table.association.name))") > 0
      {
        try store.journal.indexAssociationsByDestination()
      }
      try checkSource()
      try store.journal.setFinished()
    }
  }

  // MARK: Create

  /// Calls the begin hook again for the new instance of a policy whose entity mapping an
  /// interrupted run had begun, so that the instance can build what it needs in memory. What the
  /// hook writes already exists and is rolled back; the objects it inserts are the ones it inserted
  /// the first time.
  private func beginAgain(_ work: MappingRun) throws {
    guard work.policy != nil, work.mappingPlan.hooks.contains(.begin), work.progress.phase > .begin,
      work.progress.phase < .finished
    else { return }
    struct TakenBack: Error {}
    let account = work.context.account
    let nextKeys = keys.nextKeys
    work.context.replayed = try store.journal.madeInBegin(of: work.mappingPlan.index)
    do {
      try store.connection.transaction {
        try call(.begin, work) { try $0.begin(in: work.context) }
        try work.context.flush()
        throw TakenBack()
      }
    } catch is TakenBack {
      work.context.replayed = []
      work.context.account = account
      _ = nilled.take()
      try work.context.inPass().shared.forget()
      try work.context.inPass().associations.forgetNote()
      keys.restore(nextKeys)
    }
  }

  private func create(_ work: MappingRun) throws {
    guard work.progress.phase <= .create else { return }
    control.update(isMilestone: true) {
      $0.phase = .create
      $0.mappingName = work.mappingPlan.name
    }
    let context = work.context
    if work.progress.phase == .begin {
      try batch(work, nextPhase: .create, cursor: .min) {
        work.context.madeInBegin = []
        try call(.begin, work) { try $0.begin(in: context) }
        try store.journal.setMadeInBegin(work.context.madeInBegin ?? [], of: work.mappingPlan.index)
        work.context.madeInBegin = nil
        return 0
      }
    }
    if let elements = work.mappingPlan.elements { try listElements(work, elements) }
    if let merge = work.mappingPlan.bound.merge { try findEqual(work, merge) }
    if work.mappingPlan.source != nil {
      switch work.mappingPlan.lane {
      case .set: try createInSQL(work)
      case .row: try createRows(work)
      }
    }
    try batch(work, nextPhase: .relate, cursor: .min) {
      if let elements = work.mappingPlan.elements { try associateElements(work, elements) }
      try writeCombined(work.mappingPlan)
      try addObjects(work)
      try call(.endInstanceCreation, work) { try $0.endInstanceCreation(in: context) }
      return 0
    }
  }

  // MARK: Batches

  /// Runs one batch: commits rows, cursor and account in one transaction, then releases memory.
  ///
  /// - Parameters:
  ///   - nextPhase: the mapping's phase after the batch; `nil` if it does not change.
  ///   - cursor: the mapping's cursor after the batch; `nil` when `body` sets it.
  ///   - body: does the work and returns the number of source objects read.
  func batch(
    _ work: MappingRun, nextPhase: Journal.Phase? = nil, cursor: Int64?,
    _ body: () throws -> Int64
  ) throws {
    try control.checkCancellation()
    var done: Int64 = 0
    var isWritten = false
    defer { if !isWritten { step.facts.forgetAssociations(of: work.mappingPlan) } }
    try StatementWatch.lettingEnd {
      try store.connection.transaction {
        done = try body()
        try work.context.flush()
        if let cursor { work.progress.cursor = cursor }
        if let nextPhase { work.progress.phase = nextPhase }
        work.context.account.becameNil.merge(nilled.take(), uniquingKeysWith: +)
        work.progress.account = work.context.account
        try store.journal.setProgress(work.progress, of: work.mappingPlan.index)
        try store.journal.setNextKeys(keys, first: step.plan.keyspace.firstExtraKeys)
        try store.journal.setMissing(missing.take())
        try checkSource()
      }
    }
    isWritten = true
    control.noteAdvance()
    store.connection.releaseMemory()
    control.update {
      $0.passCompleted += done
      $0.completed += done
    }
  }

  /// Throws when another program has changed the source since the pass began, because the batches
  /// before and after the change would not fit together.
  private func checkSource() throws {
    guard try store.connection.integer("PRAGMA source.data_version") == sourceVersion else {
      throw SourceChanged()
    }
  }

  func call(
    _ hook: MigrationHook, _ work: MappingRun, _ body: (any MigrationPolicy) throws -> Void
  ) throws {
    guard let policy = work.policy, work.mappingPlan.hooks.contains(hook) else { return }
    do {
      try body(policy)
      try work.context.checkNeeds()
    } catch {
      let failure = RowFailure(
        hook: hook, mapping: work.mappingPlan.name, entity: work.mappingPlan.source?.name ?? "",
        key: nil,
        underlying: error)
      throw failure.isOfObject ? failure : error
    }
  }
}

/// One entity mapping while its pass runs.
final class MappingRun {
  let mappingPlan: MappingPlan
  let policy: (any MigrationPolicy)?
  let context: MigrationContext
  var progress: Journal.Progress
  /// What a sweep by pages has counted of the links that it found in memory or moved, by destination
  /// column.
  var foundLinks: [String: LinkCount] = [:]

  /// - Parameter makeSink: makes the doors through which a policy's objects are written; `nil` for
  ///   those of SQLite.
  init(
    mappingPlan: MappingPlan, step: StepRun, store: PassStore, lookup: PassLookup,
    keys: KeyAllocator, missing: MissingValues, nilled: NilledValues,
    makeSink: PolicyObjects.MakeSink? = nil
  ) throws {
    self.mappingPlan = mappingPlan
    policy = try step.policies.makePolicy(for: mappingPlan.bound.mapping)
    let account = MappingAccount(
      name: mappingPlan.name, pass: step.plan.passes[mappingPlan.passIndex].model.name,
      source: mappingPlan.source?.name,
      destination: mappingPlan.destination?.name, lane: mappingPlan.lane)
    progress =
      try store.journal.progress(of: mappingPlan.index)
      ?? Journal.Progress(phase: .begin, cursor: .min, account: account)
    let pass = PolicyPass(
      mappingPlan, step: step.basis, store: store, passes: lookup, keys: keys,
      makeSink: makeSink ?? {
        try SQLRowSink(connection: store.connection, table: $0, constants: $1, columns: $2)
      }, recorded: step.facts.begin(mappingPlan, progress.phase, usesPages: step.pages != nil))
    context = MigrationContext(
      mappingPlan: mappingPlan, step: step.basis, passes: lookup, account: progress.account,
      missing: missing, nilled: nilled, pass: pass)
  }

  deinit { context.close() }
}
