internal import PassageDiagnostics
package import PassageEngine
package import PassageFiles
internal import PassageModels
internal import PassageSQLite
package import PassageStores

/// Makes a pre-filled store from a live one. The result is one file without sidecars, compacted,
/// with the log folded in and its files of external data beside it. Equal contents give equal
/// bytes.
///
/// The live store may be in use, have a log of any size, and be in a read-only folder. What is
/// committed when the call begins is packed, and the live store is not changed. Every row is
/// compared before the packed store is put in place.
package struct StorePacking: Sendable {
  /// Finds the store's model. It receives the path of a store with the same contents.
  package typealias FindModel = @Sendable (_ storePath: String) throws -> PackingModel

  package let source: StoreUnit
  private let destination: StoreUnit
  package let options: PackingOptions
  private let findModel: FindModel
  private let files: FileSystem

  /// Describes a packing; nothing is read until it runs.
  ///
  /// - Parameters:
  ///   - storePath: the live store.
  ///   - outputPath: where the packed store goes; the folder must exist.
  ///   - options: how the store is packed.
  ///   - findModel: finds the store's model.
  package init(
    storePath: String, outputPath: String, options: PackingOptions = PackingOptions(),
    findModel: @escaping FindModel
  ) {
    self.init(
      storePath: storePath, outputPath: outputPath, options: options, files: FileSystem(),
      findModel: findModel)
  }

  package init(
    storePath: String, outputPath: String, options: PackingOptions, files: FileSystem,
    findModel: @escaping FindModel
  ) {
    source = StoreUnit(path: files.resolved(storePath))
    destination = StoreUnit(path: outputPath)
    self.options = options
    self.findModel = findModel
    self.files = files
  }

  /// Runs the packing on the calling thread.
  ///
  /// - Throws: ``MigrationError``: `RUN-002` when something else is at the output path, `STO-311`
  ///   when files of external data are missing, `PAC-001` to `PAC-003`, and the errors of a store
  ///   that cannot be read.
  package func run(control: RunControl) throws -> PackingReport {
    let started = ContinuousClock.now
    do {
      let work = PlacementWork(destination: destination, files: files, control: control)
      control.enter(.prepare)
      _ = try StoreFile.readHeader(path: source.path)
      try work.check(source: source, neededBytes: neededBytes)
      try checkOutput()
      var (report, left) = try work.run(
        patience: options.patience, isDone: { nil }, body: { try pack(in: work, $0, control) })
      report.warnings.append(contentsOf: left)
      control.enter(.finished)
      report.seconds = started.duration(to: .now) / .seconds(1)
      return report
    } catch {
      throw translated(error)
    }
  }

  /// Space for the image, the working copy with its journal, and the packed store; files of
  /// external data are copied once.
  private var neededBytes: Int64 {
    let external = source.externalBytes
    let (bytes, overflow) = (source.totalBytes &- external).multipliedReportingOverflow(by: 4)
    return overflow ? .max : (bytes &+ (1 << 20)).addingReportingOverflow(external).partialValue
  }

  private func checkOutput() throws {
    guard try files.exists(destination.path) else { return }
    guard (try? FileSystem.status(destination.path))?.kind == .file else { throw occupied }
  }

  private var occupied: MigrationError {
    MigrationError(
      .wrongCall,
      OccupiedPlace.refusal(
        destination.path, reason: "it is not this store, packed"))
  }

  /// The error that the packed store would get files that do not belong to it.
  private var foreignFolder: MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "STO-316", "a different folder has the name of the packed store's folder of external data",
        at: SourceLocation(file: destination.supportPath),
        reason: "its contents differ from this store's external data",
        remedy: "name another file, or move the folder away"))
  }

  // MARK: Pack

  /// - Parameter files: relative to the work folder.
  private func pack(
    in work: PlacementWork, _ files: FileSystem, _ control: RunControl
  ) throws -> PackingReport {
    var placement = try UnitPlacement(files: files, destination: destination)
    let image = StoreUnit(path: work.path("source.sqlite"))
    control.enter(.copy)
    try StoreImage(files: files, control: control).make(of: source, at: image.path)
    let found = try findModel(image.path)
    let store = try StoreFile.open(path: image.path)
    let damage = try store.fullCheck(limit: 3)
    guard damage.isEmpty else {
      throw StoreError(.damaged, path: source.path, detail: damage.joined(separator: "\n"))
    }
    let external = try PackedFiles(
      store: store, found: found, folder: source, options: options, control: control)
    let packed = StoreUnit(path: work.path("packed.sqlite"))
    try PackedStore(files: files, control: control).make(
      from: store, at: packed.path, scratch: work.path("work.sqlite"),
      journalMode: options.journalMode.ofTheBuilder)
    let warnings = try external.transfer(
      to: packed, files: files, temporary: work.path("copy"))
    control.enter(.verify)
    let proof = try PackedProof(source: store, packed: packed, found: found, control: control)
    for path in packed.sidecarPaths { try files.remove(path) }
    try control.checkCancellation()
    control.enter(.cutOver)
    var outcome = PackingReport.Outcome.packed
    if try files.exists(destination.path) {
      guard try isSame(packed) else { throw occupied }
      outcome = .unchanged
    } else if try files.exists(destination.supportPath),
      try !haveEqualFolders(packed.supportPath, destination.supportPath, depth: 0)
    {
      throw foreignFolder
    } else if try !placement.place(
      packed, template: source.path, temporary: work.path("copy"))
    {
      throw occupied
    }
    return try PackingReport(
      outcome: outcome, sourcePath: source.path, outputPath: destination.path,
      storeUUID: store.metadata.storeUUID, journalMode: options.journalMode,
      sourceBytes: files.byteCount(source.path), sourceLogBytes: files.byteCount(source.walPath),
      packedBytes: files.byteCount(destination.path), entities: proof.entities, rows: proof.rows,
      externalFiles: external.choice, externalFileCount: external.count,
      externalData: external.report,
      warnings: Diagnostics(warnings.all + placement.warnings.all), seconds: 0)
  }

  /// Whether the identical unit is already at the output path.
  private func isSame(_ packed: StoreUnit) throws -> Bool {
    guard try FileSystem.haveEqualContents(packed.path, destination.path),
      try destination.sidecarPaths.allSatisfy({ try files.byteCount($0) == 0 })
    else { return false }
    return try haveEqualFolders(packed.supportPath, destination.supportPath, depth: 0)
  }

  private func haveEqualFolders(_ folder: String, _ other: String, depth: Int) throws -> Bool {
    let names = try files.names(in: folder)
    guard depth < 16, try names == files.names(in: other) else { return false }
    return try names.allSatisfy { name in
      let paths = ("\(folder)/\(name)", "\(other)/\(name)")
      return files.isDirectory(paths.0)
        ? try haveEqualFolders(paths.0, paths.1, depth: depth + 1)
        : try FileSystem.haveEqualContents(paths.0, paths.1)
    }
  }

  private func translated(_ error: any Error) -> MigrationError {
    let work = Workspace(destination: destination.path, files: files).directory
    var result = Failure(sourcePath: source.path, workspace: "", keepsWork: false)
      .migrationError(error)
    result.diagnostics = Diagnostics(
      result.diagnostics.all.map { diagnostic in
        var diagnostic = diagnostic
        if let file = diagnostic.location?.file, file.hasPrefix("\(work)/") {
          diagnostic.location = SourceLocation(file: source.path)
        }
        return diagnostic
      })
    result.diskState =
      (try? files.exists(destination.path)) != false
      ? "the store and the file at \(destination.path) are unchanged"
      : "the store is unchanged, and nothing is at \(destination.path)"
    return result
  }
}
