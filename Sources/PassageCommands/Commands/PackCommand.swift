internal import ArgumentParser
internal import Passage

/// `migrate pack`: makes a pre-filled store from a live one.
struct PackCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Makes a pre-filled store for an app's bundle from a live store.",
    discussion: """
      The packed store is one file without -wal and -shm files, with its files of external data \
      beside it. It includes the contents of the log and has no free pages, and the same \
      contents give the same bytes. The live store is only read; it may be in use, and in a \
      folder that cannot be written. Every row is compared before the packed store gets its \
      name. If the same command is run again, it reports that the packed store is unchanged.
      """)

  @Option(
    help: ArgumentHelp("The live store.", valueName: "file"), completion: .file(),
    transform: PathText.file)
  var store: String?

  @Argument(
    help: ArgumentHelp("The live store.", visibility: .hidden), completion: .file(),
    transform: PathText.file)
  var storeAsArgument: String?

  @Option(
    help: ArgumentHelp("Where the packed store is written.", valueName: "file"),
    completion: .file(),
    transform: PathText.file)
  var output: String

  @Option(
    help: ArgumentHelp(
      "The journal of the packed store: a rollback journal, or a write-ahead log as in Core Data's "
        + "own stores.", valueName: "delete|wal"))
  var journal = JournalArgument.delete

  @Option(
    help: ArgumentHelp(
      "Which files of external data are included. (default: those that objects refer to, if the "
        + "model is known, otherwise all)", valueName: "referenced|all"))
  var files: ExternalFilesArgument?

  @Option(
    help: ArgumentHelp(
      "What to do if files of external data are missing: refuse, or keep the references.",
      valueName: "refuse|keep"))
  var missingFiles = PackedMissingFilesArgument.refuse

  @Option(
    help: ArgumentHelp(
      "The store's model. (default: the one inside the store, otherwise one guessed from its "
        + "tables)",
      valueName: "path"),
    completion: .file(),
    transform: PathText.file)
  var model: String?

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { false }

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    if let store, storeAsArgument != nil {
      mistakes.add(
        Diagnostic(
          "CMD-046", "the store is named twice", reason: "--store \(store) and an argument",
          remedy: "leave out one of the two"))
    }
    let store = store ?? storeAsArgument
    if store == nil {
      mistakes.add(
        Diagnostic("CMD-047", "no store is named", remedy: "name the store with --store FILE"))
    }
    var known: Model?
    if let model {
      do throws(Diagnostics) {
        known = try ModelFile.read(path: model)
      } catch {
        mistakes.add(inNamedFiles: error)
      }
    }
    try mistakes.throwIfErrors()
    guard let store else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a call without a store"))
    }
    try GivenStores(model.map { [$0] } ?? []).check(destination: output)
    var options = PackingOptions()
    options.journalMode = journal.mode
    options.externalFiles = files?.choice
    options.allowsMissingFiles = missingFiles == .keep
    let packing = StorePacking(
      storePath: store, outputPath: output, options: options, model: known)
    let report: PackingReport
    do {
      report = try await ForegroundWork(console: console, style: .none).run(packing.start())
    } catch {
      throw model == nil ? error : NamedModel.blamed(for: error, store: store)
    }
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
