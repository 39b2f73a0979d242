internal import ArgumentParser
internal import Passage
internal import PassagePlatform

/// `migrate restore`: puts a kept store back.
struct RestoreCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Puts an old store back that a migration in place has kept.",
    discussion: """
      The kept store, with the contents of its log and its files of external data, is checked and \
      takes the place of the store at one instant. If the command is interrupted, the path has the \
      whole store of before or the whole kept one, and the same command finishes. The kept store \
      stays where it is, and the store that is replaced is kept as NAME.after-VERSION.

      A store that was written since it was put in place is not replaced without \
      --discard-changes: exit status 43.
      """)

  @OptionGroup(title: "Which store") var kept: KeptStoreArguments

  @Option(
    help: ArgumentHelp(
      "The kept store: its name, its path or its version. (default: the one that was written last "
        + "of those that migrations have replaced)", valueName: "name"),
    completion: .file())
  var from: String?

  @Flag(help: "Replace the store even if it was written since it was put in place.")
  var discardChanges = false

  @Flag(help: "List the kept stores, and change nothing.")
  var list = false

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { list }

  func perform(_ console: Console) async throws -> CommandResult {
    if list, from != nil || discardChanges {
      throw MigrationError(
        Diagnostic(
          "CMD-045", "--list is given together with what is put back",
          reason: "--list changes nothing", remedy: "give one of the two"))
    }
    let path = try kept.storePath()
    let store = URL(filePath: path)
    if list {
      return KeptStoreReport(try KeptStore.all(of: store, in: kept.folder), of: path)
        .result(command: Self.name)
    }
    let work = KeptStore.startRestoring(
      from.map { .named($0) } ?? .newest, storeAt: store, from: kept.folder,
      discardsChanges: discardChanges, versionName: kept.versionName)
    let report = try await ForegroundWork(console: console, style: .none).run(work)
    return RestoreReport(report).result(command: Self.name)
  }
}
