internal import PassageDiagnostics
public import PassageEngine
internal import PassageFiles
internal import PassageModels
public import PassagePlatform
internal import PassageProjects
internal import PassageStores

/// Migrates a store to the newest version of a project, in place. An app calls it at start-up.
///
/// ```swift
/// try await StoreUpgrade(migrations: directory).run(storeAt: url)
/// ```
///
/// If the store already has the newest version, only its metadata is read.
public struct StoreUpgrade: Sendable {
  let migrations: URL
  let mappings: URL
  private let policies: [any MigrationPolicy.Type]
  private let functions: [ValueFunction]

  /// Creates an upgrade for the folders of a project.
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
    self.policies = policies
    self.functions = functions
  }

  /// Migrates the store if it needs a migration.
  ///
  /// - Parameters:
  ///   - url: the store.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - options: how the migration is carried out.
  ///   - progress: called at the end of each batch but at most ten times per second, and at each
  ///     milestone, possibly on another thread.
  /// - Returns: the report; its outcome is `upToDate` when there was nothing to do.
  /// - Throws: an error when the store's version is not in the history, when no steps lead from it
  ///   to the requested version, or when the migration fails.
  @discardableResult
  public func run(
    storeAt url: URL, to version: String? = nil, options: MigrationOptions = MigrationOptions(),
    progress: (@Sendable (MigrationProgress) -> Void)? = nil
  ) async throws(MigrationError) -> MigrationReport {
    let migration = start(storeAt: url, to: version, options: options)
    if let progress {
      for await value in migration.progress { progress(value) }
    }
    return try await migration.value
  }

  /// Starts what ``run(storeAt:to:options:progress:)`` does, with progress and cancellation.
  ///
  /// - Parameters:
  ///   - url: the store.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - options: how the migration is carried out.
  /// - Returns: the running migration.
  public func start(
    storeAt url: URL, to version: String? = nil, options: MigrationOptions = MigrationOptions()
  ) -> Migration {
    Migration(storePath: url.path, timeBudget: options.limits.timeBudget) { control in
      try InterruptedCutOver.rollBack(storePath: url.path)
      let route = try route(storeAt: url, to: version, options: options)
      guard let migration = migration(storeAt: url, route, options) else {
        // The last upgrade may have been interrupted after its cut-over.
        let path = FileSystem().resolved(url.path)
        return MigrationReport(
          outcome: .upToDate, sourcePath: url.path, destinationPath: url.path,
          warnings: FinishedWork.remove(destinationPath: path, storePath: path))
      }
      return try migration.run(control: control)
    }
  }

  // MARK: The route

  /// The route from the store's version to a version of the history.
  func route(
    storeAt url: URL, to version: String?, options: MigrationOptions
  ) throws -> StoreRoute {
    try StoreRoute(
      storePath: url.path, version: version, migrations: migrations.path, mappings: mappings.path,
      allowsInference: options.allowed.inference, options: options)
  }

  /// The migration along a route; `nil` when the store already has the version.
  func migration(
    storeAt url: URL, _ route: StoreRoute, _ options: MigrationOptions
  ) -> StoreMigration? {
    guard let source = route.source, let destination = route.destination else { return nil }
    var options = options
    // Another process may have migrated the store since the route was determined.
    options.isAnsweredByVersion = true
    return MigrationManager(
      source: source, destination: destination,
      intermediates: Array(
        route.project.models.named(
          route.mappings.flatMap { [$0.source.value, $0.destination.value] }
        ).values),
      policies: policies, functions: functions
    ).migration(url.path, .inPlace, route.mappings, options)
  }
}
