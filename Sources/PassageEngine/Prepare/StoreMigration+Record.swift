internal import PassageDiagnostics
internal import PassageFiles
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassagePlatform
internal import PassageStores

/// Decides whether a call has nothing to do, by what stores record about themselves.
extension StoreMigration {
  /// A store that is already what the call would make.
  struct Finished {
    let path: String
    /// The migration that made the store; `nil` when the store does not record it.
    var record: MigrationRecord?
    /// The recorded steps of the call; empty when reaching the version is enough.
    var steps: [MigrationRecord.Step] = []
    var warnings = Diagnostics()
  }

  /// Whether the source, which has the model to reach, is already what the call would make.
  ///
  /// Mapping models that the call names are run if they can be: if they start at the version of the
  /// store. Otherwise either they have already run, or they cannot run on this store.
  ///
  /// - Returns: `nil` when there is something to do.
  /// - Throws: `RUN-070` when other mapping models made the store.
  func finishedSource(_ call: RecordedCall, _ metadata: StoreMetadata) throws -> Finished? {
    if options.isAnsweredByVersion { return Finished(path: storePath) }
    let canRun = call.steps.first?.source.versionHashes == metadata.versionHashes
    switch call.answer(of: metadata) {
    case .made(let ledger):
      if canRun, case .file = destination { return nil }
      return Finished(
        path: storePath, record: ledger.migrations.last, steps: call.steps(in: ledger))
    case _ where canRun: return nil
    case .other(let ledger):
      throw MigrationError(.wrongCall, try otherSource(call, ledger, metadata))
    case .unknown:
      let names = call.steps.flatMap { $0.passes.map { "“\($0.model.name)”" } }
      return Finished(
        path: storePath,
        warnings: Diagnostics([
          Diagnostic(
            "RUN-071",
            "the store has no record that it was migrated by \(names.joined(separator: ", "))",
            severity: .warning, at: SourceLocation(file: storePath),
            reason:
              "it is at “\(call.steps.last?.destination.name ?? "")” already, but Passage did not "
              + "migrate it there",
            remedy: "no action is needed, unless a store of another version was meant")
        ]))
    }
  }

  /// Whether the file at the destination is already what the call would make.
  ///
  /// - Parameters:
  ///   - target: the model to reach.
  ///   - storeUUID: the UUID of the finished store.
  ///   - source: the migrations that the source records.
  /// - Returns: `nil` when there is no store at the path, or none with this UUID and version.
  /// - Throws: `RUN-070` when something else made it, `RUN-072` when it does not record what made
  ///   it.
  func finishedFile(
    _ call: RecordedCall, _ path: String, _ target: Model, storeUUID: String,
    madeFrom source: MigrationLedger
  ) throws -> Finished? {
    // For a destination of another type, the run itself decides this.
    guard options.output.type == nil, try files.exists(path),
      try files.identity(path) != files.identity(storePath),
      let found = try metadata(ofFinished: path), found.storeUUID == storeUUID,
      Compatibility(recordedHashes: found.versionHashes, model: target).isCompatible
    else { return nil }
    let other = try freeName(beside: path)
    let remedy =
      "write to another file, for instance --output \(ShellText.word(other)), or move the existing "
      + "store away and run the same command again"
    switch call.answer(of: found, madeFrom: source) {
    case .made(let ledger):
      return Finished(path: path, record: ledger.migrations.last, steps: call.steps(in: ledger))
    case .other(let ledger):
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-070", "the store at the destination was not made by this call",
          at: SourceLocation(file: path), reason: Self.comparison(call, ledger), remedy: remedy))
    case .unknown:
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-072", "the store at the destination does not record how it was made",
          at: SourceLocation(file: path),
          reason: "it records no migration that led to its version; this call would run "
            + "\(call.text)", remedy: remedy))
    }
  }

  /// The metadata of a file at the destination; `nil` for anything but a store, which the run then
  /// reports as being in the way. A file that cannot be read at the moment is an error, because it
  /// may be the migrated store.
  private func metadata(ofFinished path: String) throws -> StoreMetadata? {
    do {
      return try StoreMetadata.read(path: path)
    } catch {
      guard [.locked, .inputOutput, .diskFull, .tooManyOpenFiles].contains(error.kind) else {
        return nil
      }
      throw error
    }
  }

  private static func comparison(_ call: RecordedCall, _ ledger: MigrationLedger) -> String {
    "it was made by \(RecordedCall.text(ledger)); this call would run \(call.text)"
  }

  /// Why mapping models cannot run on a store that others have brought to their destination
  /// version.
  private func otherSource(
    _ call: RecordedCall, _ ledger: MigrationLedger, _ metadata: StoreMetadata
  ) throws -> Diagnostic {
    let start = call.steps.first?.source.name ?? ""
    let stores = KeptStores(of: StoreUnit(path: storePath))
    let kept = stores.path(stores.name(.before, version: start))
    let remedy: String
    if let rest = call.rest(after: ledger),
      rest.first?.source.versionHashes == metadata.versionHashes
    {
      let names = rest.flatMap { $0.passes.map(\.model.name) }.joined(separator: ",")
      remedy =
        "the mapping models before these have run already; run the remaining ones: --mappings "
        + ShellText.word(names)
    } else if try files.exists(kept) {
      remedy =
        "migrate the kept store: --store \(ShellText.word(kept)) --output "
        + ShellText.word(try freeName(beside: storePath))
    } else {
      remedy = "name a store that is still at “\(start)” with --store FILE"
    }
    return Diagnostic(
      "RUN-070", "the store was migrated by other mapping models than those named",
      at: SourceLocation(file: storePath), reason: Self.comparison(call, ledger), remedy: remedy)
  }

  /// A free name beside a file: `Events-2.sqlite` beside `Events.sqlite`.
  private func freeName(beside path: String) throws -> String {
    let unit = StoreUnit(path: path)
    let name = unit.name
    let folder = unit.pathBeforeName
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    for number in 2...1_000 {
      let other = "\(folder)\(name[..<dot])-\(number)\(name[dot...])"
      if try !files.exists(other) { return other }
    }
    return path + ".other"
  }
}
