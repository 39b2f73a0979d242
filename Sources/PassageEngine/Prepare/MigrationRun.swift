internal import PassageDiagnostics
internal import PassageFiles
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassagePlatform
internal import PassageStores

/// One migration from beginning to end: prepare, passes, assemble, verify, seal, cut over. It runs
/// on the calling thread.
package final class MigrationRun {
  let prepared: PreparedCall
  let source: StoreUnit
  let sourceStore: SourceStore
  let destination: MigrationDestination
  let options: MigrationOptions
  let policies: PolicyRegistry
  /// Relative to the open work folder as soon as the run holds it.
  private(set) var files: FileSystem
  let control: RunControl
  var workspace: Workspace
  private var workFolder: WorkFolder?

  var wasContinued = false
  /// Whether the store of the step before was finished by an earlier process.
  var isSourceTakenOver = false
  /// Whether the destination may be this migration's own result, once the checks are done.
  private(set) var isRepeating = false
  /// The rows of a source of another type that were never staged.
  var quarantinedRows: [QuarantinedRow] = []
  /// The objects of the first step's source; `nil` once that is a staged store.
  private(set) var sourceCounts: ObjectCounts?
  var discardedWork: String?
  /// The identity of work that was asked, all of it, whether it is to be quarantined, while this run may
  /// quarantine nothing; `nil` once that has been noted.
  var askedWork: Workspace.Identity?
  /// Where a migration in place keeps the old store. It is chosen under the lock.
  private(set) var backupPath: String?
  /// What was at the names of the run when it had got the lock.
  private var lockedNames: StandingNames?
  /// Whether the source's log was folded into it by a cut-over that may not have been completed.
  private var hasFoldedSource = false
  /// The unread values by step, once they are counted.
  var unread: [Int: [UnreadValues.Item]] = [:]
  /// The value of `now()` for which those of the first step were counted before the run began.
  var unreadPresent: Double?
  /// Whether SQLite has checked the store of the last step as a whole.
  var isWholeChecked = false
  /// Findings that do not stop the run.
  var warnings = Diagnostics()
  /// What the step under way has found that does not stop it. It is kept with the finished step, so that a run
  /// that continues after it tells it, too.
  var stepWarnings = Diagnostics()
  /// The source's companions.
  var companions = StoreCompanions()
  /// The history to carry over.
  private(set) var history: HistoryTables?
  /// The accounts of the completed steps, in order.
  var accountsOfSteps: [[MappingAccount]] = []

  /// - Parameters:
  ///   - prepared: the checked steps; the first one's source is the store's model.
  ///   - source: the source store.
  init(
    _ prepared: PreparedCall, source: SourceStore, destination: MigrationDestination,
    options: MigrationOptions, policies: PolicyRegistry, files: FileSystem = FileSystem(),
    control: RunControl
  ) {
    self.prepared = prepared
    self.source = source.unit
    sourceStore = source
    self.destination = destination
    self.options = options
    self.policies = policies
    self.files = files
    self.control = control
    workspace = Workspace(
      destination: Self.destinationPath(source.path, destination), files: files)
  }

  var steps: [PlannedStep] { prepared.steps }

  static func destinationPath(_ storePath: String, _ destination: MigrationDestination) -> String {
    switch destination {
    case .file(let path): path
    case .inPlace: storePath
    }
  }

  /// The time of a migration that begins with this run.
  private(set) lazy var present = options.present ?? FrozenPresent()

  var destinationPath: String { Self.destinationPath(source.path, destination) }

  /// The folder of the external data of a source in Core Data's layout: see ``externalDataPath``.
  private(set) lazy var ownExternalDataPath =
    if case .inPlace = destination, sourceStore.hasSupport {
      files.resolved(source.externalDataPath)
    } else {
      source.externalDataPath
    }

  /// The kept stores of a migration in place that keeps the old store.
  var keptStores: KeptStores? {
    guard case .inPlace = destination, options.oldStore == .keep else { return nil }
    return KeptStores(of: source, folder: options.keptStoresFolder?.path, files: files)
  }

  /// Whether the source, or the store that was replaced, remains when the migration is finished.
  var keepsSource: Bool {
    guard case .inPlace = destination else { return true }
    return options.oldStore == .keep && options.keptStoresLimit != 0
  }

  /// Runs the migration, or the remaining part of an interrupted run.
  ///
  /// - Parameter attempt: the one that this run belongs to.
  /// - Throws: ``MigrationError``.
  func run(_ attempt: Contention.Attempt) throws -> MigrationReport {
    let started = ContinuousClock.now
    do {
      var report = try perform(attempt)
      report.seconds = started.duration(to: .now) / .seconds(1)
      report.passSeconds = report.steps.indices.map { control.passSeconds(ofStep: $0 + 1) }
      return report
    } catch let unsettled as Unsettled {
      throw Unsettled(error: migrationError(unsettled.error), isChanged: unsettled.isChanged)
    } catch {
      throw migrationError(error)
    }
  }

  private func migrationError(_ error: any Error) -> MigrationError {
    Failure(
      sourcePath: source.path, workspace: workspace.directory,
      // By its path: the folder may be closed by now.
      keepsWork: (try? FileSystem.linkStatus(workspace.directory + "/run.json")) != nil,
      startsOver: options.unfinishedWork == .discard,
      leavesFolder: (try? FileSystem.linkStatus(workspace.directory))?.kind == .directory,
      hasFoldedSource: hasFoldedSource
    ).migrationError(error)
  }

  /// Checks everything that can refuse the migration before the first file is created: the work
  /// folder, the destination, the source, the disk. Writes nothing.
  func prepare() throws -> Preparation {
    do {
      try lookIntoWorkFolder()
      return try check()
    } catch {
      throw place(ofDamage: error) ?? error
    }
  }

  private func check() throws -> Preparation {
    try checkModels()
    let isRepeating = try checkDestination()
    if !isRepeating { try checkQuarantine() }
    var found = try checkSource()
    found.isRepeating = isRepeating
    try checkTexts()
    // A store of another type contains nothing besides what its model describes, and metadata.
    if sourceStore.type == nil {
      let companions = try checkCompanions(of: sourceStore.open())
      found.companions = companions.companions
      found.history = companions.history
      found.warnings = companions.findings
    }
    // What only a store in Core Data's layout has; the stores of earlier steps are thrown away.
    if !isRepeating, options.output.type == nil, let layout = prepared.destinationLayouts.last {
      found.warnings.append(contentsOf: Diagnostics(layout.unsupported.warnings))
    }
    found.unread = try checkLosses(isRepeating: isRepeating)
    try checkDisk()
    return found
  }

  /// Takes over what the checks found.
  private func take(_ found: Preparation) {
    isRepeating = found.isRepeating
    sourceCounts = found.sourceCounts
    companions = found.companions
    history = found.history
    unread[0] = found.unread
    warnings.append(contentsOf: found.warnings)
    control.correct(completed: 0, total: found.total)
  }

  private func perform(_ attempt: Contention.Attempt) throws -> MigrationReport {
    let witness = try attempt.look { try SourceWitness(sourceStore) }
    let names = standingNames
    do {
      take(try prepare())
    } catch {
      throw Unsettled(error: error, isChanged: witness.hasChanged() || names != standingNames)
    }
    let memory = try fittingMemory()
    let folder = try holdWorkFolder(isMarked: memory == nil)
    // What was checked is valid only if no other runner completed a migration before the lock was
    // taken.
    let found = standingNames
    if witness.hasChanged() || names != found {
      if try !workspace.holdsRun { _ = folder.end() }
      throw Unsettled(error: SourceChanged(), isChanged: true)
    }
    lockedNames = found
    do {
      if let memory { try work(in: memory, folder) }
      return try performInMemoryOrFolder(witness, folder)
    } catch let failure {
      let cause = change(behind: failure, witness) ?? damage(behind: failure)
      let lostWork = cause == nil ? damagedWork(behind: failure) : nil
      let error = cause ?? lostWork ?? failure
      if isInMemory || lostWork != nil || Self.endsWork(error) || hasNothingToContinue {
        try? removeInterruptedQuarantine()
        _ = folder.end()
        if error is Cancellation, control.isOutOfTime { throw Cancellation.beforeAnythingIsKept }
      }
      throw error
    }
  }

  /// Whether the work folder is known to hold neither work nor the mark of a cut-over: the next run has no
  /// use for it.
  private var hasNothingToContinue: Bool {
    do {
      return try workspace.holdsNothing && workspace.cutOverMark() == nil
    } catch {
      return false
    }
  }

  /// What is at each name where the run puts something; of a store that is replaced, the witness tells.
  private struct StandingNames: Equatable {
    var destination: FileSystem.Status?
    var keptPath: String?
    var kept: FileSystem.Status?
    var quarantine: FileSystem.Status?
  }

  private var standingNames: StandingNames {
    var names = StandingNames()
    if case .file(let path) = destination { names.destination = try? FileSystem.status(path) }
    names.keptPath = keptStores.map { $0.path($0.name(.before, version: steps[0].source.name)) }
    names.kept = names.keptPath.flatMap { try? FileSystem.ownStatus($0) }
    if options.allowed.quarantined > 0 {
      names.quarantine = try? FileSystem.ownStatus(
        QuarantineFile.path(destination: destinationPath))
    }
    return names
  }

  /// The part of the run that needs the lock.
  func performLocked(
    _ witness: SourceWitness, _ folder: WorkFolder
  ) throws -> MigrationReport {
    try chooseBackup()
    try removeInterruptedQuarantine()
    let now = try prepareWorkspace(witness.fingerprint)
    checkPresentOfLosses(now)
    let (completed, storePath) = try runSteps(now: now)
    var reports = completed
    try checkResult(storePath)
    try control.checkCancellation()
    control.update(isMilestone: true) { $0.phase = .cutOver }
    let finished = try output(storePath, now: now)
    if isRepeating {
      try judgeRepetition(finished)
      removeWork(folder)
      warnings.append(repeatedNote)
      return MigrationReport(
        outcome: .upToDate, sourcePath: source.path, destinationPath: destinationPath,
        warnings: warnings)
    }
    let quarantined = try placeQuarantine(beside: finished)
    if !reports.isEmpty {
      for index in reports[0].mappings.indices { reports[0].mappings[index].count(quarantinedRows) }
    }
    try folder.checkPlace()
    try files.waitingForDisk {
      try cutOver(finished, witness, now: now)
      // The store is in place: from here on, nothing is reported as a failure.
      removeWork(folder)
    }
    // The values of quarantined objects are in the old store only.
    let removed = pruneKeptStores(sparing: quarantined > 0 ? backupPath : nil)
    // It may be among them: a store that was put back can have been written last before others.
    if removed.contains(where: { $0.path == backupPath }) { backupPath = nil }
    var report = MigrationReport(
      outcome: .migrated, sourcePath: source.path, destinationPath: destinationPath,
      backupPath: backupPath, steps: reports, wasContinued: wasContinued,
      discardedWork: discardedWork, quarantined: quarantined,
      quarantinePath: quarantined > 0 ? QuarantineFile.path(destination: destinationPath) : nil,
      warnings: warnings, companions: companions)
    report.removedStores = removed
    report.recordedSeconds = now
    return report
  }

  /// - Returns: the steps for the report, and the path of the store with which the last one ends.
  private func runSteps(
    now: Double
  ) throws -> (completed: [MigrationReport.Step], storePath: String) {
    var reports: [MigrationReport.Step] = []
    var storePath = source.path
    control.update(isMilestone: true) { [steps = self.steps] in
      $0.stepCount = steps.count
    }
    if let type = sourceStore.type {
      storePath = try stage(type)
      // The staged store does not contain rows that were quarantined.
      sourceCounts = nil
    }
    for (index, step) in steps.enumerated() {
      let accounts = try run(step, index: index, storePath: storePath, now: now)
      accountsOfSteps.append(accounts)
      try tellLosses(accounts, step: index)
      reports.append(
        MigrationReport.Step(
          source: step.source.name, destination: step.destination.name, mappings: accounts,
          inferred: step.passes.map(\.model).filter(\.isInferred).map(\.name)))
      if index > 0, !isInMemory { try files.remove(storePath) }
      storePath = workspace.sealedPath(step: index)
    }
    return (reports, storePath)
  }

  /// Checks the store with which the last step ends.
  private func checkResult(_ path: String) throws {
    try checkIntegrity(of: path)
    let external = try checkExternalData(of: path)
    companions.externalData = external.report
    warnings.append(contentsOf: external.warnings)
    warnings.append(contentsOf: try checkLinks(of: path))
  }

  private func removeWork(_ folder: WorkFolder) {
    warnings.append(contentsOf: folder.end(isLight: isLight))
    control.update(isMilestone: true) { $0.phase = .finished }
  }

  // MARK: Prepare

  /// Chooses a free name for the old store, and removes what an interrupted cut-over of this store has
  /// left. Only the holder of the lock may call this, because another runner may be in its own
  /// cut-over. The folder is listed once, or not at all where the store is known to have had none there.
  private func chooseBackup() throws {
    guard let keptStores else { return }
    // Where no name began like this, none of SQLite's files is beside the first one either.
    if let names = lockedNames, names.kept == nil, try !keptStores.mayHaveHadOldStores {
      backupPath = names.keptPath
      return
    }
    var taken: [KeptName] = []
    for name in try keptStores.names(.before) {
      let path = keptStores.path(name)
      if try workspace.isLeftByCutOver(path, of: source) {
        try files.remove(path)
      } else {
        taken.append(name)
      }
    }
    let path = keptStores.next(.before, version: steps[0].source.name, after: taken)
    try files.remove(path + KeptStores.copyEnd)
    backupPath = path
  }

  /// Removes kept stores above their limit. The new store is in place, so a failure is a warning.
  ///
  /// - Parameter path: a kept store that remains in any case.
  /// - Returns: the removed stores.
  private func pruneKeptStores(sparing path: String?) -> [KeptStore] {
    guard let keptStores, let limit = options.keptStoresLimit else { return [] }
    do {
      let metadata = try StoreMetadata.read(path: source.path)
      return try keptStores.prune(
        keeping: limit, reason: .before, storeUUID: metadata.storeUUID, sparing: path)
    } catch {
      warnings.append(
        Diagnostic(
          "RUN-054", "kept stores could not be removed", severity: .warning,
          at: SourceLocation(file: keptStores.folder),
          reason:
            "\(MigrationError(error, store: source.path).diagnostics.all.first?.message ?? "")",
          remedy: "the new store is in place; remove them: "
            + keptStores.pruneCommand(keeping: limit)))
      return []
    }
  }

  /// Refuses a work folder that is not Passage's. After that, files in the folder can be examined.
  private func lookIntoWorkFolder() throws {
    guard try WorkFolder.check(workspace.directory, files: files) else { return }
    if let inside = WorkFolder.look(workspace.directory, files: files) {
      workspace = Workspace(destination: destinationPath, files: inside)
    }
  }

  private func holdWorkFolder(isMarked: Bool) throws -> WorkFolder {
    guard
      let folder = try WorkFolder.hold(workspace.directory, files: files, isMarked: isMarked)
    else {
      throw Contention.isLocked(workspace.lockPath)
    }
    workFolder = folder
    files = folder.files
    workspace = Workspace(destination: destinationPath, files: files)
    workspace.lock = folder.lock
    return folder
  }

  /// Discards the work and keeps the folder.
  func clearWork() throws { try workFolder?.clear() }

  /// Whether nothing was in the work folder when the run took it.
  var isInBlankFolder: Bool { workFolder?.isBlank == true }

  /// Checks the folder. Called before a database in the folder is opened by its path.
  func checkWorkPlace() throws { try workFolder?.checkPlace() }

  // MARK: Cut over

  /// Whether the work folder has never held more than the lock and what the cut-over needs.
  private var isLight: Bool { isInMemory && workFolder?.isNew == true }

  private func cutOver(_ finished: String, _ witness: SourceWitness, now: Double) throws {
    // Without it, `restore` cannot tell that nobody wrote to the store, and asks.
    if options.output.type == nil {
      try files.setModificationTimeIfPossible(
        finished, nanoseconds: StoreMetadata.modifiedNanoseconds(ofRecord: now))
    }
    var cutOver = CutOver(files: files, keepsWork: !isInMemory)
    defer {
      warnings.append(contentsOf: cutOver.warnings)
      hasFoldedSource = cutOver.hasFolded
    }
    if witness.hasChanged() { throw SourceChanged() }
    witness.dismiss()
    switch destination {
    case .file(let path):
      guard try sourceStore.fingerprint() == witness.fingerprint else { throw SourceChanged() }
      try cutOver.place(
        finished, at: path, template: source.path,
        // Stores of another type contain these values themselves.
        support: options.output.type == nil && sourceStore.type == nil ? source : nil,
        isReserved: try isReserved(path))
    case .inPlace:
      // Of a store opened at rest, the witness has just compared it. The cut-over compares it again.
      let found = try sourceStore.restingFingerprint ?? StoreFingerprint(path: source.path)
      guard "\(found)" == witness.fingerprint else { throw SourceChanged() }
      // The mark of a cut-over is trusted by later runs, so the folder must be known to be Passage's.
      if !isLight { try workFolder?.mark() }
      try cutOver.replace(
        source, with: finished, backup: backupPath, fingerprint: found, workspace: workspace,
        isNewFolder: isLight)
    }
  }
}
