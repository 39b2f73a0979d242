internal import ArgumentParser
internal import Passage
internal import PassageFleets

/// `migrate fleet retry`: migrates the stores that failed.
struct FleetRetryCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Migrates the stores whose last line in a ledger is a failure.",
    discussion: """
      The rest of the call is that of fleet run. Without --stores and --stores-from the stores are \
      those of the ledgers; with them, only those of the list. Of several ledgers, the latest line \
      of a store counts, and lines are appended to the first.
      """)

  static let name = "fleet retry"

  @OptionGroup(title: "Which stores") var selection: FleetSelectionArguments

  @Option(
    help: ArgumentHelp(
      "Only failures of these classes: exit statuses of run, as in the ledger.",
      valueName: "A,B"))
  var `class`: NameList?

  @Option(
    help: ArgumentHelp("Only failures with these codes, as in the ledger.", valueName: "A,B"))
  var code: NameList?

  @OptionGroup(title: "What to migrate") var way: FleetWayArguments

  @OptionGroup(title: "Where results go") var place: FleetPlaceArguments

  @OptionGroup(title: "What may be lost") var losses: LossArguments

  @OptionGroup(title: "Execution") var execution: FleetExecutionArguments

  @OptionGroup(title: "Log") var log: LogArguments

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { false }
  var logPath: String? { log.path }

  func perform(_ console: Console) async throws -> CommandResult {
    let request = FleetRequest(
      command: Self.name, selection: selection, way: way, place: place, losses: losses,
      execution: execution)
    switch try request.retry(choice: choice) {
    case .stores(let call): return try await call.result(console)
    case .nothing(let call):
      return CommandResult(
        text: OutputText("Nothing to retry: no store's last line is such a failure."),
        json: FleetReport(nothingToRetry: call).json)
    }
  }

  private func choice(_ mistakes: inout CallMistakes) -> LedgerFailures.Choice {
    var choice = LedgerFailures.Choice()
    for text in `class`?.trimmedNames ?? [] {
      if let number = Int32(text) {
        choice.classes.insert(number)
      } else {
        mistakes.add(
          Diagnostic(
            "CMD-002", "--class cannot be “\(text)”",
            remedy: "give exit statuses, separated by commas: --class 30,32"))
      }
    }
    choice.codes = Set(code?.trimmedNames ?? [])
    return choice
  }
}
