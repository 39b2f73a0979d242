internal import ArgumentParser
internal import Passage
internal import PassagePlatform

/// `migrate prune`: removes kept stores.
struct PruneCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes old stores that migrations in place and restorations have kept.",
    discussion: """
      The stores that were written last remain. Only stores with the UUID of the store are removed; \
      other files with such names are left alone. The folder of external data goes with the last \
      store that uses it.
      """)

  @OptionGroup(title: "Which store") var kept: KeptStoreArguments

  @Option(help: ArgumentHelp("How many kept stores remain.", valueName: "count"))
  var keep: Int

  @Flag(help: "Print what would be removed, and remove nothing.")
  var dryRun = false

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { dryRun }

  func perform(_ console: Console) async throws -> CommandResult {
    guard keep >= 0 else {
      throw MigrationError(
        Diagnostic("CMD-002", "--keep cannot be \(keep)", remedy: "give a number of at least 0"))
    }
    let path = try kept.storePath()
    let store = URL(filePath: path)
    let removed = try KeptStore.prune(
      of: store, in: kept.folder, keeping: keep, isRehearsal: dryRun)
    let remaining = try KeptStore.all(of: store, in: kept.folder)
      .filter { !removed.contains($0) }
    return PruneReport(
      removed: removed, remaining: remaining, storePath: path, isDryRun: dryRun
    ).result(command: Self.name)
  }
}
