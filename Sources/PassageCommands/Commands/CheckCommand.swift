internal import ArgumentParser
internal import Passage
internal import PassageChecking

/// `migrate check`: looks for what is allowed in a project, but probably not meant.
struct CheckCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks the history, the models and the mapping models, without a store.",
    discussion: """
      Every step of the history is planned, and what a plan accepts is looked through for what may \
      not be meant: lost values, narrowed types, filters that overlap or leave a gap, versions \
      without a way. Each finding has a code, which explain describes. The member “check” of the \
      history changes levels and names exceptions.

      Exit status 0: no finding reaches the level of --fail-on; 12: one does; 65: a file is wrong.
      """)

  /// The least serious level of a finding that fails the call.
  enum Level: String, ExpressibleByArgument, CaseIterable {
    case error, warning, note

    var severity: Diagnostic.Severity {
      switch self {
      case .error: .error
      case .warning: .warning
      case .note: .note
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Exit with 12 if a finding has this level or a more serious one.", valueName: "level"))
  var failOn = Level.error

  @Option(
    help: ArgumentHelp(
      "Record the version hashes of these versions in the history: they have been released, and "
        + "their models must not change any more.", valueName: "versions"))
  var record: NameList?

  @OptionGroup(title: "Project") var project: ProjectArguments

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes(diskState: record == nil ? nil : "nothing was written")
    var read = ProjectReader(project.places).project(&mistakes)
    if let found = read, found.history.versions.isEmpty {
      mistakes.add(
        Diagnostic(
          "CMD-070", "there is no history with versions in \(found.migrationsDirectory)",
          reason: "what a project's history, models and mapping models say is checked",
          remedy: "name the folder with history.json: --migrations DIR"))
    }
    try mistakes.throwIfErrors()
    var recorded: [String] = []
    if let record, let found = read {
      recorded = try ReleaseRecord(found, versions: record.names(among: found.versionNames)).write()
      read = ProjectReader(project.places).project(&mistakes)
      try mistakes.throwIfErrors()
    }
    guard let read else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a project was neither read nor refused"))
    }
    let check = try HistoryCheck(read, policies: CommandContext.policies)
    return CheckReport(
      check, failOn: failOn.severity, command: Self.name, recorded: record == nil ? nil : recorded
    ).result
  }
}
