internal import PassageDiagnostics
public import PassageEngine
public import PassageExpressions
public import PassageMappings
public import PassageModels
public import PassagePlatform
internal import PassageStores

/// Migrates stores from a source model to a destination model by an ordered list of mapping models.
/// It corresponds to Core Data's `NSMigrationManager`, but the memory it uses does not grow with
/// the store, its result is verified, and interrupted work is continued.
///
/// ```swift
/// let manager = MigrationManager(source: v1, destination: v2, policies: [StepOnePolicy.self])
/// let migration = manager.migrate(storeAt: source, to: destination, mappings: [stepOne, stepTwo])
/// for await progress in migration.progress { print(progress.fraction) }
/// let report = try await migration.value
/// ```
///
/// Mapping models refer to their models by name. Those of a history name its versions: there, give each
/// model the name of its version (`name`), because a model that is read from a file has the name of the
/// file. ``StoreUpgrade`` does so.
public struct MigrationManager: Sendable {
  /// The model the store must be compatible with.
  public let source: Model
  /// The model the migrated store will have.
  public let destination: Model
  let models: [String: Model]
  let policies: PolicyRegistry
  /// A name that two different models share, so that mapping models could mean either.
  private let ambiguousName: String?

  /// Creates a manager for two models. Models that were made in code are checked like those of files when
  /// a migration is planned or begins (`MOD-010` to `MOD-180`).
  ///
  /// - Parameters:
  ///   - source: the model the store must be compatible with.
  ///   - destination: the model the migrated store will have.
  ///   - intermediates: the models between the two, for mapping models that form several steps.
  ///   - policies: the policies that mapping models may name.
  ///   - functions: your own functions that filters and values may call by name.
  public init(
    source: Model, destination: Model, intermediates: [Model] = [],
    policies: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = []
  ) {
    self.source = source
    self.destination = destination
    var models: [String: Model] = [:]
    var ambiguousName: String?
    for model in [source, destination] + intermediates {
      if let other = models[model.name], other.versionHashes != model.versionHashes {
        ambiguousName = model.name
      }
      models[model.name] = models[model.name] ?? model
    }
    self.models = models
    self.ambiguousName = ambiguousName
    self.policies = PolicyRegistry(policies, functions: functions)
  }

  /// Starts a migration to a new file; the source is not changed.
  ///
  /// Nothing is written if the store is already compatible with the destination model, or if
  /// anything is wrong with the mapping models.
  ///
  /// - Parameters:
  ///   - storeURL: the source store.
  ///   - destinationURL: where the migrated store goes; no file may exist there. If it is the
  ///     result of the same migration, the outcome of the report is `upToDate`.
  ///   - mappings: the mapping models, in the order in which they run.
  ///   - options: how the migration is carried out.
  /// - Returns: the running migration.
  public func migrate(
    storeAt storeURL: URL, to destinationURL: URL, mappings: [MappingModel],
    options: MigrationOptions = MigrationOptions()
  ) -> Migration {
    start(storeURL.path, .file(destinationURL.path), mappings, options)
  }

  /// Starts a migration in place: the migrated store replaces the source. The old store is kept
  /// beside it unless the options say otherwise.
  public func migrate(
    storeInPlaceAt storeURL: URL, mappings: [MappingModel],
    options: MigrationOptions = MigrationOptions()
  ) -> Migration {
    start(storeURL.path, .inPlace, mappings, options)
  }

  private func start(
    _ storePath: String, _ destination: MigrationDestination, _ mappings: [MappingModel],
    _ options: MigrationOptions
  ) -> Migration {
    let migration = migration(storePath, destination, mappings, options)
    guard let ambiguity else { return migration.start() }
    return Migration(storePath: storePath) { _ in throw ambiguity }
  }

  /// The plan of ``migrate(storeAt:to:mappings:options:)`` with the same arguments. Nothing is
  /// written.
  ///
  /// - Throws: `MigrationError` with everything that is wrong, including the destination.
  public func plan(
    storeAt storeURL: URL, to destinationURL: URL, mappings: [MappingModel],
    options: MigrationOptions = MigrationOptions()
  ) async throws(MigrationError) -> MigrationPlan {
    try await plan(storeURL.path, .file(destinationURL.path), mappings, options)
  }

  /// The plan of ``migrate(storeInPlaceAt:mappings:options:)`` with the same arguments. Nothing is
  /// written.
  ///
  /// - Throws: `MigrationError` with everything that is wrong.
  public func plan(
    storeInPlaceAt storeURL: URL, mappings: [MappingModel],
    options: MigrationOptions = MigrationOptions()
  ) async throws(MigrationError) -> MigrationPlan {
    try await plan(storeURL.path, .inPlace, mappings, options)
  }

  private func plan(
    _ storePath: String, _ destination: MigrationDestination, _ mappings: [MappingModel],
    _ options: MigrationOptions
  ) async throws(MigrationError) -> MigrationPlan {
    if let ambiguity { throw ambiguity }
    let migration = migration(storePath, destination, mappings, options)
    return try await BackgroundWork(storePath: storePath) { _ in try migration.plan() }.value
  }

  func migration(
    _ storePath: String, _ destination: MigrationDestination, _ mappings: [MappingModel],
    _ options: MigrationOptions, prepared: PreparedCall? = nil
  ) -> StoreMigration {
    StoreMigration(
      storePath: storePath, destination: destination, source: source,
      destinationModel: self.destination, models: models, mappings: mappings, policies: policies,
      options: options, prepared: prepared)
  }

  var ambiguity: MigrationError? {
    ambiguousName.map { name in
      MigrationError(
        .wrongCall,
        Diagnostic(
          "PLN-022", "two different models are named “\(name)”",
          reason: "mapping models refer to their models by name",
          remedy: "give each model a different name"))
    }
  }
}
