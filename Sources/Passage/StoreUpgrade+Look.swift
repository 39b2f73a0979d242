internal import PassageDiagnostics
public import PassageEngine
public import PassagePlatform
internal import PassageProjects
internal import PassageStores

extension StoreUpgrade {
  /// The version of a store, and whether it needs a migration. Nothing is written.
  ///
  /// - Parameters:
  ///   - url: the store.
  ///   - version: the version to compare with; `nil` for the newest of the history.
  /// - Returns: both versions. The name is `nil` for a store whose version is not in the history.
  /// - Throws: an error of kind `wrongFile` when the project cannot be read, of kind `wrongCall`
  ///   when its history has no such version, and other errors when the store cannot be read.
  public func status(
    storeAt url: URL, for version: String? = nil
  ) async throws(MigrationError) -> StoreStatus {
    try await BackgroundWork(storePath: url.path) { _ in
      let project = try Project(
        migrationsDirectory: migrations.path, mappingsDirectory: mappings.path
      ).adoptingHashes(ofStoreAt: url.path)
      let (name, target) = try project.destination(version)
      let metadata =
        try project.metadata(
          ofForeignStoreAt: url.path, types: MigrationOptions().boundedStoreTypes,
          target: name)
        ?? StoreMetadata.read(path: url.path)
      // Two versions may have the same hashes; the store then has both.
      let found =
        metadata.versionHashes == target.versionHashes
        ? name : project.model(withHashes: metadata.versionHashes)?.name
      return StoreStatus(
        versionName: found, targetName: name, storeUUID: metadata.storeUUID)
    }.value
  }

  /// The plan of ``run(storeAt:to:options:progress:)`` with the same arguments. Nothing is written.
  ///
  /// - Parameters:
  ///   - url: the store.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - options: how the migration would be carried out.
  /// - Returns: the plan of the migration; its `isUpToDate` is `true` when none is needed.
  /// - Throws: everything that is wrong, in one error.
  public func plan(
    storeAt url: URL, to version: String? = nil, options: MigrationOptions = MigrationOptions()
  ) async throws(MigrationError) -> MigrationPlan {
    try await BackgroundWork(storePath: url.path) { _ in
      let route = try route(storeAt: url, to: version, options: options)
      guard let migration = migration(storeAt: url, route, options) else {
        return try MigrationPlan(upToDateStoreAt: url.path)
      }
      return try migration.plan()
    }.value
  }
}
