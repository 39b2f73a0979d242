internal import Passage
internal import PassageDiagnostics
public import PassageEngine
public import PassageExpressions
internal import PassageFiles
internal import PassageMappings
public import PassagePlatform
internal import PassageProjects

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
    run(StoreNames(stores.lazy.map(\.path)), to: version, options, remote: { nil })
  }

  /// Starts the migration of stores that are not files here: each is fetched to a scratch folder,
  /// migrated there, and published if what is stored is still what was fetched. The list, the commands
  /// and the ledger are checked before anything is fetched.
  ///
  /// - Parameters:
  ///   - names: the names of the stores, each once, as the commands know them.
  ///   - transfer: the commands.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - options: how the fleet and each of its stores are migrated. What they say of folders for
  ///     results and of old stores is not used: the commands decide that.
  /// - Returns: the run, which has begun.
  public func run(
    named names: some Sequence<String>, through transfer: Transfer, to version: String? = nil,
    options: Options = Options()
  ) -> Run {
    var options = options
    (options.outputFolder, options.baseFolder) = (nil, nil)
    options.migration.oldStore = .remove
    return run(StoreNames(names), to: version, options) { try transfer.place() }
  }

  private func run(
    _ names: StoreNames, to version: String?, _ options: Options,
    remote: @escaping @Sendable () throws -> RemotePlace?
  ) -> Run {
    let (migrations, mappings, policies) = (migrations.path, mappings.path, policies)
    return Run(timeBudget: options.timeBudget) { control, tell in
      let remote = try remote()
      let project = try Project(migrationsDirectory: migrations, mappingsDirectory: mappings)
      var migration = options.migration
      // The time of the run is the time of all stores.
      migration.limits.timeBudget = nil
      let ways = FleetWays(
        project: project, wish: try Self.wish(options.mappings, version, project, migration),
        policies: policies, options: migration)
      let setup = try FleetSetup(
        StoreList(names: names), options.choice, places: options.places, ways: ways,
        limits: options.limits, ledgerPath: options.ledger?.path, remote: remote)
      let end = setup.run(control: control, progress: { _ in }) { tell(Result($0)) }
      return Summary(end, warnings: Diagnostics(setup.warnings.all + end.warnings.all))
    }
  }

  private static func wish(
    _ mappings: [String]?, _ version: String?, _ project: Project, _ migration: MigrationOptions
  ) throws -> FleetWays.Wish {
    if let mappings {
      guard version == nil else {
        throw MigrationError(
          .wrongCall,
          Diagnostic(
            "CMD-005", "mapping models and a version are both given",
            reason: "the mapping models themselves say which version they lead to",
            remedy: "give one of the two"), diskState: "nothing was written")
      }
      return .mappings(try project.mappingFolder.mappingModels(named: mappings))
    }
    let target = try project.versionToReach(version)
    return .version(
      StepSearch(
        project: project, version: target, isInferring: migration.allowed.inference,
        options: migration))
  }
}
