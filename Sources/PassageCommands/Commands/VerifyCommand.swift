internal import ArgumentParser
internal import Passage

/// `migrate verify`: compares a migrated store with its source.
struct VerifyCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compares a migrated store with its source, object by object.",
    discussion: """
      The source is migrated again into a folder beside the migrated store, every mapping object \
      by object, and the two results are compared: every object, every value, every link. The \
      folder is removed afterwards. --store names the source, --output the migrated store. The \
      time of the migration, as now() gives it, is the one that the migrated store has recorded. \
      Exit status 42: they differ.
      """)

  @OptionGroup(title: "What to migrate") var migration: MigrationArguments

  @OptionGroup(title: "Execution") var execution: ExecutionArguments

  @Option(
    help: ArgumentHelp(
      "How many differences are listed at most; all are counted.", valueName: "count"))
  var limit = 20

  @Flag(help: "Print the values of properties that differ. By default they are not shown.")
  var showValues = false

  @OptionGroup(title: "Report") var report: ReportArguments

  @OptionGroup(title: "Log") var log: LogArguments

  @OptionGroup var format: FormatArguments

  var logPath: String? { log.path }

  /// The largest limit: the report is kept in memory.
  private static let maximumLimit = 100_000

  func perform(_ console: Console) async throws -> CommandResult {
    if migration.inputPaths.contains(StandardInput.name) {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-109", "verify cannot read a store from standard input",
          reason: "the source of a comparison is migrated once more",
          remedy: "name the file from which the store was made"), diskState: "nothing was written")
    }
    try CommandContext.log?.check(stores: [migration.store, migration.output])
    return try await ReportedCall(path: report.path, command: Self.name, console: console)
      .perform(stores: [migration.store, migration.output]) { try await perform(console, &$0) }
  }

  private func perform(
    _ console: Console, _ notes: inout CallNotes
  ) async throws -> CommandResult {
    var (options, found) = execution.options()
    if !(0...Self.maximumLimit).contains(limit) {
      found.append(
        Diagnostic(
          "CMD-002", "--limit cannot be \(limit)",
          remedy: "give a number from 0 to \(Self.maximumLimit)"))
    }
    options.lane = .row
    // If the source is already at the version, the destination may still be a store of another
    // type.
    options.output.type = migration.output.flatMap { options.storeTypes.type(ofFileAt: $0)?.name }
    let storePath = migration.store
    var mistakes = CallMistakes()
    if let storePath, storePath == migration.output {
      found.append(
        Diagnostic(
          "RUN-001", "the source is given as its own destination",
          at: SourceLocation(file: storePath),
          remedy: "name the source with --store and the migrated store with --output"))
    }
    mistakes.add(found)
    let request = try MigrationRequest.prepare(
      migration, destination: migration.output.map { .file($0) }, options: options,
      mistakes: mistakes)
    try notes.take(request)
    try CommandContext.log?.take(request)
    guard !request.mappings.isEmpty else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-012", "the source needs no migration, so there is nothing to compare",
          at: SourceLocation(file: request.storePath),
          remedy:
            "name the store from before the migration with --store FILE, and the migrated one with "
            + "--output FILE"))
    }
    return try await verify(request, console, &notes)
  }

  private func verify(
    _ request: MigrationRequest, _ console: Console, _ notes: inout CallNotes
  ) async throws -> CommandResult {
    let path = request.destinationPath
    guard let target = request.reachedModel else {
      // The planner reports which model is missing.
      _ = try request.migration(policies: CommandContext.policies)?.plan()
      throw MigrationError(.bug, Diagnostic("RUN-099", "a model was neither found nor missed"))
    }
    let type = CommandContext.storeTypes.type(ofFileAt: path)
    if type == nil {
      try check(migratedStore(path), path: path, target: target)
    }
    try GivenStores([request.storePath, path] + migration.project.models)
      .check(emptying: ScratchFolder.path(beside: path))
    let scratch = try ScratchFolder(beside: path)
    do {
      // A store of another type is first read into Core Data's layout.
      let found = type == nil ? path : scratch.foundPath
      if let type { try StagedStore.stage(path, of: type, as: target, to: found) }
      let store = try StoreFile.open(path: found)
      let present =
        type == nil ? FrozenPresent(ofStoreWith: store.metadata) : FrozenPresent(ofFileAt: path)
      let report = try await compare(
        request, store, target, present, scratch, console, &notes)
      let left = scratch.remove()
      notes.comparison = report
      notes.warnings = left
      return VerifyReport(report, warnings: left, source: request.storePath, destination: path)
        .result(command: Self.name)
    } catch {
      throw scratch.ended(by: MigrationError(error, store: path))
    }
  }

  /// - Parameter present: the time of the migration that made the store; `nil` when it is not known.
  private func compare(
    _ request: MigrationRequest, _ store: OpenStore, _ target: Model, _ present: FrozenPresent?,
    _ scratch: ScratchFolder, _ console: Console, _ notes: inout CallNotes
  ) async throws -> ComparisonReport {
    // The migration has already warned of these. They are left out without a warning, since a
    // comparison drops nothing.
    var options = request.options
    options.companions.cloudKit = .leaveOut
    options.companions.otherTables = .leaveOut
    options.output.type = nil
    options.copiesStoresAtDestination = true
    options.provesLinks = true
    options.present = present
    if options.companions.missingFiles == .refuse { options.companions.missingFiles = .keep }
    let again = MigrationRequest(
      project: request.project, storePath: request.storePath,
      destination: .file(scratch.storePath), mappings: request.mappings, target: request.target,
      options: options)
    if let migration = again.migration(policies: CommandContext.policies) {
      notes.report = try await ForegroundMigration(console: console, style: execution.progress)
        .run(migration)
    }
    let expected = try StoreFile.open(path: scratch.storePath)
    return try StoreComparison(
      expected: expected, found: store, model: target, limit: limit, showsValues: showValues,
      readsFiles: request.options.output.type != nil
    ).run()
  }

  /// Opens the migrated store. One that the call does not name, a run may not have made yet.
  private func migratedStore(_ path: String) throws -> OpenStore {
    do throws(StoreError) {
      return try StoreFile.open(path: path)
    } catch {
      guard error.kind == .missing, migration.output == nil else { throw error }
      var diagnostic = error.diagnostic
      diagnostic.remedy =
        "run migrate first, which makes it, or name the migrated store with --output FILE"
      throw MigrationError(diagnostic, diskState: "both stores are unchanged")
    }
  }

  /// Checks the migrated store for mistakes that can be found without migrating again.
  private func check(_ store: OpenStore, path: String, target: Model) throws {
    var findings = Diagnostics()
    let compatibility = Compatibility(
      recordedHashes: store.metadata.versionHashes, model: target)
    if !compatibility.isCompatible {
      findings.append(
        Diagnostic(
          "VAL-040", "the migrated store is not of “\(target.name)”",
          at: SourceLocation(file: path), reason: "\(compatibility)"))
    }
    let damage = try store.fullCheck(limit: 3)
    if !damage.isEmpty {
      findings.append(
        Diagnostic(
          "VAL-041", "the migrated store is damaged", at: SourceLocation(file: path),
          reason: damage.joined(separator: "\n")))
    }
    if findings.hasErrors {
      throw MigrationError(.verificationFailed, findings, diskState: "both stores are unchanged")
    }
  }
}
