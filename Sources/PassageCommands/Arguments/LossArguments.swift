internal import ArgumentParser
internal import Passage

/// The option that says which values may be lost.
struct LossArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which values may be lost: allow reports losses, refuse ends with exit status 43, and a list "
        + "of Entity.property (* for any) allows only those. (default: allow)",
      valueName: "allow|refuse|LIST"))
  var losses: LossChoice?

  /// Sets the given option.
  func apply(to options: inout MigrationOptions) {
    if let losses { options.allowed.losses = losses.allowed }
  }
}

/// ``AllowedLosses`` with the words of the command line.
struct LossChoice: ExpressibleByArgument {
  let allowed: AllowedLosses

  init?(argument: String) {
    switch argument {
    case "": return nil
    case "allow": allowed = .all
    case "refuse": allowed = .none
    default:
      guard let names = NameList(argument: argument)?.trimmedNames else { return nil }
      allowed = .only(names)
    }
  }
}
