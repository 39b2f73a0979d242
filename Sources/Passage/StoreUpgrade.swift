internal import PassageFiles
internal import PassageDiagnostics
public import PassageEngine
internal import PassageModels
internal import PassageProjects
internal import PassageStores
public import PassagePlatform

/// Brings a store to the newest version of a project, in place: what an app calls at start-up.
///
/// ```swift
/// try await StoreUpgrade(migrations: directory).run(storeAt: url)
/// ```
///
/// A store that is at the newest version already costs one look at its metadata.
public struct StoreUpgrade: Sendable {
  let migrations: URL
  let mappings: URL
  private let policies: [any MigrationPolicy.Type]
  private let functions: [ValueFunction]

  /// Names the folders of a project, and what its mapping models may use.
  ///
  /// - Parameters:
  ///   - migrations: the folder with `history.json` and the models.
  ///   - mappings: the folder with the mapping models; `Mappings` beside the first when it is `nil`.
  ///   - policies: the policies that mapping models may name.
  ///   - functions: functions of your own that filters and values may call by name.
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

  /// Migrates the store when it needs it.
  ///
  /// - Parameters:
  ///   - url: the store.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - options: how the migration is carried out.
  ///   - progress: called about ten times a second, from another thread.
  /// - Returns: the report; its outcome is `upToDate` when nothing was to do.
  /// - Throws: why it did not come about: the store's version is not in the history, no steps lead from
  ///   it to the version asked for, or anything that ends a migration.
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

  /// Starts what ``run(storeAt:to:options:progress:)`` does, to be watched and stopped.
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

  // MARK: The way

  /// The way from the version the store has to one of the history.
  func route(
    storeAt url: URL, to version: String?, options: MigrationOptions
  ) throws -> StoreRoute {
    try StoreRoute(
      storePath: url.path, version: version, migrations: migrations.path, mappings: mappings.path,
      allowsInference: options.allowed.inference, options: options)
  }

  /// The migration that goes it; `nil` when the store is there.
  func migration(
    storeAt url: URL, _ route: StoreRoute, _ options: MigrationOptions
  ) -> StoreMigration? {
    guard let source = route.source, let destination = route.destination else { return nil }
    var options = options
    // Another process may have brought the store there since the way was found.
    options.isAnsweredByVersion = true
    return MigrationManager(
      source: source, destination: destination, intermediates: Array(route.project.models.values),
      policies: policies, functions: functions
    ).migration(url.path, .inPlace, route.mappings, options)
  }
}
