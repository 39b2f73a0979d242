internal import ArgumentParser
internal import Passage

/// Which values may be lost.
struct LossArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which values may be lost: allow reports them, refuse ends with exit status 43, and a list of "
        + "Entity.property (* for any) refuses all others. (default: allow)",
      valueName: "allow|refuse|LIST"))
  var losses: LossChoice?

  /// Sets what was given.
  func apply(to options: inout MigrationOptions) {
    if let losses { options.allowed.losses = losses.allowed }
  }
}

/// ``AllowedLosses`` as the command line spells it.
struct LossChoice: ExpressibleByArgument {
  let allowed: AllowedLosses

  init?(argument: String) {
    switch argument {
    case "": return nil
    case "allow": allowed = .all
    case "refuse": allowed = .none
    default:
      guard let names = NameList(argument: argument)?.names else { return nil }
      allowed = .only(names)
    }
  }
}
