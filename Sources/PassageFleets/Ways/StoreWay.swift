internal import PassageDiagnostics
package import PassageEngine
package import PassageFiles
package import PassageMappings
internal import PassageModels
internal import PassageStores

/// The way of every store of one version.
package struct StoreWay: Sendable {
  /// In the order in which they run; empty if the version is the one to reach.
  package let mappings: [MappingModel]
  /// The version to reach; `nil` if the mapping models decide.
  let target: Model?
  let models: [String: Model]
  package let prepared: PreparedCall?

  /// The name of the version at which the way begins; `nil` if there is nothing to do.
  package var sourceName: String? { mappings.first?.source.value }
  /// The name of the version to reach.
  package var targetName: String? { target?.name ?? mappings.last?.destination.value }

  /// The migration of a store; `nil` if the store has the version to reach.
  package func migration(
    of path: String, to destination: MigrationDestination, _ ways: FleetWays, files: FileSystem
  ) -> StoreMigration? {
    guard !mappings.isEmpty else { return nil }
    var options = ways.options
    if case .file(let result) = destination, options.output.type == nil {
      // The extension selects what is written.
      options.output.type = options.boundedStoreTypes.type(forDestination: result)?.name
    }
    return StoreMigration(
      storePath: path, destination: destination, source: nil, destinationModel: target,
      models: models, mappings: mappings, policies: ways.policies, options: options,
      files: files, prepared: options.output.type == ways.options.output.type ? prepared : nil)
  }
}
