internal import PassageDiagnostics
package import PassageEngine
package import PassageFiles
package import PassageMappings
package import PassageModels
internal import PassagePlanning
package import PassageStores

/// Installs a bundled, pre-filled store if the destination has none. The library and the command
/// line both use it.
///
/// The store is copied as a unit, with the transactions in its log and its files of external data;
/// migrated if its model is not the requested one; and then put in place atomically. If the call is
/// interrupted, either nothing or the whole store is at the destination, and repeating the call
/// completes it. If several processes start it, one installs the store, and the others wait and
/// then find it. The pre-filled store and its folder are not changed.
package struct StoreInstallation: Sendable {
  /// Finds the mapping models from a store's model to the requested one. It receives the path of a
  /// store with the contents of the pre-filled store. If it returns none, a store of another model
  /// is refused.
  package typealias Route = @Sendable (_ storePath: String) throws -> [MappingModel]

  package let source: StoreUnit
  let destination: StoreUnit
  private let target: Model?
  private let models: [String: Model]
  private let policies: PolicyRegistry
  package let options: InstallationOptions
  private let route: Route
  private let files: FileSystem

  /// Describes an installation; nothing is read until it runs.
  ///
  /// - Parameters:
  ///   - sourcePath: the pre-filled store.
  ///   - destinationPath: where the store goes; the folder must exist.
  ///   - target: the model the installed store must have; `nil` for any.
  ///   - models: all known models by name, for mapping models and for the names of versions.
  ///   - policies: the policies that mapping models may name.
  ///   - options: how the installation is carried out.
  ///   - route: finds the mapping models if the pre-filled store has another model.
  package init(
    sourcePath: String, destinationPath: String, target: Model? = nil,
    models: [String: Model] = [:], policies: PolicyRegistry = PolicyRegistry(),
    options: InstallationOptions, route: @escaping Route = { _ in [] }
  ) {
    self.init(
      sourcePath: sourcePath, destinationPath: destinationPath, target: target, models: models,
      policies: policies, options: options, files: FileSystem(), route: route)
  }

  package init(
    sourcePath: String, destinationPath: String, target: Model? = nil,
    models: [String: Model] = [:], policies: PolicyRegistry = PolicyRegistry(),
    options: InstallationOptions, files: FileSystem,
    route: @escaping Route = { _ in [] }
  ) {
    // SQLite places a store's log beside the file itself, not beside a link to it.
    source = StoreUnit(path: files.resolved(sourcePath))
    destination = StoreUnit(path: destinationPath)
    self.target = target
    var models = models
    if let target { models[target.name] = models[target.name] ?? target }
    self.models = models
    self.policies = policies
    self.options = options
    self.route = route
    self.files = files
  }

  /// Runs the installation on the calling thread.
  ///
  /// - Throws: ``MigrationError``: of kind `migrationNeeded`, `sourceModelUnknown` or `noMapping`
  ///   when the pre-filled store does not have the requested model and may not be migrated, of kind
  ///   `wrongCall` when something other than a store is at the destination (`INS-001` to
  ///   `INS-003`), and the errors of a migration.
  package func run(control: RunControl) throws -> InstallationReport {
    let started = ContinuousClock.now
    do {
      var report = try perform(control)
      report.seconds = started.duration(to: .now) / .seconds(1)
      return report
    } catch {
      throw translated(error)
    }
  }

  private func perform(_ control: RunControl) throws -> InstallationReport {
    let work = PlacementWork(destination: destination, files: files, control: control)
    try work.checkIdentity(source)
    control.enter(.prepare)
    if var report = try standing() {
      report.warnings.append(contentsOf: work.removeLeftovers())
      control.enter(.finished)
      return report
    }
    _ = try StoreFile.readHeader(path: source.path)
    try work.check(source: source, neededBytes: neededBytes)
    var (report, left) = try work.run(
      patience: options.patience, isDone: { try standing() },
      body: { try install(in: work, $0, control) })
    report.warnings.append(contentsOf: left)
    control.enter(.finished)
    return report
  }

  /// Space for the copy and some small files; a migration checks its own.
  private var neededBytes: Int64 {
    let (bytes, overflow) = source.totalBytes.addingReportingOverflow(1 << 20)
    return overflow ? .max : bytes
  }

  // MARK: The destination

  /// The report about a store that already exists at the destination; `nil` when there is none.
  private func standing() throws -> InstallationReport? {
    guard let metadata = try PlacedStore(path: destination.path, files: files).metadata() else {
      return nil
    }
    return report(.alreadyThere, metadata)
  }

  private func report(
    _ outcome: InstallationReport.Outcome, _ metadata: StoreMetadata
  ) -> InstallationReport {
    InstallationReport(
      outcome: outcome, sourcePath: source.path, destinationPath: destination.path,
      storeUUID: metadata.storeUUID, versionName: versionName(metadata.versionHashes),
      targetName: target?.name, needsMigration: target.map { !isCompatible(metadata, $0) })
  }

  private func versionName(_ hashes: [String: [UInt8]]) -> String? {
    if let target, target.versionHashes == hashes { return target.name }
    return models.keys.sorted().first { models[$0]?.versionHashes == hashes }
  }

  private func isCompatible(_ metadata: StoreMetadata, _ model: Model) -> Bool {
    Compatibility(recordedHashes: metadata.versionHashes, model: model).isCompatible
  }

  // MARK: Install

  /// - Parameter files: relative to the work folder.
  private func install(
    in work: PlacementWork, _ files: FileSystem, _ control: RunControl
  ) throws -> InstallationReport {
    var placement = try UnitPlacement(files: files, destination: destination)
    let image = StoreUnit(path: work.path("bundle.sqlite"))
    control.enter(.copy)
    try StoreImage(files: files, control: control).make(of: source, at: image.path)
    let metadata = try checkedMetadata(of: image)
    var warnings = Diagnostics()
    let mappings = try mappings(from: metadata, image)
    var transfer = ExternalTransfer(
      files: files, temporary: work.path("copy"), isLinking: false
    ) { _ in
      try control.checkCancellation()
      return true
    }
    try transfer.transfer(from: source, to: image)
    warnings.append(contentsOf: transfer.warnings)
    var finished = image
    var migration: MigrationReport?
    if let mappings {
      finished = StoreUnit(path: work.path("migrated.sqlite"))
      let made = try migrate(image, to: finished, by: mappings, files, control)
      warnings.append(contentsOf: located(made.warnings))
      migration = made
    } else {
      warnings.append(contentsOf: try missingFiles(of: image, metadata))
    }
    if options.identity == .fresh { try FreshIdentity.give(to: finished.path) }
    let placed = try StoreFile.open(path: finished.path).metadata
    for path in finished.sidecarPaths { try files.remove(path) }
    let externalFiles = Int64(try files.names(in: finished.externalDataPath).count)
    try control.checkCancellation()
    control.enter(.cutOver)
    guard
      try placement.place(finished, template: source.path, temporary: work.path("copy"))
    else {
      if let report = try standing() { return report }
      throw SourceChanged()
    }
    var report = report(migration == nil ? .installed : .migrated, placed)
    report.migration = migration
    report.externalFiles = externalFiles
    report.warnings = Diagnostics(warnings.all + placement.warnings.all)
    return report
  }

  /// Reads the copy once, so that a damaged store is refused before it is put in place.
  private func checkedMetadata(of image: StoreUnit) throws -> StoreMetadata {
    let store = try StoreFile.open(path: image.path)
    let damage = try store.boundedCheck(limit: 3)
    guard damage.isEmpty else {
      throw StoreError(.damaged, path: source.path, detail: damage.joined(separator: "\n"))
    }
    return store.metadata
  }

  /// The mapping models to the requested model; `nil` when the store already has it.
  private func mappings(
    from metadata: StoreMetadata, _ image: StoreUnit
  ) throws -> [MappingModel]? {
    guard let target, !isCompatible(metadata, target) else { return nil }
    let mismatch = ModelMismatch(
      metadata: metadata, storePath: image.path, sourcePath: source.path, target: target,
      models: models)
    do {
      let mappings = try route(image.path)
      guard mappings.isEmpty, !options.migration.allowed.inference else { return mappings }
    } catch var error as MigrationError
      where error.kind == .noMapping || error.kind == .sourceModelUnknown
    {
      error.diagnostics.append(mismatch.note)
      throw error
    }
    throw mismatch.refusal
  }

  private func migrate(
    _ image: StoreUnit, to finished: StoreUnit, by mappings: [MappingModel], _ files: FileSystem,
    _ control: RunControl
  ) throws -> MigrationReport {
    var options = options.migration
    options.unfinishedWork = .discard
    return try StoreMigration(
      storePath: image.path, destination: .file(finished.path), source: nil,
      destinationModel: target, models: models, mappings: mappings, policies: policies,
      options: options, files: files
    ).run(control: control.partial())
  }

  /// Reports missing files of external data of a store that is installed without a migration.
  private func missingFiles(of image: StoreUnit, _ metadata: StoreMetadata) throws -> Diagnostics {
    guard let name = versionName(metadata.versionHashes), let model = models[name],
      let report = try StoreFile.open(path: image.path).externalData(of: model),
      !report.isComplete
    else { return Diagnostics() }
    let isRefused = options.migration.companions.missingFiles == .refuse
    let findings = Diagnostics(
      report.missingFiles(
        isRefused: isRefused, at: source.path,
        remedy: "bundle the store together with its folder \(source.supportPath)"))
    guard !isRefused else { throw MigrationError(.sourceDamaged, findings) }
    return findings
  }

  // MARK: Errors

  private func translated(_ error: any Error) -> MigrationError {
    var result = Failure(sourcePath: source.path, workspace: "", keepsWork: false)
      .migrationError(error)
    result.diagnostics = located(result.diagnostics)
    result.diskState =
      (try? files.exists(destination.path)) != false
      ? "the pre-filled store and the file at \(destination.path) are unchanged"
      : "the pre-filled store is unchanged, and nothing is at \(destination.path)"
    return result
  }

  /// Changes the place of diagnostics about the copies in the work folder, which is gone when they are
  /// read, to the stores that they are copies of.
  private func located(_ diagnostics: Diagnostics) -> Diagnostics {
    let work = Workspace(destination: destination.path, files: files).directory
    let copies = [
      (StoreUnit(path: "\(work)/bundle.sqlite"), source),
      (StoreUnit(path: "\(work)/migrated.sqlite"), destination),
    ]
    return Diagnostics(
      diagnostics.all.map { diagnostic in
        var diagnostic = diagnostic
        guard let file = diagnostic.location?.file else { return diagnostic }
        for (copy, unit) in copies {
          if file.hasPrefix(copy.path) {
            diagnostic.location = SourceLocation(file: unit.path)
          } else if file.hasPrefix(copy.supportPath) {
            diagnostic.location = SourceLocation(
              file: unit.supportPath + file.dropFirst(copy.supportPath.count))
          }
        }
        return diagnostic
      })
  }
}
