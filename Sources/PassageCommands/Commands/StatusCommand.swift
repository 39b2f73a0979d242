internal import ArgumentParser
internal import Passage

/// `migrate status`: reports the version of a store, and whether it needs a migration.
struct StatusCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: StatusRequest.name,
    abstract: "Prints the version of a store and whether it needs migrating.",
    discussion: """
      Exit status 0: the store has the requested version. 10: it needs migrating. 20: its \
      version is not known. A store of another type, such as delimited text, has the version \
      whose names it has; a run copies it all the same.
      """)

  @Option(
    help: ArgumentHelp("The store. (default: the one the history names)", valueName: "file"),
    completion: .file(),
    transform: PathText.file)
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The version the store should have. (default: the newest)", valueName: "version"))
  var to: String?

  @OptionGroup(title: "Project") var project: ProjectArguments

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult { try request.result() }

  /// What was parsed.
  var request: StatusRequest {
    StatusRequest(store: store, to: to, project: project.places)
  }
}
