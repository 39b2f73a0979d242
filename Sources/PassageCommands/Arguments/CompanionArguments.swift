internal import ArgumentParser
internal import Passage

/// What becomes of that which belongs to a store beside its objects.
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
    help: "Leave out tables that Core Data did not make.")
  var leavesOutOtherTables = false

  @Option(
    help: ArgumentHelp(
      "When values in files of their own are missing: refuse, keep the references, or drop values "
        + "that must be read.", valueName: "refuse|keep|drop"))
  var missingFiles = MissingFilesArgument.keep

  /// Sets what was given.
  func apply(to options: inout MigrationOptions) {
    options.companions.history = leavesOutHistory ? .leaveOut : .carryOver
    options.companions.cloudKit = leavesOutCloudKit ? .leaveOut : .refuse
    options.companions.otherTables = leavesOutOtherTables ? .leaveOut : .refuse
    options.companions.missingFiles = missingFiles.choice
  }
}

/// `MigrationOptions.MissingFiles` as the command line spells it.
enum MissingFilesArgument: String, ExpressibleByArgument, CaseIterable {
  case refuse
  case keep
  case drop

  /// What it says to the engine.
  var choice: MigrationOptions.MissingFiles {
    switch self {
    case .refuse: .refuse
    case .keep: .keep
    case .drop: .drop
    }
  }
}
