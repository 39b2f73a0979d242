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
    completion: .directory, transform: PathText.normalized)
  var backupDir: String?

  @Option(
    help: ArgumentHelp(
      "With --in-place: how many old stores of each remain, those that were written last. (default: "
        + "all)", valueName: "count"))
  var keep: Int?

  @Option(
    help: ArgumentHelp(
      "The folder for the migrated stores; each has the name of its source.", valueName: "folder"),
    completion: .directory, transform: PathText.normalized)
  var outputDir: String?

  @Option(
    help: ArgumentHelp(
      "With --output-dir: the folder around all sources; their paths below it are kept.",
      valueName: "folder"),
    completion: .directory, transform: PathText.normalized)
  var base: String?

  /// Sets the given options.
  func apply(to options: inout MigrationOptions) {
    options.oldStore = noBackup ? .remove : .keep
    options.keptStoresFolder = backupDir.map { URL(filePath: $0) }
    options.keptStoresLimit = keep
  }

  /// Where the results go.
  func places(_ mistakes: inout CallMistakes) -> ResultPlaces {
    mistakes.add(flagMistakes)
    return outputDir.map { .folder($0, base: base) } ?? .inPlace
  }

  private var flagMistakes: Diagnostics {
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

  static let bothGiven = Diagnostic(
    "FLT-022", "--in-place and --output-dir are both given", remedy: "give one of the two")

  static let baseAlone = Diagnostic(
    "FLT-022", "--base is given without --output-dir",
    remedy: "leave it out, or name the folder for the results")
}
