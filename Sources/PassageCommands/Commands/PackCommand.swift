internal import ArgumentParser
internal import Passage

/// `migrate pack`: makes a pre-filled store from a live one.
struct PackCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack", abstract: "Makes a pre-filled store, to be bundled, from a live one.",
    discussion: """
      The packed store is one file without sidecars, with its files of external data beside it: what \
      waits in the log is folded in, free pages are left out, and the same contents give the same \
      bytes. The live store is only read; it may be in use, and lie in a folder that cannot be \
      written. Every row is compared before the packed store gets its name. The same command again \
      says that it is unchanged.
      """)

  @Argument(
    help: ArgumentHelp("The live store.", valueName: "store"), completion: .file(),
    transform: PathText.normalized)
  var store: String

  @Option(
    help: ArgumentHelp("Where the packed store goes.", valueName: "file"), completion: .file(),
    transform: PathText.normalized)
  var output: String

  @Option(
    help: ArgumentHelp(
      "How the packed store keeps its transactions: a rollback journal, or a log as Core Data's own "
        + "stores do.", valueName: "delete|wal"))
  var journal = JournalArgument.delete

  @Option(
    help: ArgumentHelp(
      "Which files of external data are included. (default: those that objects refer to, if the "
        + "model is known, otherwise all)", valueName: "referenced|all"))
  var files: ExternalFilesArgument?

  @Option(
    help: ArgumentHelp(
      "When values in files of their own are missing: refuse, or keep the references.",
      valueName: "refuse|keep"))
  var missingFiles = PackedMissingFilesArgument.refuse

  @Option(
    help: ArgumentHelp(
      "The store's model. (default: the one it keeps, otherwise one guessed from its tables)",
      valueName: "path"),
    completion: .file(),
    transform: PathText.normalized)
  var model: String?

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    var known: Model?
    if let model {
      do throws(Diagnostics) {
        known = try ModelFile.read(path: model)
      } catch {
        mistakes.add(inNamedFiles: error)
      }
    }
    try mistakes.throwIfErrors()
    try GivenStores(model.map { [$0] } ?? []).check(destination: output)
    var options = PackingOptions()
    options.journalMode = journal.mode
    options.externalFiles = files?.choice
    options.allowsMissingFiles = missingFiles == .keep
    let packing = StorePacking(
      storePath: store, outputPath: output, options: options, model: known)
    let report = try await ForegroundWork(console: console, style: .none).run(packing.start())
    return PackReport(report, store: store).result(command: Self.name)
  }
}

/// The journal mode of a packed store, with the words of the command line.
enum JournalArgument: String, ExpressibleByArgument, CaseIterable {
  case delete
  case wal

  /// The corresponding option of the engine.
  var mode: PackingOptions.JournalMode {
    switch self {
    case .delete: .delete
    case .wal: .wal
    }
  }
}

/// Which files of external data are packed, with the words of the command line.
enum ExternalFilesArgument: String, ExpressibleByArgument, CaseIterable {
  case referenced
  case all

  /// The corresponding option of the engine.
  var choice: PackingOptions.ExternalFiles {
    switch self {
    case .referenced: .referenced
    case .all: .all
    }
  }
}

/// How `pack` treats references to missing files.
enum PackedMissingFilesArgument: String, ExpressibleByArgument, CaseIterable {
  case refuse
  case keep
}
