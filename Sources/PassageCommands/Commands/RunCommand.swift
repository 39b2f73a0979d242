internal import ArgumentParser
internal import Passage
internal import PassagePlatform

/// `migrate run`: migrates a store.
struct RunCommand: PassageCommand, StandardInputCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Migrates a store.",
    discussion: """
      The result is written beside the source, or where --output says, or in the source's place. \
      The source is only read until the finished store takes its place. If a run was stopped, \
      the same command continues it; if it was finished, the command says so.
      """)

  @OptionGroup(title: "What to migrate") var migration: MigrationArguments

  @OptionGroup(title: "Standard input") var input: InputArguments

  @Flag(help: "Replace the source with the migrated store, and keep the old store beside it.")
  var inPlace = false

  @Flag(help: "With --in-place: do not keep the old store.")
  var noBackup = false

  @Option(
    help: ArgumentHelp(
      "With --in-place: the folder in which the old store is kept. (default: the store's own)",
      valueName: "folder"),
    completion: .directory, transform: PathText.file)
  var backupDir: String?

  @Option(
    help: ArgumentHelp(
      "With --in-place: how many old stores remain, those that were written last. (default: all)",
      valueName: "count"))
  var keep: Int?

  @Option(
    help: ArgumentHelp(
      "The type of store to write: tables (ordinary tables without Core Data), delimited, keyed, "
        + "json-lines or xml. (default: what the output's extension says, otherwise Core Data's own)",
      valueName: "type"))
  var outputType: String?

  @Option(
    help: "With --output-type: how dates are written, as text or as seconds since 1970.")
  var dates: DateStyle?

  @OptionGroup(title: "What may be lost") var losses: LossArguments

  @OptionGroup(title: "Execution") var execution: ExecutionArguments

  @Flag(help: "Discard the work of a stopped run instead of continuing it.")
  var fresh = false

  @Flag(
    help: "Have SQLite check the finished store as a whole, with integrity_check, in every lane.")
  var integrityCheck = false

  @Flag(help: "Print the plan and write nothing.")
  var dryRun = false

  @OptionGroup(title: "Report") var report: ReportArguments

  @OptionGroup(title: "Log") var log: LogArguments

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { dryRun }
  var logPath: String? { log.path }

  var inputPaths: [String?] { migration.inputPaths }
  var maximumInputBytes: Int? { execution.maxFileBytes }
  var inputMistakes: Diagnostics { migration.inputMistakes(isInPlace: inPlace) }

  mutating func read(from path: String) { migration.read(from: path) }

  func perform(_ console: Console) async throws -> CommandResult {
    try CommandContext.log?.check(stores: [migration.store, migration.output])
    return try await ReportedCall(path: report.path, command: Self.name, console: console)
      .perform(stores: [migration.store, migration.output]) { try await perform(console, &$0) }
  }

  private func perform(
    _ console: Console, _ notes: inout CallNotes
  ) async throws -> CommandResult {
    var (options, found) = execution.options()
    options.unfinishedWork = fresh ? .discard : .continue
    options.oldStore = noBackup ? .remove : .keep
    options.keptStoresFolder = backupDir.map { URL(filePath: $0) }
    options.keptStoresLimit = keep
    options.checksIntegrity = integrityCheck
    losses.apply(to: &options)
    options.output.type = outputType
    if let dates { options.output.writing.dateStyle = dates.style }
    found.append(contentsOf: flagMistakes)
    var mistakes = CallMistakes()
    mistakes.add(found)
    let request = try MigrationRequest.prepare(
      migration, destination: destination, options: options, mistakes: mistakes,
      rollsBack: inPlace && !dryRun)
    try notes.take(request)
    try CommandContext.log?.take(request)
    if dryRun {
      return try PlanCommand.result(of: request, command: Self.name, isDryRun: true, &notes)
    }
    return try await run(request, console, &notes)
  }

  private func run(
    _ request: MigrationRequest, _ console: Console, _ notes: inout CallNotes
  ) async throws -> CommandResult {
    guard let migration = request.migration(policies: CommandContext.policies) else {
      // The last run may have been interrupted after its cut-over.
      let left = FinishedWork.remove(
        destinationPath: request.workedDestinationPath, storePath: request.storePath)
      notes.warnings = left
      CommandContext.log?.warn(left)
      return RunReport(upToDate: request, warnings: left).result(command: Self.name)
    }
    CommandContext.input?.release()
    let report = try await ForegroundMigration(console: console, style: execution.progress)
      .run(migration)
    notes.report = report
    CommandContext.log?.warn(report.warnings)
    return RunReport(report, of: request).result(command: Self.name)
  }

  private var destination: MigrationDestination? {
    if inPlace { return .inPlace }
    return migration.output.map { .file($0) }
  }

  private var flagMistakes: Diagnostics {
    var mistakes = Diagnostics()
    if inPlace, migration.output != nil {
      mistakes.append(
        Diagnostic(
          "CMD-010", "--in-place and --output are both given", remedy: "give one of the two"))
    }
    let written =
      outputType
      ?? migration.output.flatMap { CommandContext.storeTypes.type(forDestination: $0)?.name }
    if dates != nil, written == nil {
      mistakes.append(
        Diagnostic(
          "CMD-020", "--dates is given for a Core Data store",
          reason: "a Core Data store has its own format for dates", remedy: "leave it out"))
    }
    mistakes.append(
      contentsOf: KeptStoreFlags(
        isInPlace: inPlace, isNotKept: noBackup, folder: backupDir, limit: keep
      ).mistakes)
    return mistakes
  }
}
