internal import PassageDiagnostics
public import PassageEngine
internal import PassageProjects
internal import PassageStores
public import PassagePlatform

extension StoreUpgrade {
  /// Which version a store is, and whether it needs a migration; nothing is written.
  ///
  /// - Parameters:
  ///   - url: the store.
  ///   - version: the version to compare with; `nil` for the newest of the history.
  /// - Returns: both versions. A store of a version that is not in the history has no name.
  /// - Throws: of kind `wrongFile` when the project cannot be read, `wrongCall` when its history has no
  ///   such version, and those of a store that cannot be read.
  public func status(
    storeAt url: URL, for version: String? = nil
  ) async throws(MigrationError) -> StoreStatus {
    try await BackgroundWork(storePath: url.path) { _ in
      let project = try Project(
        migrationsDirectory: migrations.path, mappingsDirectory: mappings.path
      ).adoptingHashes(ofStoreAt: url.path)
      guard let name = version ?? project.versionNames.last, let target = project.models[name]
      else {
        throw MigrationError(
          .wrongCall,
          Diagnostic(
            "PLN-018", "the history has no version “\(version ?? "")”",
            remedy: "its versions are: \(project.versionNames.joined(separator: ", "))"))
      }
      let metadata = try StoreMetadata.read(path: url.path)
      // Two versions may have the same hashes: then the store is at either.
      let found =
        metadata.versionHashes == target.versionHashes
        ? name : project.model(withHashes: metadata.versionHashes)?.name
      return StoreStatus(
        versionName: found, targetName: name, storeUUID: metadata.storeUUID)
    }.value
  }

  /// What ``run(storeAt:to:options:progress:)`` would do with the same arguments; nothing is written.
  ///
  /// - Parameters:
  ///   - url: the store.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - options: how the migration would be carried out.
  /// - Returns: the plan of the migration that would run; `isUpToDate` when none would.
  /// - Throws: everything that is wrong, all at once.
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
