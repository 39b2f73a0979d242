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
  let destination: MigrationDestination
  let options: MigrationOptions
  let policies: PolicyRegistry
  let files: FileSystem
  let control: RunControl
  let workspace: Workspace

  var wasContinued = false
  /// Whether the destination may be this migration's own result, which is to be found out.
  var isRepeating = false
  /// The rows of a source of another type that were never staged.
  var setAside: [SetAsideRow] = []
  /// Counted once: it reads the whole source.
  var sourceCounts: ObjectCounts?
  var discardedWork: String?
  /// By step, the values that nothing reads, once they are counted.
  var unread: [Int: [UnreadValues.Item]] = [:]
  /// What was found that does not stop the run.
  var warnings = Diagnostics()
  /// What belongs to the source beside its objects.
  var companions = StoreCompanions()
  /// The history to carry over.
  var history: HistoryTables?
  /// The accounts of the steps that are done, in their order.
  var accountsOfSteps: [[MappingAccount]] = []

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
  var backupPath: String? {
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
    try checkQuarantine()
    try checkSource()
    // A store of another type has nothing but what its model says.
    if sourceStore.type == nil { try checkCompanions(of: StoreFile.open(path: source.path)) }
    try checkLosses()
    try checkDisk()
  }

  private func perform() throws -> MigrationReport {
    let fingerprint = try sourceStore.fingerprint()
    try check()
    try files.makeDirectory(workspace.directory)
    let lock = try takeLock()
    defer { withExtendedLifetime(lock) {} }
    do {
      return try performLocked(fingerprint)
    } catch let failure {
      let error = damage(behind: failure) ?? failure
      if Self.endsWork(error) {
        try? removeInterruptedQuarantine()
        try? workspace.clear()
        try? files.remove(workspace.lockPath)
        try? files.removeEmptyDirectory(workspace.directory)
      }
      throw error
    }
  }

  /// What is wrong with the source, when a run ended in a way that a sound source never brings about:
  /// then that is what must be said, and not that Passage is wrong.
  ///
  /// - Returns: `nil` when the source is sound, or the failure says enough.
  private func damage(behind failure: any Error) -> (any Error)? {
    let isPuzzling =
      switch failure {
      case let error as MigrationError: [.bug, .verificationFailed].contains(error.kind)
      case let error as SQLiteError: error.isStatementError || error.isConstraint
      default: false
      }
    guard isPuzzling, sourceStore.type == nil, let model = steps.first?.source else { return nil }
    do {
      let layout = try StoreFile.open(path: source.path).layout(of: model)
      return try SourceDamage(path: source.path, layout: layout).diagnostic().map {
        MigrationError(.sourceDamaged, $0)
      }
    } catch let error as StoreError where error.isDamage {
      return error
    } catch let error as SQLiteError where error.isDamage {
      return error
    } catch {
      // The first failure says more than one of this search.
      return nil
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
    case is DestinationDiffers: true
    default: false
    }
  }

  /// What only the holder of the lock may do.
  private func performLocked(_ fingerprint: String) throws -> MigrationReport {
    try removeInterruptedBackup()
    try removeInterruptedQuarantine()
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
      accountsOfSteps.append(accounts)
      try tellLosses(accounts, step: index)
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
    let finished = try output(storePath, now: identity.now)
    if isRepeating {
      try judgeRepetition(finished)
      try removeWork()
      return MigrationReport(
        outcome: .upToDate, sourcePath: source.path, destinationPath: destinationPath,
        warnings: warnings)
    }
    let quarantined = try placeQuarantine(beside: finished)
    if !reports.isEmpty {
      for index in reports[0].mappings.indices { reports[0].mappings[index].count(setAside) }
    }
    try cutOver(finished, fingerprint)
    try removeWork()
    return MigrationReport(
      outcome: .migrated, sourcePath: source.path, destinationPath: destinationPath,
      backupPath: backupPath, steps: reports, wasContinued: wasContinued,
      discardedWork: discardedWork, quarantined: quarantined,
      quarantinePath: quarantined > 0 ? QuarantineFile.path(destination: destinationPath) : nil,
      warnings: warnings, companions: companions)
  }

  private func removeWork() throws {
    try workspace.clear()
    try files.remove(workspace.lockPath)
    // Without the lock, another runner may have begun its own work here.
    try? files.removeEmptyDirectory(workspace.directory)
    control.update(isMilestone: true) { $0.phase = .finished }
  }

  // MARK: Prepare

  /// Whether a kept store is what an interrupted cut-over left: a second name of the source, or a
  /// copy it marked.
  func isLeftByCutOver(_ backup: String) -> Bool {
    files.identity(backup) == files.identity(source.path)
      || files.contents(workspace.cutOverMarkPath) == Array(backup.utf8)
  }

  /// Takes away what an interrupted cut-over left. Only the holder of the lock may: another runner
  /// may be in the middle of its own.
  private func removeInterruptedBackup() throws {
    guard let backup = backupPath, files.exists(backup), isLeftByCutOver(backup) else { return }
    try files.remove(backup)
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

  // MARK: Cut over

  private func cutOver(_ finished: String, _ fingerprint: String) throws {
    var cutOver = CutOver(files: files)
    defer { warnings.append(contentsOf: cutOver.warnings) }
    switch destination {
    case .file(let path):
      guard try sourceStore.fingerprint() == fingerprint else { throw SourceChanged() }
      try cutOver.place(
        finished, at: path, template: source.path,
        // Stores of another type hold such values themselves.
        support: options.outputType == nil && sourceStore.type == nil ? source : nil,
        isReserved: isReserved(path))
    case .inPlace:
      let found = try StoreFingerprint(path: source.path)
      guard "\(found)" == fingerprint else { throw SourceChanged() }
      try files.write(Array((backupPath ?? "").utf8), to: workspace.cutOverMarkPath)
      try cutOver.replace(source, with: finished, backup: backupPath, fingerprint: found)
    }
  }
}
