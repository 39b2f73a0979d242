internal import PassageDiagnostics
public import PassageEngine
internal import PassageFiles
internal import PassageMappings
internal import PassageProjects
internal import Passage
public import PassageExpressions
public import PassagePlatform

/// Migrates many stores to the newest version of a project: one for each user, tenant or device.
///
/// The project is read once, and the way of each version is checked and planned once. Stores are
/// migrated on several threads and become durable in groups. One that fails stays as it was and does
/// not stop the others, and one that is done costs a look at its record: the same call again goes on.
///
/// ```swift
/// let fleet = StoreFleet(migrations: directory)
/// let run = fleet.run(stores: urls)
/// for await result in run.results where result.outcome == .failed {
///   print(result.store.path, result.error?.diagnostics.first?.message ?? "")
/// }
/// let summary = try await run.value
/// print(summary.migrated, summary.failed)
/// ```
public struct StoreFleet: Sendable {
  private let migrations: URL
  private let mappings: URL
  private let policies: PolicyRegistry

  /// Creates a fleet for the folders of a project.
  ///
  /// - Parameters:
  ///   - migrations: the folder with `history.json` and the models.
  ///   - mappings: the folder with the mapping models; if `nil`, the folder `Mappings` beside
  ///     `migrations`.
  ///   - policies: the policies that mapping models may name.
  ///   - functions: your own functions that filters and values may call by name.
  public init(
    migrations: URL, mappings: URL? = nil, policies: [any MigrationPolicy.Type] = [],
    functions: [ValueFunction] = []
  ) {
    self.migrations = migrations
    self.mappings =
      mappings ?? migrations.deletingLastPathComponent().appending(path: "Mappings")
    self.policies = PolicyRegistry(policies, functions: functions)
  }

  /// Starts the migration of stores. The list, the results and the ledger are checked before anything
  /// is written.
  ///
  /// - Parameters:
  ///   - stores: the stores, each once.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - options: how the fleet and each of its stores are migrated.
  /// - Returns: the run, which has begun.
  public func run(
    stores: some Sequence<URL>, to version: String? = nil, options: Options = Options()
  ) -> Run {
    let names = StoreNames(stores.lazy.map(\.path))
    let (migrations, mappings, policies) = (migrations.path, mappings.path, policies)
    return Run(timeBudget: options.timeBudget) { control, tell in
      let project = try Project(migrationsDirectory: migrations, mappingsDirectory: mappings)
      guard let target = version ?? project.versionNames.last else {
        throw MigrationError(
          .wrongCall,
          Diagnostic(
            "PLN-017", "the history has no versions",
            at: SourceLocation(file: migrations + "/history.json")))
      }
      var migration = options.migration
      // The time of the run is the time of all stores.
      migration.limits.timeBudget = nil
      let search = StepSearch(
        project: project, version: target, isInferring: migration.allowed.inference,
        options: migration)
      let ways = FleetWays(
        project: project, wish: .version(search), policies: policies, options: migration)
      let setup = try FleetSetup(
        StoreList(names: names), FleetSetup.Choice(), places: options.places, ways: ways,
        limits: options.limits, ledgerPath: options.ledger?.path)
      return Summary(setup.run(control: control, progress: { _ in }) { tell(Result($0)) })
    }
  }
}
