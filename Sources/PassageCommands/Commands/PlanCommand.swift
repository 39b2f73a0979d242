internal import ArgumentParser
internal import Passage

/// `migrate plan`: prints what a run would do.
struct PlanCommand: PassageCommand, StandardInputCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Prints what a run would do; nothing is written.")

  @OptionGroup(title: "What to migrate") var migration: MigrationArguments

  @OptionGroup(title: "Standard input") var input: InputArguments

  @Flag(help: "Plan to replace the source with the migrated store.")
  var inPlace = false

  @OptionGroup(title: "What may be lost") var losses: LossArguments

  @OptionGroup(title: "Report") var report: ReportArguments

  @OptionGroup var format: FormatArguments

  var inputPaths: [String?] { migration.inputPaths }
  var inputMistakes: Diagnostics { migration.inputMistakes(isInPlace: inPlace) }

  mutating func read(from path: String) { migration.read(from: path) }

  func perform(_ console: Console) async throws -> CommandResult {
    try await ReportedCall(path: report.path, command: Self.name, console: console)
      .perform(stores: [migration.store, migration.output]) { try perform(&$0) }
  }

  private func perform(_ notes: inout CallNotes) throws -> CommandResult {
    var mistakes = CallMistakes()
    if inPlace, migration.output != nil {
      mistakes.add(
        Diagnostic(
          "CMD-010", "--in-place and --output are both given", remedy: "give one of the two"))
    }
    let destination = inPlace ? .inPlace : migration.output.map(MigrationDestination.file)
    var options = MigrationOptions()
    options.storeTypes = CommandContext.storeTypes
    losses.apply(to: &options)
    let request = try MigrationRequest.prepare(
      migration, destination: destination, options: options, mistakes: mistakes)
    try notes.take(request)
    return try Self.result(of: request, command: Self.name, isDryRun: false, &notes)
  }

  /// The printable plan of a request.
  ///
  /// - Parameter notes: gets the plan.
  static func result(
    of request: MigrationRequest, command: String, isDryRun: Bool, _ notes: inout CallNotes
  ) throws -> CommandResult {
    guard let migration = request.migration(policies: CommandContext.policies) else {
      let plan = try MigrationPlan(upToDateStoreAt: request.storePath)
      return RunReport(upToDate: plan, of: request, isDryRun: isDryRun).result(command: command)
    }
    var plan = try migration.plan()
    notes.plan = plan
    if plan.isUpToDate {
      return RunReport(upToDate: plan, of: request, isDryRun: isDryRun).result(command: command)
    }
    plan.storePath = request.storePath
    plan.destinationPath = request.destinationPath
    let report = PlanReport(plan, command: command, isDryRun: isDryRun)
    return CommandResult(text: report.text, json: report.json)
  }
}
