internal import Passage
internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassageInspection
internal import PassageModels
internal import PassagePlatform
internal import PassagePrefilled
internal import PassageProjects
internal import PassageStores
internal import Synchronization

/// The ways of one store to the version that is rehearsed.
struct RehearsalWays {
  let rehearsal: Rehearsal
  let project: Project
  let target: Model
  let path: String
  /// The version of the store; `nil` when it is not known.
  let version: String?
  let folder: TemporaryDirectory
  let control: RunControl
  /// The time of each migration, so that `now()` and `randomUUID()` give the same values.
  private let present = FrozenPresent()

  /// How often a migration is stopped.
  private static let stops = 12
  /// The differences that a failure names.
  private static let shownDifferences = 3

  /// Something that a way did not do as it must.
  private struct Mistake: Error {
    let finding: Diagnostic

    init(_ message: String, reason: String? = nil, remedy: String) {
      finding = Diagnostic("REH-010", message, reason: reason, remedy: remedy)
    }
  }

  /// What to do about a result that only a fault of Passage explains.
  private static let reportIt = "report it with the seed, the models and the mapping models"

  func run() throws -> [RehearsalReport.Trial] {
    var trials = [try trial(.direct) { try migrateDirectly() }]
    let obstacle: String? =
      switch trials[0].outcome {
      case .passed: nil
      case .failed: "the direct way failed"
      case .skipped(let reason): reason
      }
    for way in RehearsalReport.Way.allCases where way != .direct {
      try control.checkCancellation()
      trials.append(
        try obstacle.map {
          RehearsalReport.Trial(way: way, outcome: .skipped($0), seconds: 0)
        } ?? trial(way) { try go(way) })
    }
    return trials
  }

  private func trial(
    _ way: RehearsalReport.Way, _ body: () throws -> Void
  ) throws -> RehearsalReport.Trial {
    let started = ContinuousClock.now
    var outcome = RehearsalReport.Outcome.passed
    var findings: [Diagnostic] = []
    do {
      try body()
    } catch let mistake as Mistake {
      findings = [mistake.finding]
      outcome = .failed("\(mistake.finding)", .verificationFailed)
    } catch let skipped as Skipped {
      outcome = .skipped(skipped.reason)
    } catch {
      try control.checkCancellation()
      let error = MigrationError(error, store: path)
      findings = Array(error.diagnostics)
      outcome = .failed("\(error)", error.kind)
    }
    return RehearsalReport.Trial(
      way: way, outcome: outcome, seconds: started.duration(to: .now) / .seconds(1),
      findings: findings)
  }

  /// A way that this store cannot go.
  private struct Skipped: Error { let reason: String }

  private var basePath: String { folder.path("direct.sqlite") }

  private func migrateDirectly() throws {
    try migrate(path, to: basePath)
    let findings = try StoreAudit(path: basePath, model: target).findings
    guard findings.isEmpty else {
      throw Mistake(
        "the migrated store is not sound",
        reason: findings.prefix(Self.shownDifferences).joined(separator: "\n"),
        remedy: Self.reportIt)
    }
  }

  private func go(_ way: RehearsalReport.Way) throws {
    let result = folder.path("\(way.rawValue).sqlite")
    var options = MigrationOptions()
    switch way {
    case .direct: return
    case .page: options.lane = .page
    case .set: options.lane = .set
    case .row: options.lane = .row
    case .stepByStep:
      try goStepByStep(to: result)
      return try compare(result)
    case .interrupted:
      try goInterrupted(to: result)
      return try compare(result)
    case .inPlace: return try goInPlace()
    }
    options.limits.workMemoryBytes = 0
    try migrate(path, to: result, options: options)
    try compare(result)
  }

  // MARK: Ways

  private func goStepByStep(to result: String) throws {
    guard let version else { throw Skipped(reason: "the store's version is not known") }
    let names =
      project.history.path(from: version, to: target.name)?.map(\.to.value)
      ?? Array(
        project.versionNames.drop { $0 != version }.dropFirst().prefix { $0 != target.name })
      + [target.name]
    guard names.count > 1 else { throw Skipped(reason: "there is only one step") }
    var from = path
    for (number, name) in names.enumerated() {
      let to = number + 1 == names.count ? result : folder.path("step-\(number + 1).sqlite")
      try migrate(from, to: to, version: name)
      from = to
    }
  }

  private func goInterrupted(to result: String) throws {
    var options = MigrationOptions()
    options.limits.workMemoryBytes = 0
    // Small batches in the lane that continues after each.
    options.lane = .row
    options.limits.batch = BatchLimits(rows: max(1, rehearsal.objectCount / 10))
    for number in 1...Self.stops {
      // Later each time: in the passes, while they are assembled, in the checks.
      let asked = Mutex(0)
      let control = RunControl(willContinue: { [control] in
        !control.shouldStop
          && asked.withLock { count in
            count += 1
            return count < number * 4
          }
      })
      do {
        try migrate(path, to: result, options: options, control: control)
        return
      } catch let error as MigrationError where error.kind == .cancelled {
        try self.control.checkCancellation()
        guard !FileSystem().isThere(result) else {
          throw Mistake(
            "a migration was stopped, and its result is there", remedy: Self.reportIt)
        }
      }
    }
    try migrate(path, to: result, options: options)
  }

  private func goInPlace() throws {
    let copy = StoreUnit(path: folder.path("in-place.sqlite"))
    let source = StoreUnit(path: path)
    try StoreImage(files: FileSystem(), control: control).make(of: source, at: copy.path)
    var transfer = ExternalTransfer(files: FileSystem(), temporary: folder.path("copying"))
    try transfer.transfer(from: source, to: copy)
    let route = try route(of: copy.path, to: target.name)
    guard
      let report = try migration(copy.path, .inPlace, route, MigrationOptions())?
        .run(control: control)
    else { return }
    guard let kept = report.backupPath,
      try StoreMetadata.read(path: kept).versionHashes
        == StoreMetadata.read(path: path).versionHashes
    else { throw Mistake("the old store was not kept", remedy: Self.reportIt) }
    try compare(copy.path)
  }

  // MARK: Parts

  private func route(of path: String, to version: String) throws -> StoreRoute {
    try StoreRoute(
      storePath: path, version: version, project: project,
      allowsInference: rehearsal.allowsInference, options: MigrationOptions())
  }

  /// - Returns: `nil` when the store has the version already.
  private func migration(
    _ path: String, _ destination: MigrationDestination, _ route: StoreRoute,
    _ options: MigrationOptions
  ) throws -> StoreMigration? {
    guard let destinationModel = route.destination, !route.mappings.isEmpty else { return nil }
    var options = options
    options.present = present
    return StoreMigration(
      storePath: path, destination: destination, source: route.source,
      destinationModel: destinationModel, models: route.project.models.all,
      mappings: route.mappings, policies: rehearsal.policies, options: options)
  }

  private func migrate(
    _ path: String, to result: String, version: String? = nil,
    options: MigrationOptions = MigrationOptions(), control: RunControl? = nil
  ) throws {
    let route = try route(of: path, to: version ?? target.name)
    guard let migration = try migration(path, .file(result), route, options) else {
      throw Skipped(reason: "the store is at “\(version ?? target.name)” already")
    }
    _ = try migration.run(control: control ?? self.control.partial())
  }

  /// Compares the result of a way with that of the direct one: every object, value and link.
  private func compare(_ result: String) throws {
    let report = try StoreComparison(
      expected: StoreFile.open(path: basePath), found: StoreFile.open(path: result),
      model: target, limit: Self.shownDifferences, isCancelled: { control.shouldStop }
    ).run()
    guard report.differenceCount > 0 else { return }
    let shown = report.differences.map {
      "\($0.name) \($0.key.map(String.init).joined(separator: "-")): \($0.kind.rawValue) "
        + $0.properties.joined(separator: ", ")
    }
    let count = NumberText.count(report.differenceCount, "difference")
    throw Mistake(
      "two ways gave different stores",
      reason: "\(count) from the direct way: \(shown.joined(separator: "; "))",
      remedy: "let each value depend on its source object alone, not on the clock, chance, or what "
        + "a policy remembers; if it does, \(Self.reportIt)")
  }
}

extension FileSystem {
  fileprivate func isThere(_ path: String) -> Bool { entry(path) != nil }
}
