internal import ArgumentParser
internal import Passage
internal import PassagePlatform

/// The options that name a store and where its old stores are kept.
struct KeptStoreArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store. (default: the one the history names)", valueName: "file"),
    completion: .file(),
    transform: PathText.file)
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The folder in which the old stores are kept. (default: the store's own)",
      valueName: "folder"),
    completion: .directory, transform: PathText.file)
  var backupDir: String?

  @OptionGroup(title: "Project") var project: ProjectArguments

  /// The folder in which the old stores are kept; `nil` for the store's own.
  var folder: URL? { backupDir.map { URL(filePath: $0) } }
}
