internal import Passage

/// The result of `install`, as text and as JSON.
struct InstallReport {
  private let report: InstallationReport
  private let source: String
  private let way: [String]?
  private let givenArguments: [String]

  /// - Parameters:
  ///   - source: the pre-filled store's path as the user gave it.
  ///   - way: the options of `run` for the way from the version of a store that is there already;
  ///     `nil` if there is none.
  ///   - givenArguments: the call's options that name the project; a recommended command needs them
  ///     too.
  init(
    _ report: InstallationReport, source: String, way: [String]?, givenArguments: [String]
  ) {
    self.report = report
    self.source = source
    self.way = way
    self.givenArguments = givenArguments
  }

  func result(command: String) -> CommandResult {
    CommandResult(text: text, json: json(command))
  }

  // MARK: Text

  private var text: OutputText {
    var lines = OutputText(report.warnings)
    switch report.outcome {
    case .alreadyThere: lines.append(alreadyThere)
    case .installed, .migrated: lines += installed
    }
    return lines
  }

  private var version: String {
    report.versionName.map { "of version “\($0)”" } ?? "of an unknown version"
  }

  private var alreadyThere: String {
    let there = "Already there: \(report.destinationPath) is a store \(version)"
    switch report.needsMigration {
    case nil: return "\(there)."
    case false?: return "\(there) and needs no migration."
    case true?:
      return "\(there) and needs migrating to “\(report.targetName ?? "")”: \(advice)"
    }
  }

  /// The command that migrates the store that is there, or why there is none.
  private var advice: String {
    if let way { return command(["run", "--in-place"], way) }
    let target = ShellText.words("--to", report.targetName ?? "")
    return report.versionName == nil
      ? "no known model has its version hashes; try \(command(["status"], target))"
      : "the history has no path to it; try \(command(["plan"], target + ["--infer"]))"
  }

  private func command(_ name: [String], _ options: [String]) -> String {
    ShellText.command(
      ["migrate"] + name + ShellText.words("--store", report.destinationPath) + options
        + givenArguments)
  }

  private var installed: [String] {
    var lines = ["Installed \(report.destinationPath) from \(source)", ""]
    if let migration = report.migration {
      let versions = ([migration.steps.first?.source] + migration.steps.map(\.destination))
        .compactMap { $0 }.map { "“\($0)”" }
      lines += AccountTable(migration.steps).lines
      lines += ["", "  migrated  from \(versions.joined(separator: " to "))"]
    }
    lines.append("  version   \(report.versionName.map { "“\($0)”" } ?? "unknown")")
    lines.append("  UUID      \(report.storeUUID)")
    if report.externalFiles > 0 {
      lines.append("  files     \(NumberText.count(report.externalFiles)) of external data")
    }
    return lines + [
      "  source    unchanged", "  time      \(NumberText.duration(report.seconds))",
    ]
  }

  // MARK: JSON

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)), ("outcome", .string(report.outcome.rawValue)),
      ("source", .path(source)), ("destination", .path(report.destinationPath)),
      ("storeUUID", .string(report.storeUUID)), ("version", .optional(report.versionName)),
      ("target", .optional(report.targetName)),
      ("needsMigration", report.needsMigration.map { .bool($0) } ?? .null),
      ("externalFiles", .integer(report.externalFiles)),
      ("steps", .list((report.migration?.steps ?? []).map(\.json))),
      ("losses", .list((report.migration?.losses ?? []).map(\.json))),
      ("warnings", .list(report.warnings.all.map(\.json))), ("seconds", .measure(report.seconds)),
    ])
  }
}
