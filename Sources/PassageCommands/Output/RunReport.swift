internal import Passage

/// The result of a run, as text and as JSON.
struct RunReport {
  private var report: MigrationReport
  private let target: String?
  /// The plan, if the report is that of a plan with nothing to do.
  private var plan: MigrationPlan?
  private var isDryRun = false
  /// The file that the call names for the migrated store, if there was nothing to write and nothing is there.
  private var unwrittenPath: String?

  /// The report of a migration, with the paths as the user gave them.
  init(_ report: MigrationReport, of request: MigrationRequest) {
    self.report = report
    self.report.sourcePath = request.storePath
    self.report.destinationPath =
      report.destinationPath == report.sourcePath ? request.storePath : request.destinationPath
    target = request.target?.name ?? request.mappings.last?.destination.value
    if report.outcome == .upToDate, request.destination != .inPlace,
      request.destinationPath != MigrationRequest.defaultOutput(for: request.storePath),
      !StoreUnit(path: request.destinationPath).exists
    {
      unwrittenPath = request.destinationPath
    }
  }

  /// The report of a request whose source is already at the target.
  init(upToDate request: MigrationRequest, warnings: Diagnostics = Diagnostics()) {
    let report = MigrationReport(
      outcome: .upToDate, sourcePath: request.storePath, destinationPath: request.storePath,
      warnings: warnings)
    self.init(report, of: request)
  }

  /// The report of a plan with nothing to do. Its JSON has the members of a plan too.
  init(upToDate plan: MigrationPlan, of request: MigrationRequest, isDryRun: Bool) {
    let report = MigrationReport(
      outcome: .upToDate, sourcePath: plan.storePath, destinationPath: plan.destinationPath)
    self.init(report, of: request)
    self.plan = plan
    self.isDryRun = isDryRun
  }

  func result(command: String) -> CommandResult {
    CommandResult(text: text, json: json(command: command))
  }

  // MARK: Text

  private var text: OutputText {
    var lines = OutputText(report.warnings)
    if let plan { lines += OutputText(plan.warnings) }
    switch report.outcome {
    case .upToDate:
      lines.append(upToDate)
    case .migrated:
      lines += migrated
    }
    return lines
  }

  private var upToDate: String {
    let version = target.map { "version “\($0)”" } ?? "the destination model"
    guard report.destinationPath != report.sourcePath,
      StoreUnit(path: report.destinationPath).exists
    else {
      let unwritten = unwrittenPath.map { " \($0) was not written." } ?? ""
      return "Nothing to do: \(report.sourcePath) is at \(version) already\(madeText).\(unwritten)"
    }
    return "Nothing to do: \(report.destinationPath) is at \(version) already, migrated from "
      + "\(report.sourcePath)\(madeText)."
  }

  private var madeText: String {
    guard let record = report.record else { return "" }
    let names = record.steps.flatMap(\.mappings).joined(separator: ",")
    return " by \(names) on \(record.timeText)"
  }

  private var migrated: [String] {
    let versions = ([report.steps.first?.source] + report.steps.map(\.destination))
      .compactMap { $0 }.map { "“\($0)”" }
    var lines = ["Migrated \(report.sourcePath) from \(versions.joined(separator: " to "))", ""]
    lines += AccountTable(report.steps).lines
    lines += ["", "  made      \(made)", "  store     \(report.destinationPath)"]
    if report.destinationPath != report.sourcePath {
      lines.append("  source    unchanged")
    } else {
      lines.append("  old store \(report.backupPath.map { PathText.shown($0) } ?? "not kept")")
      lines += report.removedStores.map { "  removed   \(PathText.shown($0.path))" }
    }
    if let path = report.quarantinePath {
      let count = NumberText.count(report.quarantined)
      lines.append("  quarantined \(count), see \(PathText.shown(path))")
    }
    if report.wasContinued { lines.append("  continued the work of an interrupted run") }
    if let reason = report.discardedWork {
      lines.append("  earlier work was discarded: \(PathText.shown(reason))")
    }
    lines.append("  time      \(NumberText.duration(report.seconds))\(rate)")
    return lines
  }

  private var made: String {
    guard let last = report.steps.last else { return "nothing" }
    var counts: [String: Int64] = [:]
    for account in last.mappings { counts.merge(account.made) { $0.saturatingAdd($1) } }
    let parts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }
      .map { "\(NumberText.count($0.value)) \($0.key)" }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  private var read: Int64 {
    report.steps.flatMap(\.mappings).reduce(0) { $0.saturatingAdd($1.read) }
  }

  private var objectsPerSecond: Double? {
    report.seconds > 0 ? Double(read) / report.seconds : nil
  }

  private var rate: String {
    guard let objectsPerSecond, read > 0, !report.wasContinued else { return "" }
    return RateText.text(objectsPerSecond, of: "objects")
  }

  // MARK: JSON

  private func json(command: String) -> JSONText {
    .object(
      [
        ("command", .string(command)), ("outcome", .string(report.outcome.rawValue)),
        ("source", .path(report.sourcePath)), ("destination", .path(report.destinationPath)),
        ("backup", .path(report.backupPath)),
        ("removedStores", .list(report.removedStores.map { .path($0.path) })),
        ("steps", .list(report.steps.map(\.json))),
        ("totals", .object(report.totals.members)),
        ("losses", .list(report.losses.map(\.json))),
        ("quarantined", .integer(report.quarantined)),
        ("quarantine", .path(report.quarantinePath)),
        ("wasContinued", .bool(report.wasContinued)),
        ("discardedWork", .optional(report.discardedWork)),
        ("record", report.record.map { LedgerReport.json($0) } ?? .null),
      ] + report.companions.members + [
        ("warnings", warnings), ("seconds", .measure(report.seconds)),
        ("objectsPerSecond", objectsPerSecond.map { .measure($0) } ?? .null),
      ] + (plan.map { PlanReport.sizes(of: $0, isDryRun: isDryRun) } ?? []))
  }

  private var warnings: JSONText {
    plan.map(PlanReport.warnings) ?? .list(report.warnings.all.map(\.json))
  }
}
