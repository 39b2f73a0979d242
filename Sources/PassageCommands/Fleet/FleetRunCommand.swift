internal import ArgumentParser
internal import Passage
internal import PassageFleets

/// `migrate fleet run`: migrates the stores of a list.
struct FleetRunCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Migrates the stores of a list, or a shard of them.",
    discussion: """
      A store that is done is looked at and left alone. A store that fails stays as it was, its line \
      in the ledger says why, and the others are migrated. The list, the results and the ledger are \
      checked before anything is written.
      """)

  static let name = "fleet run"

  @OptionGroup(title: "Which stores") var selection: FleetSelectionArguments

  @OptionGroup(title: "What to migrate") var way: FleetWayArguments

  @OptionGroup(title: "Where results go") var place: FleetPlaceArguments

  @OptionGroup(title: "What may be lost") var losses: LossArguments

  @OptionGroup(title: "Execution") var execution: FleetExecutionArguments

  @OptionGroup(title: "Log") var log: LogArguments

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { false }
  var logPath: String? { log.path }

  func perform(_ console: Console) async throws -> CommandResult {
    try await FleetRequest(self).run().result(console)
  }
}

extension FleetRequest {
  init(_ call: FleetRunCommand) {
    self.init(
      command: FleetRunCommand.name, selection: call.selection, way: call.way, place: call.place,
      losses: call.losses, execution: call.execution)
  }
}
