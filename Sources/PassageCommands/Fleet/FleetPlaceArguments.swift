internal import ArgumentParser
internal import Passage
internal import PassageFleets
internal import PassagePlatform

/// The options for where the migrated stores of a fleet go.
struct FleetPlaceArguments: ParsableArguments {
  @Flag(help: "Replace each source with the migrated store, and keep the old store beside it.")
  var inPlace = false

  @Flag(help: "With --in-place: do not keep the old stores.")
  var noBackup = false

  @Option(
    help: ArgumentHelp(
      "With --in-place: the folder in which old stores are kept. (default: each store's own)",
      valueName: "folder"),
    completion: .directory, transform: PathText.given)
  var backupDir: String?

  @Option(
    help: ArgumentHelp(
      "With --in-place: how many old stores of each remain, those that were written last. (default: "
        + "all)", valueName: "count"))
  var keep: Int?

  @Option(
    help: ArgumentHelp(
      "The folder for the migrated stores; each has the name of its source.", valueName: "folder"),
    completion: .directory, transform: PathText.given)
  var outputDir: String?

  @Option(
    help: ArgumentHelp(
      "With --output-dir: the folder around all sources; their paths below it are kept.",
      valueName: "folder"),
    completion: .directory, transform: PathText.given)
  var base: String?

  @OptionGroup var transfer: FleetTransferArguments

  /// Sets the given options.
  func apply(to options: inout MigrationOptions) {
    // In an object storage, older versions are kept by its own means.
    options.oldStore = noBackup || transfer.isGiven ? .remove : .keep
    options.keptStoresFolder = backupDir.map { URL(filePath: $0) }
    options.keptStoresLimit = keep
  }

  /// Where the results go.
  func places(_ mistakes: inout CallMistakes) -> ResultPlaces {
    mistakes.add(flagMistakes)
    return outputDir.map { .folder($0, base: base) } ?? .inPlace
  }

  private var flagMistakes: Diagnostics {
    if transfer.isGiven { return transferMistakes }
    var mistakes = Diagnostics()
    if inPlace, outputDir != nil { mistakes.append(Self.bothGiven) }
    if !inPlace, outputDir == nil {
      mistakes.append(
        Diagnostic(
          "FLT-022", "neither --in-place nor --output-dir is given",
          remedy: "say where the migrated stores go with one of the two"))
    }
    if base != nil, outputDir == nil { mistakes.append(Self.baseAlone) }
    mistakes.append(
      contentsOf: KeptStoreFlags(
        isInPlace: inPlace, isNotKept: noBackup, folder: backupDir, limit: keep
      ).mistakes)
    return mistakes
  }

  private var transferMistakes: Diagnostics {
    let given: [(String, Bool)] = [
      ("--in-place", inPlace), ("--no-backup", noBackup), ("--backup-dir", backupDir != nil),
      ("--keep", keep != nil), ("--output-dir", outputDir != nil), ("--base", base != nil),
    ]
    return Diagnostics(
      given.filter(\.1).map { name, _ in
        Diagnostic(
          "FLT-083", "\(name) is given with options for stores that are not files here",
          remedy: "leave it out: --publish says where the migrated stores go")
      })
  }

  static let bothGiven = Diagnostic(
    "FLT-022", "--in-place and --output-dir are both given", remedy: "give one of the two")

  static let baseAlone = Diagnostic(
    "FLT-022", "--base is given without --output-dir",
    remedy: "leave it out, or name the folder for the results")
}
