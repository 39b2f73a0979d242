internal import PassageDiagnostics
public import PassageEngine
public import PassageExpressions
public import PassageMappings
public import PassageModels
public import PassagePlatform
internal import PassageProjects

/// Installs the pre-filled store of an app if the app has no store yet. An app calls it before it
/// opens its store.
///
/// ```swift
/// let installer = StoreInstaller(migrations: directory)
/// try await installer.install(from: bundledStore, to: storeURL)
/// ```
///
/// The store is installed as a unit, with the transactions in its log and its files of external
/// data. If it has an older version, it is migrated. If several processes start together, one of
/// them installs it. If the call is interrupted, either nothing or the whole store is at the
/// destination, and the same call completes it. An existing store is never changed, whatever its
/// version.
public struct StoreInstaller: Sendable {
  /// What the installer reads before it starts.
  private struct Knowledge: Sendable {
    var target: Model?
    var models: [String: Model] = [:]
    var route: StoreInstallation.Route
  }

  private let policies: PolicyRegistry
  private let learn: @Sendable (_ allowsInference: Bool) throws -> Knowledge

  /// Creates an installer that keeps a store's model, or requires one model. Models that were made in code
  /// are checked before anything is written (`MOD-010` to `MOD-180`).
  ///
  /// - Parameters:
  ///   - model: the model the installed store must have; `nil` for that of the pre-filled store.
  ///   - mappings: the mapping models that migrate a pre-filled store of another model to it, in
  ///     the order in which they run; if there are none, such a store is refused.
  ///   - models: the other models that the mapping models name.
  ///   - policies: the policies that mapping models may name.
  ///   - functions: your own functions that filters and values may call by name.
  public init(
    model: Model? = nil, mappings: [MappingModel] = [], models: [Model] = [],
    policies: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = []
  ) {
    self.policies = PolicyRegistry(policies, functions: functions)
    let known = Dictionary(
      ((model.map { [$0] } ?? []) + models).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    learn = { _ in
      try known.values.refuseMistakes()
      return Knowledge(target: model, models: known) { _ in mappings }
    }
  }

  /// Creates an installer for the newest version of a project. A pre-filled store of an earlier
  /// version is migrated during the installation, by the steps of the history.
  ///
  /// - Parameters:
  ///   - migrations: the folder with `history.json` and the models.
  ///   - mappings: the folder with the mapping models; if `nil`, the folder `Mappings` beside
  ///     `migrations`.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - policies: the policies that mapping models may name.
  ///   - functions: your own functions that filters and values may call by name.
  public init(
    migrations: URL, mappings: URL? = nil, version: String? = nil,
    policies: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = []
  ) {
    self.policies = PolicyRegistry(policies, functions: functions)
    let mappings = mappings ?? migrations.deletingLastPathComponent().appending(path: "Mappings")
    learn = { allowsInference in
      let project = try Project(
        migrationsDirectory: migrations.path, mappingsDirectory: mappings.path)
      let (name, target) = try project.destination(version)
      return Knowledge(target: target, models: project.models.all) { storePath in
        try StoreRoute(
          storePath: storePath, version: name, project: project, allowsInference: allowsInference,
          options: MigrationOptions()
        ).mappings
      }
    }
  }

  /// Installs the store if the destination has none.
  ///
  /// - Parameters:
  ///   - bundled: the pre-filled store. Its folder may be read-only, and it may be in use.
  ///   - destination: where the store goes; the folder must exist.
  ///   - options: how the installation is carried out: the store's UUID, how long to wait for
  ///     another process, and the options of a migration during the installation.
  /// - Returns: what was done. If there was a store, the outcome is `alreadyThere`, and the report
  ///   has its version and whether it needs a migration.
  /// - Throws: `MigrationError`, as `StoreInstallation` does.
  @discardableResult
  public func install(
    from bundled: URL, to destination: URL,
    options: InstallationOptions = InstallationOptions()
  ) async throws(MigrationError) -> InstallationReport {
    try await start(from: bundled, to: destination, options: options).value
  }

  /// Starts what ``install(from:to:options:)`` does, with progress and cancellation.
  ///
  /// - Parameters:
  ///   - bundled: the pre-filled store.
  ///   - destination: where the store goes; the folder must exist.
  ///   - options: how the installation is carried out.
  /// - Returns: the running installation.
  public func start(
    from bundled: URL, to destination: URL,
    options: InstallationOptions = InstallationOptions()
  ) -> Installation {
    Installation(storePath: bundled.path, timeBudget: options.migration.limits.timeBudget) {
      control in
      let knowledge = try learn(options.migration.allowed.inference)
      return try StoreInstallation(
        sourcePath: bundled.path, destinationPath: destination.path, target: knowledge.target,
        models: knowledge.models, policies: policies, options: options, route: knowledge.route
      ).run(control: control)
    }
  }
}
