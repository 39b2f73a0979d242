public import PassageEngine
internal import PassageMappings
internal import PassagePlanning
public import PassagePlatform
internal import PassageStores

/// A migration that is checked and planned once, and then run on any number of stores.
///
/// What does not depend on a store is done when the migration is prepared: mapping models are
/// checked, predicates and expressions are parsed and bound, and the empty stores in which small
/// migrations work are made once. Use it to migrate many small stores in one process.
///
/// ```swift
/// let manager = MigrationManager(source: v1, destination: v2, policies: [StepOnePolicy.self])
/// let prepared = try manager.prepare(mappings: [stepOne, stepTwo])
/// for store in stores {
///   _ = try await prepared.migrate(storeInPlaceAt: store).value
/// }
/// ```
///
/// It can be used from several tasks at once.
public struct PreparedMigration: Sendable {
  private let manager: MigrationManager
  private let mappings: [MappingModel]
  private let options: MigrationOptions
  private let prepared: PreparedCall

  init(_ manager: MigrationManager, mappings: [MappingModel], options: MigrationOptions) throws {
    var (mappings, options) = (mappings, options)
    if mappings.isEmpty, options.allowed.inference {
      mappings = try manager.inferredMappings()
      // As for every call without mapping models.
      options.isAnsweredByVersion = true
    }
    self.manager = manager
    self.mappings = mappings
    self.options = options
    prepared = try manager.preparedCall(mappings, options)
  }

  /// Starts the migration of a store to a new file; the source is not changed.
  ///
  /// - Parameters:
  ///   - storeURL: the source store.
  ///   - destinationURL: where the migrated store goes; no file may exist there, except the result
  ///     of the same migration.
  /// - Returns: the running migration, as from
  ///   ``MigrationManager/migrate(storeAt:to:mappings:options:)``.
  public func migrate(storeAt storeURL: URL, to destinationURL: URL) -> Migration {
    start(storeURL.path, .file(destinationURL.path))
  }

  /// Starts the migration of a store in place: the migrated store replaces it.
  ///
  /// - Returns: the running migration, as from
  ///   ``MigrationManager/migrate(storeInPlaceAt:mappings:options:)``.
  public func migrate(storeInPlaceAt storeURL: URL) -> Migration {
    start(storeURL.path, .inPlace)
  }

  private func start(_ path: String, _ destination: MigrationDestination) -> Migration {
    manager.migration(path, destination, mappings, options, prepared: prepared).start()
  }
}

extension MigrationManager {
  /// Checks and plans a list of mapping models once, for many stores.
  ///
  /// - Parameters:
  ///   - mappings: the mapping models, in the order in which they run. If there are none, they are
  ///     inferred, if the options allow it.
  ///   - options: how the migrations are carried out.
  /// - Returns: a migration that can be run on any store of the source model.
  /// - Throws: `MigrationError` with everything that is wrong with the mapping models and policies, or with
  ///   models that were made in code.
  public func prepare(
    mappings: [MappingModel], options: MigrationOptions = MigrationOptions()
  ) throws(MigrationError) -> PreparedMigration {
    if let ambiguity { throw ambiguity }
    do {
      return try PreparedMigration(self, mappings: mappings, options: options)
    } catch {
      throw MigrationError(error, store: "")
    }
  }

  func inferredMappings() throws -> [MappingModel] {
    try models.values.refuseMistakes()
    do {
      return try InferredWay.mappings(from: source, to: destination, among: models.values)
    } catch {
      throw MigrationError(.noMapping, error)
    }
  }

  func preparedCall(
    _ mappings: [MappingModel], _ options: MigrationOptions
  ) throws -> PreparedCall {
    try PreparedCall(mappings, models: models, policies: policies, options: options)
  }
}
