internal import FoundationEssentials
internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
package import PassagePlanning
internal import PassageSQLite
package import PassageStores

/// One migration from beginning to end, in the order of a record's way: prepare, passes, assemble,
/// verify, seal, cut over. Runs on the thread that calls it.
package final class MigrationRun {
  let steps: [PlannedStep]
  let source: StoreUnit
  let sourceStore: SourceStore
  private let destination: MigrationDestination
  let options: MigrationOptions
  let policies: PolicyRegistry
  let files: FileSystem
  let control: RunControl
  let workspace: Workspace

  private var wasContinued = false
  /// The rows of a source of another type that were never staged.
  var setAside: [SetAsideRow] = []
  /// Counted once: it reads the whole source.
  private var sourceCounts: ObjectCounts?
  private var discardedWork: String?
  /// What was found that does not stop the run.
  var warnings = Diagnostics()
  /// What belongs to the source beside its objects.
  var companions = StoreCompanions()
  /// The history to carry over.
  var history: HistoryTables?

  /// - Parameters:
  ///   - steps: the checked steps; the first starts at the store's model.
  ///   - storePath: the source store.
  package init(
    steps: [PlannedStep], storePath: String, destination: MigrationDestination,
    options: MigrationOptions, policies: PolicyRegistry, files: FileSystem = FileSystem(),
    control: RunControl
  ) {
    self.steps = steps
    source = StoreUnit(path: storePath)
    sourceStore = SourceStore(path: storePath, types: options.storeTypes)
    self.destination = destination
    self.options = options
    self.policies = policies
    self.files = files
    self.control = control
    workspace = Workspace(
      destination: Self.destinationPath(storePath, destination), files: files)
  }

  static func destinationPath(_ storePath: String, _ destination: MigrationDestination) -> String {
    switch destination {
    case .file(let path): path
    case .inPlace: storePath
    }
  }

  var destinationPath: String { Self.destinationPath(source.path, destination) }

  /// Where the old store of a migration in place is kept.
  private var backupPath: String? {
    guard case .inPlace = destination, options.keepsBackup else { return nil }
    return "\(source.path).before-\(steps[0].source.name.replacing("/", with: "-"))"
  }

  /// Runs the migration, or what an interrupted run has left of it.
  ///
  /// - Throws: ``MigrationError``.
  package func run() throws -> MigrationReport {
    let started = ContinuousClock.now
    do {
      var report = try perform()
      report.seconds = started.duration(to: .now) / .seconds(1)
      return report
    } catch {
      throw Failure(
        sourcePath: source.path, workspace: workspace.directory,
        keepsWork: files.exists(workspace.directory + "/run.json")
      ).migrationError(error)
    }
  }

  /// Everything that can refuse before the first file is made: the destination, the source, the
  /// disk. Nothing is written.
  func check() throws {
    try checkModels()
    try checkDestination()
    try checkSource()
    // A store of another type has nothing but what its model says.
    if sourceStore.type == nil { try checkCompanions(of: StoreFile.open(path: source.path)) }
    try checkDisk()
  }

  /// A store whose layout is not known can be neither read whole nor written.
  private func checkModels() throws {
    var findings = Diagnostics()
    var names: Set<String> = []
    for model in steps.flatMap({ [$0.source, $0.destination] })
    where names.insert(model.name).inserted {
      findings.append(contentsOf: Diagnostics(StoreLayout(model: model).unsupported.errors))
    }
    try findings.throwing(.wrongFile)
  }

  private func perform() throws -> MigrationReport {
    let fingerprint = try sourceStore.fingerprint()
    try check()
    try files.makeDirectory(workspace.directory)
    let lock = try takeLock()
    defer { withExtendedLifetime(lock) {} }
    do {
      return try performLocked(fingerprint)
    } catch {
      if Self.endsWork(error) {
        try? workspace.clear()
        try? files.removeDirectory(workspace.directory)
      }
      throw error
    }
  }

  /// Whether going on from the work so far could never end well: the whole was judged and found
  /// wrong, or the source cannot be read to its end.
  private static func endsWork(_ error: any Error) -> Bool {
    switch error {
    case let error as MigrationError:
      [.policyFailed, .verificationFailed, .sourceDamaged].contains(error.kind)
    case let error as SQLiteError: error.isDamage
    case let error as StoreError: error.isDamage
    default: false
    }
  }

  /// What only the holder of the lock may do.
  private func performLocked(_ fingerprint: String) throws -> MigrationReport {
    try removeInterruptedBackup()
    let identity = try prepareWorkspace(fingerprint)
    var reports: [MigrationReport.Step] = []
    var storePath = source.path
    control.update(isMilestone: true) { [steps] in
      $0.stepCount = steps.count
    }
    if let type = sourceStore.type {
      storePath = try stage(type)
      // Rows that were set aside are not in the staged store.
      sourceCounts = nil
    }
    for (index, step) in steps.enumerated() {
      let accounts = try run(step, index: index, storePath: storePath, now: identity.now)
      reports.append(
        MigrationReport.Step(
          source: step.source.name, destination: step.destination.name, mappings: accounts,
          inferred: step.passes.map(\.model).filter(\.isInferred).map(\.name)))
      if index > 0 { try files.remove(storePath) }
      storePath = workspace.sealedPath(step: index)
    }
    try checkExternalData(of: storePath)
    try control.checkCancellation()
    control.update(isMilestone: true) { $0.phase = .cutOver }
    let quarantined = try writeQuarantine()
    if !reports.isEmpty {
      for index in reports[0].mappings.indices { reports[0].mappings[index].count(setAside) }
    }
    try cutOver(output(storePath), fingerprint)
    try workspace.clear()
    try files.remove(workspace.lockPath)
    try files.removeDirectory(workspace.directory)
    control.update(isMilestone: true) { $0.phase = .finished }
    return MigrationReport(
      outcome: .migrated, sourcePath: source.path, destinationPath: destinationPath,
      backupPath: backupPath, steps: reports, wasContinued: wasContinued,
      discardedWork: discardedWork, quarantined: quarantined,
      quarantinePath: quarantined > 0 ? QuarantineFile.path(destination: destinationPath) : nil,
      warnings: warnings, companions: companions)
  }

  // MARK: Prepare

  private func checkDestination() throws {
    _ = try outputType()
    switch destination {
    case .file(let path):
      if let identity = files.identity(path), identity == files.identity(source.path) {
        throw MigrationError(
          .wrongCall,
          Diagnostic(
            "RUN-001", "the source is given as its own destination",
            at: SourceLocation(file: path),
            remedy: "name another file, or migrate in place"))
      }
      if files.exists(path), !isReserved(path) {
        throw MigrationError(
          .wrongCall,
          Diagnostic(
            "RUN-002", "there is a file at the destination already", at: SourceLocation(file: path),
            remedy: "name another file, or move it away"))
      }
      let folder = StoreUnit(path: path).folder
      guard files.isDirectory(folder) else {
        throw MigrationError(
          .wrongCall,
          Diagnostic(
            "RUN-003", "the destination's folder does not exist", at: SourceLocation(file: folder),
            remedy: "make the folder first"))
      }
      try checkSupportFolder(of: StoreUnit(path: path))
    case .inPlace:
      if sourceStore.type != nil || options.outputType != nil {
        throw MigrationError(
          .wrongCall,
          Diagnostic(
            "RUN-014", "a store cannot be replaced by one of another type",
            at: SourceLocation(file: source.path),
            reason: "programs that use the file expect the type it has",
            remedy: "name a file for the result (--output FILE)"))
      }
      guard let backup = backupPath, files.exists(backup), !isLeftByCutOver(backup) else { return }
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-004", "a kept store of an earlier migration is in the way",
          at: SourceLocation(file: backup),
          remedy: "remove it when it is not needed any more, or keep none (--no-backup)"))
    }
  }

  /// Whether a file of no bytes keeps the place of a store of another type.
  private func isReserved(_ path: String) -> Bool {
    options.outputType != nil && (try? FileSystem.status(path))?.kind == .file
      && files.byteCount(path) == 0
  }

  /// Whether a kept store is what an interrupted cut-over left: a second name of the source, or a
  /// copy it marked.
  private func isLeftByCutOver(_ backup: String) -> Bool {
    files.identity(backup) == files.identity(source.path)
      || files.contents(workspace.cutOverMarkPath) == Array(backup.utf8)
  }

  /// Takes away what an interrupted cut-over left. Only the holder of the lock may: another runner
  /// may be in the middle of its own.
  private func removeInterruptedBackup() throws {
    guard let backup = backupPath, files.exists(backup), isLeftByCutOver(backup) else { return }
    try files.remove(backup)
  }

  /// Opens the source once: a damaged store is refused before anything is written.
  private func checkSource() throws {
    let counts = try sourceStore.counts(steps[0].source)
    sourceCounts = counts
    let unread = steps[0].unreadEntities.filter { counts.byEntity[$0, default: 0] > 0 }
    var findings = Diagnostics()
    for entity in unread {
      findings.append(
        Self.unmapped(entity, step: steps[0], count: counts.byEntity[entity, default: 0]))
    }
    for (earlier, later) in zip(steps, steps.dropFirst()) {
      for entity in later.unreadEntities where earlier.madeEntities.contains(entity) {
        findings.append(Self.unmapped(entity, step: later, count: nil))
      }
    }
    try findings.throwing(.wrongFile)
    var total: Int64 = 0
    for mapping in steps[0].passes.flatMap(\.entityMappings) {
      total += mapping.source.map { counts.byEntity[$0.name, default: 0] } ?? 0
    }
    // Later steps read what earlier ones make: about as many objects in all.
    for step in steps.dropFirst() { total += counts.total * Int64(step.passes.count) }
    control.update(isMilestone: true) { $0.total = total }
  }

  private static func unmapped(_ entity: String, step: PlannedStep, count: Int64?) -> Diagnostic {
    let objects = count.map { "\($0) object\($0 == 1 ? "" : "s")" } ?? "objects"
    return Diagnostic(
      "PLN-012", "no entity mapping takes the \(objects) of “\(entity)” over",
      at: step.passes.last?.model.file.map { SourceLocation(file: $0) },
      reason: "the step from “\(step.source.name)” to “\(step.destination.name)” never reads it",
      remedy: "map it, or add a mapping of type \"remove\" to leave its objects behind")
  }

  private func checkDisk() throws {
    let needed = DiskEstimate(steps: steps, source: sourceStore).neededBytes
    let folder = StoreUnit(path: destinationPath).folder
    let free = try files.freeBytes(at: folder)
    guard free >= needed else {
      throw MigrationError(
        .diskTooSmall,
        Diagnostic(
          "RUN-005", "not enough room on the disk", at: SourceLocation(file: folder),
          reason: "about \(needed) bytes are needed, \(free) are free",
          remedy: "free some room, or name a destination on another disk"))
    }
  }

  private func takeLock() throws -> FileLock {
    if let lock = try files.lock(workspace.lockPath) { return lock }
    throw MigrationError(
      .locked,
      Diagnostic(
        "RUN-010", "another runner is migrating to this destination",
        at: SourceLocation(file: workspace.lockPath),
        remedy: "wait until it has ended; the lock ends with it"))
  }

  /// Finds out whether work left here belongs to this migration and can be trusted, and throws it
  /// away otherwise.
  private func prepareWorkspace(_ fingerprint: String) throws -> Workspace.Identity {
    let wanted = Workspace.Identity(
      source: fingerprint, plan: PlanIdentity(steps: steps, options: options).text,
      boot: files.bootIdentity, now: Date.now.timeIntervalSinceReferenceDate)
    if let found = workspace.identity() {
      if options.startsFresh {
        discardedWork = "a fresh start was asked for"
      } else if found.source != wanted.source {
        discardedWork = "the source was changed since"
      } else if found.plan != wanted.plan {
        discardedWork = "it belonged to other models, mapping models or options"
      } else if found.boot == nil || found.boot != wanted.boot {
        // Sealed steps were synced; passes were not.
        for index in steps.indices { try workspace.clearPasses(ofStep: index) }
        var kept = wanted
        kept.now = found.now
        try workspace.write(kept)
        wasContinued = true
        return kept
      } else {
        wasContinued = true
        return found
      }
    }
    try workspace.clear()
    try workspace.write(wanted)
    return wanted
  }

  // MARK: Steps

  private func run(
    _ step: PlannedStep, index: Int, storePath: String, now: Double
  ) throws -> [MappingAccount] {
    let sealed = workspace.sealedPath(step: index)
    // A step's store is taken away once the next step's is sealed.
    let isDone = (index..<steps.count).contains { files.exists(workspace.sealedPath(step: $0)) }
    if isDone, let accounts = workspace.accounts(ofStep: index) {
      control.update(isMilestone: true) { $0.completed += accounts.reduce(0) { $0 + $1.read } }
      return accounts
    }
    try files.makeDirectory(workspace.stepDirectory(index))
    let store = try StoreFile.open(path: storePath)
    let step = try StepRun(
      index: index, passes: step.passes,
      lanes: LaneChoice(
        isForcedToRows: options.isForcedToRows, isUTF16: store.header.textEncoding > 1),
      sourcePath: storePath,
      sourceLayout: store.layout(of: step.source), store: store,
      counts: index == 0 ? sourceCounts : nil,
      externalFolder: ExternalFolder(
        path: source.externalDataPath, dropsMissingFiles: options.missingFiles == .drop),
      policies: policies, now: now,
      quarantine: Quarantine(
        maximum: options.maximumQuarantined, already: quarantinedCount(beforeStep: index)))
    warnings.append(contentsOf: try DanglingLinks(step: step).warnings(store.connection))
    warnings.append(
      contentsOf: Diagnostics(step.destinationLayout.unsupported.warnings))
    let paths = step.passes.indices.map { workspace.passPath(step: index, pass: $0) }
    let (assembled, accounts) = try runPassesAndAssemble(step, paths: paths)
    try Sealer.finish(assembled, layout: step.destinationLayout)
    try files.synchronize(assembled)
    try files.rename(assembled, to: sealed)
    try files.synchronizeDirectory(workspace.stepDirectory(index))
    try workspace.clearPasses(ofStep: index)
    return accounts
  }

  /// - Returns: the path of the store that holds the whole step, without Passage's bookkeeping, and
  ///   the account of every entity mapping.
  private func runPassesAndAssemble(
    _ step: StepRun, paths: [String]
  ) throws -> (path: String, accounts: [MappingAccount]) {
    if let accounts = workspace.accounts(ofStep: step.index),
      let sealed = try paths.first(where: { try isWithoutBookkeeping($0) })
    {
      return (sealed, accounts)
    }
    for pass in step.passes.indices { try runPass(pass, of: step, paths: paths) }
    control.update(isMilestone: true) {
      $0.phase = .assemble
      $0.passName = ""
      $0.mappingName = ""
    }
    let adopted = try Assembler.adoptedPass(of: paths, files: files)
    let store = try Assembler(step: step, passPaths: paths, control: control).assemble(
      into: adopted)
    let sealer = Sealer(
      step: step, store: store, control: control, jobs: options.jobs,
      history: step.index + 1 == steps.count ? try historyCopy() : nil)
    let accounts = try sealer.judge()
    // The accounts come last: where they are, the judgement is over.
    try workspace.write(
      quarantine: QuarantineFile.lines(store.connection, step: step.source.name), step: step.index)
    try workspace.write(accounts, step: step.index)
    try sealer.replaceBookkeeping()
    return (paths[adopted], accounts)
  }

  /// Whether the bookkeeping of an assembled store was replaced by Core Data's own before the run
  /// was interrupted.
  private func isWithoutBookkeeping(_ path: String) throws -> Bool {
    guard files.byteCount(path) > 0 else { return false }
    // For writing: only such a connection can roll back what a killed transaction left.
    let connection = try Connection(path: path, mode: .readWrite)
    return try PassStore.bookkeepingTables(of: connection).isEmpty
      && connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'Z_METADATA'") == 1
      && connection.integer("SELECT count(*) FROM Z_METADATA") == 1
  }

  private func runPass(_ pass: Int, of step: StepRun, paths: [String]) throws {
    try files.makeFile(paths[pass])
    try restartIfNeeded(pass, of: step, path: paths[pass])
    let total = step.jobs(ofPass: pass).reduce(0) { sum, job in
      sum + (job.source.map { step.sourceCounts.byEntity[$0.name, default: 0] } ?? 0)
    }
    control.update(isMilestone: true) {
      $0.phase = .create
      $0.step = step.index + 1
      $0.pass = pass + 1
      $0.passCount = step.passes.count
      $0.passName = step.passes[pass].model.name
      $0.passCompleted = 0
      $0.passTotal = total
    }
    do {
      let runner = try PassRunner(
        step: step, pass: pass, passPaths: paths, limits: options.batch, control: control)
      try runner.run()
    } catch let failure as RowFailure {
      // The pass alone is thrown away: its policy may have done half of something.
      try? workspace.clearPass(step: step.index, pass: pass)
      throw failure
    } catch is SourceChanged {
      try? workspace.clear()
      throw SourceChanged()
    }
  }

  /// Throws an interrupted pass away when one of its policies cannot go on in the middle.
  private func restartIfNeeded(_ pass: Int, of step: StepRun, path: String) throws {
    let restarts = step.jobs(ofPass: pass).contains { job in
      job.bound.mapping.policy.flatMap { policies[$0.name.value]?.restartsWhenInterrupted } == true
    }
    guard restarts, files.byteCount(path) > 0 else { return }
    let store = try PassStore(
      path: path, layout: step.destinationLayout, textEncoding: step.textEncoding)
    if try store.isFinished { return }
    try workspace.clearPass(step: step.index, pass: pass)
    try files.makeFile(path)
  }

  // MARK: Cut over

  private func cutOver(_ finished: String, _ fingerprint: String) throws {
    var cutOver = CutOver(files: files)
    defer { warnings.append(contentsOf: cutOver.warnings) }
    switch destination {
    case .file(let path):
      guard try sourceStore.fingerprint() == fingerprint else { throw SourceChanged() }
      try cutOver.place(finished, at: path, support: source, isReserved: isReserved(path))
    case .inPlace:
      let found = try StoreFingerprint(path: source.path)
      guard "\(found)" == fingerprint else { throw SourceChanged() }
      try files.write(Array((backupPath ?? "").utf8), to: workspace.cutOverMarkPath)
      try cutOver.replace(source, with: finished, backup: backupPath, fingerprint: found)
    }
  }
}
