internal import Passage
internal import PassagePlatform
internal import PassageReports

/// What is known of a call so far, for the page about it.
struct CallNotes: PageNotes {
  private let command: String
  private let file: PageFile?
  private(set) var request: MigrationRequest?
  /// Whether the page was refused, so that it must not be written.
  private(set) var isRefused = false
  var plan: MigrationPlan?
  var report: MigrationReport?
  var comparison: ComparisonReport?
  /// Warnings besides those of the plan and the report.
  var warnings = Diagnostics()

  init(command: String, file: PageFile? = nil) {
    self.command = command
    self.file = file
  }

  /// Notes what the call asks for, before any work is done.
  ///
  /// - Throws: ``MigrationError`` with `CMD-052` if the page would replace one of the stores.
  mutating func take(_ request: MigrationRequest) throws {
    if let file {
      do throws(MigrationError) {
        try file.check(stores: [request.storePath, request.destinationPath])
      } catch {
        isRefused = true
        throw error
      }
    }
    self.request = request
  }

  // MARK: The page

  var failedPath: String { request?.storePath ?? "" }

  func html(_ error: MigrationError?) -> String { page(error).html }

  private func page(_ error: MigrationError?) -> MigrationPage {
    let path = request?.storePath
    var page = MigrationPage(
      command: command, outcome: outcome(error),
      storeName: path.map { StoreUnit(path: $0).name } ?? "no store",
      timeText: MigrationRecord.timeText(Date().timeIntervalSinceReferenceDate),
      toolVersion: PassageVersion.current)
    page.failure = error.map { MigrationPage.Failure($0, excerpt: Self.excerpt) }
    page.facts = facts
    page.comparison = comparison.map { MigrationPage.Comparison($0) }
    page.record = record(error)
    let plan = plan ?? planOfFailure(error)
    var findings = report?.warnings ?? plan?.warnings ?? Diagnostics()
    findings.append(contentsOf: warnings)
    page.findings = findings.map { MigrationPage.Finding($0, excerpt: Self.excerpt($0)) }
    if let report {
      page.steps = gathering.steps(of: report)
      page.losses = PageGathering.losses(report.losses)
      page.seconds = report.outcome == .migrated ? report.seconds : nil
      page.wasContinued = report.wasContinued
    } else if let plan {
      page.steps = gathering.steps(of: plan)
      page.losses = PageGathering.losses(plan.losses)
    } else if error != nil {
      page.steps = gathering.steps()
    }
    return page
  }

  private func outcome(_ error: MigrationError?) -> MigrationPage.Outcome {
    if error != nil { return .failed }
    if let comparison { return comparison.isEqual ? .equal : .different }
    if let report { return report.outcome == .migrated ? .migrated : .upToDate }
    return plan.map { $0.isUpToDate ? .upToDate : .planned } ?? .upToDate
  }

  private var gathering: PageGathering {
    guard let request else { return PageGathering(models: [:], mappings: []) }
    let names = request.mappings.flatMap { [$0.source.value, $0.destination.value] }
    return PageGathering(models: request.project.models.named(names), mappings: request.mappings)
  }

  /// What the failed call would have done, as far as it can be planned now. Whoever has stopped a
  /// call, or waited for another program, does not wait again for the objects to be counted.
  private func planOfFailure(_ error: MigrationError?) -> MigrationPlan? {
    guard let error, ![.cancelled, .locked].contains(error.kind), report == nil, let request else {
      return nil
    }
    return try? request.migration(policies: CommandContext.policies)?.plan()
  }

  /// The paths, as the user gave them.
  private var facts: [MigrationPage.Fact] {
    guard let request else { return [] }
    var facts = [MigrationPage.Fact("source", request.storePath)]
    if request.destinationPath != request.storePath {
      let name = comparison != nil || report != nil ? "store" : "destination"
      facts.append(.init(name, request.destinationPath))
    }
    if let backup = report?.backupPath { facts.append(.init("old store", backup)) }
    if let path = report?.quarantinePath { facts.append(.init("quarantine", path)) }
    if let plan {
      facts.append(
        .init(
          "disk",
          "needs about \(NumberText.bytes(plan.neededBytes)), "
            + "\(NumberText.bytes(plan.freeBytes)) are free"))
    }
    if report?.wasContinued == true {
      facts.append(.init("work", "continued the work of an interrupted run"))
    }
    if let reason = report?.discardedWork {
      facts.append(.init("work", "earlier work was discarded: \(reason)"))
    }
    return facts
  }

  /// The record of the migrated store or, if there is none, of the source.
  private func record(_ error: MigrationError?) -> MigrationPage.Record {
    guard let request else { return MigrationPage.Record() }
    let isMade = error == nil && plan == nil
    let paths = isMade ? [request.destinationPath, request.storePath] : [request.storePath]
    for path in paths {
      guard let metadata = try? StoreMetadata.read(path: path) else { continue }
      return MigrationPage.Record(metadata, path: path)
    }
    return MigrationPage.Record()
  }

  /// The line of an author's file that a diagnostic is about.
  static func excerpt(_ diagnostic: Diagnostic) -> [String] {
    guard let location = diagnostic.location, SourceExcerpt.isAuthored(diagnostic) else {
      return []
    }
    return SourceExcerpt.lines(at: location)
  }
}
