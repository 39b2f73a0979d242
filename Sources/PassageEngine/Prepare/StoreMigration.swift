internal import PassageDiagnostics
internal import PassageExpressions
package import PassageFiles
package import PassageMappings
package import PassageModels
internal import PassagePlanning
internal import PassageSQLite
package import PassageStores

/// Decides whether a store needs migrating, checks everything, and runs the migration. The library
/// and the command line both use it.
package struct StoreMigration: Sendable {
  package let storePath: String
  let destination: MigrationDestination
  private let source: Model?
  let destinationModel: Model?
  private let models: [String: Model]
  private let mappings: [MappingModel]
  private let policies: PolicyRegistry
  let prepared: PreparedCall?
  package let options: MigrationOptions
  let files: FileSystem

  /// Describes a migration; nothing is read until it is planned or run.
  ///
  /// - Parameters:
  ///   - storePath: the source store.
  ///   - destination: where the migrated store goes.
  ///   - source: the model the store must have; `nil` to find it among `models` by its hashes.
  ///   - destinationModel: the model that the last step must reach; `nil` for any.
  ///   - models: every model that mapping models may name, by name.
  ///   - mappings: the mapping models in the order in which they run. If there are none, they are
  ///     inferred from the store's model to `destinationModel`, if the options allow it.
  ///   - policies: the policies that mapping models may name.
  ///   - options: how the migration is carried out.
  ///   - prepared: what was prepared of the same models, mapping models, policies and options.
  package init(
    storePath: String, destination: MigrationDestination, source: Model?, destinationModel: Model?,
    models: [String: Model], mappings: [MappingModel], policies: PolicyRegistry,
    options: MigrationOptions, prepared: PreparedCall? = nil
  ) {
    self.init(
      storePath: storePath, destination: destination, source: source,
      destinationModel: destinationModel, models: models, mappings: mappings, policies: policies,
      options: options, files: FileSystem(), prepared: prepared)
  }

  package init(
    storePath: String, destination: MigrationDestination, source: Model?, destinationModel: Model?,
    models: [String: Model], mappings: [MappingModel], policies: PolicyRegistry,
    options: MigrationOptions, files: FileSystem, prepared: PreparedCall? = nil
  ) {
    self.prepared = prepared
    // SQLite places a store's log beside the file itself, not beside a link to it.
    self.storePath = files.resolved(storePath)
    self.destination = destination
    self.source = source
    self.destinationModel = destinationModel
    self.models = models
    self.mappings = mappings
    self.policies = policies
    var options = options
    // A call without mapping models only asks for the version.
    if mappings.isEmpty { options.isAnsweredByVersion = true }
    self.options = options
    self.files = files
  }

  /// Runs the migration on the calling thread.
  ///
  /// - Parameters:
  ///   - isRolledBack: whether the caller has just rolled back what an interrupted cut-over left.
  ///   - sight: what the caller has just seen of the store.
  /// - Throws: ``MigrationError``.
  package func run(
    control: RunControl, isRolledBack: Bool = false, sight: StoreSight? = nil
  ) throws -> MigrationReport {
    // SQLite syncs the source when its log is folded in.
    try SharedSyncs.$current.withValue(files.syncs.map { SharedSyncs($0) }) {
      if case .inPlace = destination, !isRolledBack {
        try InterruptedCutOver.rollBack(storePath: storePath, files: files)
      }
      return try runSharing(control, sight)
    }
  }

  private func runSharing(
    _ control: RunControl, _ sight: StoreSight?
  ) throws -> MigrationReport {
    let contention = Contention(
      storePath: storePath,
      destinationPath: MigrationRun.destinationPath(storePath, destination), files: files)
    // A second attempt finds nothing in the sight.
    return try contention.settle(sight: sight) { try run(control, $0, sight) }
  }

  private func run(
    _ control: RunControl, _ attempt: Contention.Attempt, _ sight: StoreSight?
  ) throws -> MigrationReport {
    let visit = StoreVisit(path: storePath, takesLeftovers: true, sight: sight)
    defer { visit.end() }
    let checked = try attempt.look {
      // What was seen may have changed since: only what is there now is refused.
      if let sight, let seen = try? check(sight) { return seen }
      return try check()
    }
    defer { checked.source.close() }
    if let finished = checked.finished {
      checked.source.close()
      return try report(of: finished, warnings: checked.warnings)
    }
    guard let prepared = checked.prepared else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a plan without steps"))
    }
    var report = try MigrationRun(
      prepared, source: checked.source, destination: destination, options: options,
      policies: policies, files: files, control: control
    ).run(attempt)
    report.warnings = Diagnostics(checked.warnings.all + report.warnings.all)
    return report
  }

  /// The report of a call that has nothing to do.
  func report(of finished: Finished, warnings: Diagnostics) throws -> MigrationReport {
    try RecordedLosses(finished: finished, allowed: options.allowed.losses).judge()
    // A run may have been interrupted between the cut-over and the clean-up.
    let left = FinishedWork.remove(
      destinationPath: MigrationRun.destinationPath(storePath, destination), storePath: storePath,
      files: files)
    return MigrationReport(
      outcome: .upToDate, sourcePath: storePath, destinationPath: finished.path,
      warnings: Diagnostics(warnings.all + left.all), record: finished.record)
  }

  /// What a run would do. Nothing is written.
  ///
  /// - Throws: ``MigrationError`` with everything for which a run would refuse before its first
  ///   file.
  package func plan() throws -> MigrationPlan {
    let visit = StoreVisit(path: storePath)
    defer { visit.end() }
    let checked = try check()
    defer { checked.source.close() }
    do {
      var companions = StoreCompanions()
      var warnings = checked.warnings
      var losses: [ValueLoss] = []
      var usesPages = checked.steps.map { _ in options.usesPages }
      if let finished = checked.finished {
        try RecordedLosses(finished: finished, allowed: options.allowed.losses).judge()
      } else if let prepared = checked.prepared {
        let run = MigrationRun(
          prepared, source: checked.source, destination: destination, options: options,
          policies: policies, files: files, control: RunControl())
        let found = try run.prepare()
        companions = found.companions
        warnings.append(contentsOf: found.warnings)
        losses = run.plannedLosses(found)
        warnings.append(contentsOf: LossFindings(losses: losses).warnings)
        if found.isRepeating { warnings.append(run.repetitionNote) }
        usesPages = try run.mayUsePages(found)
      }
      var plan = try MigrationPlanner(
        steps: checked.steps, source: checked.source,
        destinationPath: checked.finished?.path
          ?? MigrationRun.destinationPath(storePath, destination),
        isUpToDate: checked.finished != nil, companions: companions, warnings: warnings,
        options: options, usesPages: usesPages, policies: policies, files: files
      ).plan()
      plan.losses = losses
      plan.noteUnknownLosses(checked.steps, policies)
      return plan
    } catch {
      throw Failure(sourcePath: storePath, workspace: "", keepsWork: false).migrationError(error)
    }
  }

  // MARK: Checks

  private struct Checked {
    /// The source; open if it could be opened.
    var source: SourceStore
    /// `nil` when there is nothing to do.
    var prepared: PreparedCall?
    var warnings = Diagnostics()
    /// The store that is already what the call asks for; `nil` when there is something to do.
    var finished: Finished?

    var steps: [PlannedStep] { prepared?.steps ?? [] }

    init(
      _ source: SourceStore, _ prepared: PreparedCall, warnings: Diagnostics = Diagnostics()
    ) {
      self.source = source
      self.prepared = prepared
      self.warnings = warnings
    }

    init(
      _ source: SourceStore, _ finished: Finished, warnings: Diagnostics = Diagnostics()
    ) {
      self.source = source
      self.finished = finished
      self.warnings = Diagnostics(warnings.all + finished.warnings.all)
    }
  }

  private func check(_ sight: StoreSight? = nil) throws -> Checked {
    do {
      return try checkOrThrow(sight)
    } catch {
      throw Failure(sourcePath: storePath, workspace: "", keepsWork: false).migrationError(error)
    }
  }

  /// The size of the largest source that is opened at rest: work in memory is done in a moment. In WAL
  /// mode a reader's locks keep no writer out, so a migration in place loses nothing by it: the
  /// cut-over takes the lock that does, and compares the files under it.
  private var restingBytes: Int {
    options.limits.timeBudget == nil ? options.limits.workMemoryBytes : 0
  }

  private func checkOrThrow(_ sight: StoreSight?) throws -> Checked {
    let source = SourceStore(
      path: storePath, types: options.boundedStoreTypes,
      restingBytes: restingBytes, sight: sight)
    // Converting to another type must be done even if the store has the requested version.
    let isConverting = options.isWritingAnyway
    if source.type == nil, mappings.isEmpty, options.allowed.inference, !isConverting,
      try isAtDestination(source)
    {
      return Checked(source, Finished(path: storePath))
    }
    let mappings = try namedOrInferredMappings(source)
    // Mistakes in mapping models are reported first, because they can be found without the store.
    let prepared =
      try self.prepared
      ?? PreparedCall(mappings, models: models, policies: policies, options: options)
    let steps = prepared.steps
    var findings = prepared.findings
    guard let first = steps.first, let last = steps.last else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a plan without steps"))
    }
    if source.type != nil { return try checkForeign(source, prepared, first, last, findings) }
    let metadata = try source.open().metadata
    if let finished = try finished(prepared.call, metadata) {
      return Checked(source, finished, warnings: findings)
    }
    let target = destinationModel ?? last.destination
    try checkEnd(target, last)
    try checkSource(metadata.versionHashes, first)
    findings.append(contentsOf: Self.unprovedHashes(of: target))
    return Checked(source, prepared, warnings: findings)
  }

  /// Checks a store of another type. It has no version hashes; it either fits a model or does not.
  private func checkForeign(
    _ source: SourceStore, _ prepared: PreparedCall, _ first: PlannedStep, _ last: PlannedStep,
    _ findings: Diagnostics
  ) throws -> Checked {
    let target = destinationModel ?? last.destination
    if case .file(let path) = destination, try files.exists(path),
      let finished = try finishedFile(
        prepared.call, path, target, storeUUID: source.stagedUUID(), madeFrom: MigrationLedger())
    {
      return Checked(source, finished, warnings: findings)
    }
    try checkEnd(target, last)
    _ = try source.type?.open(path: storePath, as: first.source)
    return Checked(source, prepared, warnings: findings)
  }

  private func checkEnd(_ target: Model, _ last: PlannedStep) throws {
    if target.versionHashes != last.destination.versionHashes {
      throw MigrationError(
        .noMapping,
        Diagnostic(
          "PLN-014",
          "the mapping models end at “\(last.destination.name)”, not at “\(target.name)”",
          remedy: "name the mapping models that lead to “\(target.name)”"))
    }
  }

  private func isAtDestination(_ source: SourceStore) throws -> Bool {
    guard let destinationModel else { return false }
    let hashes = try source.open().metadata.versionHashes
    return Compatibility(recordedHashes: hashes, model: destinationModel).isCompatible
  }

  /// The mapping models that the call names, or those inferred from the store's model to the
  /// destination's.
  private func namedOrInferredMappings(_ store: SourceStore) throws -> [MappingModel] {
    guard mappings.isEmpty, options.allowed.inference, let destinationModel else { return mappings }
    if let type = store.type {
      return try infer(from: source ?? type.model(path: storePath), to: destinationModel)
    }
    let hashes = try store.open().metadata.versionHashes
    let known = models.keys.sorted().compactMap { models[$0] }.first { $0.versionHashes == hashes }
    guard let start = source ?? known else {
      throw unknownModel("the store's model is not known", hashes, preferred: destinationModel)
    }
    return try infer(from: start, to: destinationModel)
  }

  private func infer(from start: Model, to destination: Model) throws -> [MappingModel] {
    try models.values.refuseMistakes()
    do {
      return try InferredWay.mappings(from: start, to: destination, among: models.values)
    } catch {
      throw MigrationError(.noMapping, error)
    }
  }

  private func checkSource(_ hashes: [String: [UInt8]], _ first: PlannedStep) throws {
    let expected = source ?? first.source
    let compatibility = Compatibility(recordedHashes: hashes, model: expected)
    if compatibility.isCompatible, expected.versionHashes == first.source.versionHashes { return }
    let name: String? =
      compatibility.isCompatible
      ? expected.name
      : models.values.filter { $0.versionHashes == hashes }.map(\.name).min()
        ?? options.nameOfOtherModel(hashes)
    if let name {
      throw MigrationError(
        .noMapping,
        Diagnostic(
          "PLN-015",
          "the mapping models start at “\(first.source.name)”, but the store is at “\(name)”",
          at: SourceLocation(file: storePath),
          remedy: "name the mapping models that start at “\(name)”"))
    }
    throw unknownModel(
      "the store is not compatible with “\(expected.name)”, nor with any other known model", hashes,
      preferred: expected)
  }

  /// Warns of version hashes that no confirmed rule gives: Core Data may refuse the new store
  /// because of them.
  private static func unprovedHashes(of target: Model) -> Diagnostics {
    let names = target.entitiesWithUnprovedHash
    guard !names.isEmpty else { return Diagnostics() }
    let shown = names.prefix(12).joined(separator: ", ")
    let more = names.count > 12 ? " and \(names.count - 12) more" : ""
    let reason = target.unprovedHashes.first { names.contains($0.entityName) }
    return Diagnostics([
      Diagnostic(
        "MOD-130",
        "version hashes of “\(target.name)” may differ from Core Data's: \(shown)\(more)",
        severity: .warning, reason: reason.map { "\($0)" },
        remedy: "record its hashes in the model, or give a store or a .momd of this version, "
          + "where the command takes it, with --models PATH")
    ])
  }

  /// The refusal of a store that no known model has the version hashes of. It tells of the model that is
  /// most similar.
  private func unknownModel(
    _ message: String, _ hashes: [String: [UInt8]], preferred: Model
  ) -> MigrationError {
    let others = models.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .compactMap { models[$0] }.filter { $0.name != preferred.name }
    let known = [preferred] + others
    let configuration = known.lazy.compactMap { MatchedConfiguration(of: $0, hashes: hashes) }.first
    return MigrationError(
      .sourceModelUnknown,
      Diagnostic(
        "PLN-016", message, at: SourceLocation(file: storePath),
        reason: configuration?.sentence ?? options.nearestModelSummary(hashes, storePath, known),
        remedy: configuration?.remedy
          ?? "name the model the store was written with (--models PATH); migrate status lists every "
          + "difference"))
  }
}
