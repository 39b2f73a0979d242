internal import ArgumentParser
internal import Passage

/// Options for what a store holds besides its objects.
struct CompanionArguments: ParsableArguments {
  @Flag(
    name: .customLong("without-history"),
    help: "Leave out the persistent history, even if it could be carried over.")
  var leavesOutHistory = false

  @Flag(
    name: .customLong("without-cloudkit"),
    help: "Leave out the state of CloudKit mirroring; the app then syncs again.")
  var leavesOutCloudKit = false

  @Flag(
    name: .customLong("without-other-tables"),
    help: "Leave out tables that Core Data did not create.")
  var leavesOutOtherTables = false

  @Option(
    help: ArgumentHelp(
      "What to do if files of external data are missing: refuse, keep the references, or drop the "
        + "values that must be read.", valueName: "refuse|keep|drop"))
  var missingFiles = MissingFilesArgument.keep

  /// Sets the given options.
  func apply(to options: inout MigrationOptions) {
    options.companions.history = leavesOutHistory ? .leaveOut : .carryOver
    options.companions.cloudKit = leavesOutCloudKit ? .leaveOut : .refuse
    options.companions.otherTables = leavesOutOtherTables ? .leaveOut : .refuse
    options.companions.missingFiles = missingFiles.choice
  }
}

/// `MigrationOptions.MissingFiles` with the words of the command line.
enum MissingFilesArgument: String, ExpressibleByArgument, CaseIterable {
  case refuse
  case keep
  case drop

  /// The corresponding option of the engine.
  var choice: MigrationOptions.MissingFiles {
    switch self {
    case .refuse: .refuse
    case .keep: .keep
    case .drop: .drop
    }
  }
}
