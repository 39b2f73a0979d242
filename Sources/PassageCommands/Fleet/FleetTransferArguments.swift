internal import ArgumentParser
internal import Passage
internal import PassageFleets
internal import PassagePlatform

/// The options for stores that are not files here.
struct FleetTransferArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "For stores that are not files here: a command that prints a mark of what is stored as {name}, "
        + "which differs for every content, on one line; it exits with 1 if there is nothing. No shell "
        + "runs it.", valueName: "command"))
  var exists: String?

  @Option(
    help: ArgumentHelp(
      "The command that fetches {name} to the file {path}; {mark} is what --exists printed.",
      valueName: "command"))
  var fetch: String?

  @Option(
    help: ArgumentHelp(
      "The command that replaces {name} with the file {path}, only if its mark is still {mark}, and "
        + "exits with \(TransferCommands.conflictStatus) if it is not; {version} identifies the version.",
      valueName: "command"))
  var publish: String?

  @Option(
    help: ArgumentHelp(
      "The folder in which fetched stores are migrated.", valueName: "folder"),
    completion: .directory, transform: PathText.given)
  var scratch: String?

  @Option(
    help: ArgumentHelp(
      "End a command that takes longer. (default: \(Int(TransferCommands.usualTimeLimit)))",
      valueName: "seconds"))
  var transferLimit: Double?

  /// Whether any of them is given.
  var isGiven: Bool {
    [exists, fetch, publish, scratch].contains { $0 != nil } || transferLimit != nil
  }

  /// How stores are fetched and published; `nil` if they are files.
  func remote(_ mistakes: inout CallMistakes) -> RemotePlace? {
    guard isGiven else { return nil }
    guard let exists, let fetch, let publish, let scratch else {
      let missing = [
        ("--exists", exists), ("--fetch", fetch), ("--publish", publish), ("--scratch", scratch),
      ].filter { $0.1 == nil }.map(\.0)
      mistakes.add(
        Diagnostic(
          "FLT-083", "for stores that are not files here, options are missing",
          reason: "without \(missing.joined(separator: ", "))",
          remedy: "give all of --exists, --fetch, --publish and --scratch, or none of them"))
      return nil
    }
    if let transferLimit, !(transferLimit > 0 && transferLimit <= Self.longestLimit) {
      mistakes.add(
        Diagnostic(
          "CMD-002", "--transfer-limit cannot be \(transferLimit)",
          remedy: "give a number of seconds above 0"))
      return nil
    }
    do {
      let commands = try TransferCommands(
        exists: exists, fetch: fetch, publish: publish, environment: Self.environment,
        timeLimit: transferLimit ?? TransferCommands.usualTimeLimit)
      return RemotePlace(commands, scratch: scratch)
    } catch {
      mistakes.add(error.diagnostics)
      return nil
    }
  }

  /// A year, in seconds.
  private static let longestLimit = 31_536_000.0

  /// The commands have the environment of this one.
  private static var environment: [String] {
    ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
  }
}
