internal import CorpusPolicies
internal import Foundation
internal import Passage
internal import PassageTesting

/// Runs one migration, and compares its result with everything that can tell whether it is right.
struct MigrationRunner {
  let name: String
  let route: MigrationRoute
  let store: String

  /// What came out.
  struct Outcome {
    var migrated: MigratedStore
    var line: Report.MigrationLine
    var mistakes: [String]
  }

  /// Runs the migration twice, set lane and row lane, and compares.
  ///
  /// - Parameters:
  ///   - rows: queries of the named migration.
  ///   - twins: stores that must hold the same, each with what it is called.
  func run(
    rows: [MigrationCase.RowsCheck], twins: [(title: String, path: String)]
  ) async throws -> Outcome {
    let start = Date()
    let copy = try StoreCopy(of: store)
    let seal = try FolderSeal(path: copy.folder)
    let directory = try TemporaryDirectory()
    let path = directory.path("migrated.sqlite")
    let report = try await migrate(copy.path, to: path, isForcedToRows: false)
    var mistakes = report.steps.flatMap(\.mappings).filter { !$0.isBalanced }
      .map { "\($0.name): the account does not add up" }
    mistakes += try StoreAudit(path: path, model: route.destination).findings
    var comparisons: [String] = []

    // What `verify` does: every mapping object by object, and the results side by side.
    let again = directory.path("again.sqlite")
    _ = try await migrate(copy.path, to: again, isForcedToRows: true)
    let comparison = try compare(again, path)
    mistakes += comparison.mistakes
    comparisons.append("row lane")

    if route.isOneInference {
      let inferred = try InferredRows(
        source: StoreSide(path: copy.path, model: route.source),
        destination: StoreSide(path: path, model: route.destination))
      mistakes += try inferred.mistakes()
      comparisons.append("SQL of the models")
    }
    for check in rows {
      mistakes += try RowsComparison(
        name: check.name, expected: StoreQuery(path: copy.path).cursor(check.expected),
        found: StoreQuery(path: path).cursor(check.found), keyCount: 1
      ).mistakes()
    }
    if !rows.isEmpty { comparisons.append("SQL by hand") }
    if !route.isOneInference, rows.isEmpty, twins.isEmpty {
      mistakes.append("nothing independent says what the rows must be")
    }
    for twin in twins {
      mistakes += try compare(twin.path, path).mistakes.map { "\(twin.title): \($0)" }
      comparisons.append(twin.title)
    }
    // SQLite shares a log's index through a file of its own, which it makes for a reader too.
    mistakes += try seal.changes().filter { !$0.hasSuffix("-shm") }.map {
      "the source's \($0) was changed, added or removed"
    }
    return Outcome(
      migrated: MigratedStore(
        path: path, model: route.destination, directory: directory, report: report),
      line: Report.MigrationLine(
        name: name, steps: report.steps.count, objects: comparison.objects,
        comparisons: comparisons,
        digest: try StoreDigest(StoreSide(path: path, model: route.destination)).text,
        seconds: Date().timeIntervalSince(start), isVerified: mistakes.isEmpty),
      mistakes: mistakes)
  }

  private func migrate(
    _ source: String, to destination: String, isForcedToRows: Bool
  ) async throws -> MigrationReport {
    var options = MigrationOptions()
    options.lane = isForcedToRows ? .row : .automatic
    return try await StoreMigration(
      storePath: source, destination: .file(destination), source: route.source,
      destinationModel: route.destination,
      models: Dictionary(
        route.models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
      mappings: route.mappings, policies: PolicyRegistry(CorpusPolicies.all), options: options
    ).start().value
  }

  private func compare(
    _ expected: String, _ found: String
  ) throws -> (objects: Int64, mistakes: [String]) {
    let report = try StoreComparison(
      expected: StoreFile.open(path: expected), found: StoreFile.open(path: found),
      model: route.destination
    ).run()
    let objects = report.parts.filter { !$0.isJoinTable }.reduce(0) { $0 + $1.foundCount }
    return (
      objects,
      report.differences.map {
        "\($0.name) \($0.key): \($0.kind.rawValue) \($0.properties.joined(separator: ", "))"
      }
    )
  }
}
