internal import PassageDiagnostics
public import PassageEngine
public import PassageExpressions
public import PassageMappings
public import PassageModels
internal import PassageProjects
public import PassagePlatform

/// Puts the pre-filled store of an app in place when the app has none yet: what an app calls before it
/// opens its store.
///
/// ```swift
/// let installer = StoreInstaller(migrations: directory)
/// try await installer.install(from: bundledStore, to: storeURL)
/// ```
///
/// The store arrives as one unit, with what waits in its log and its files of external data, migrated
/// where it is of an older version. Of several processes that start together one installs it. Whatever
/// interrupts the call, there is nothing at the destination or the whole store, and the same call
/// finishes. An existing store is left alone, whatever its version.
public struct StoreInstaller: Sendable {
  /// What the installer finds out before anything else.
  private struct Knowledge: Sendable {
    var target: Model?
    var models: [String: Model] = [:]
    var route: StoreInstallation.Route
  }

  private let policies: PolicyRegistry
  private let learn: @Sendable (_ allowsInference: Bool) throws -> Knowledge

  /// An installer of stores as they are, or of one model.
  ///
  /// - Parameters:
  ///   - model: the model the installed store must have; `nil` for whatever the pre-filled store has.
  ///   - mappings: the mapping models that lead a pre-filled store of another model to it, in the order
  ///     they run; with none, such a store is refused.
  ///   - models: the other models that the mapping models name.
  ///   - policies: the policies that mapping models may name.
  ///   - functions: functions of your own that filters and values may call by name.
  public init(
    model: Model? = nil, mappings: [MappingModel] = [], models: [Model] = [],
    policies: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = []
  ) {
    self.policies = PolicyRegistry(policies, functions: functions)
    let known = Dictionary(
      ((model.map { [$0] } ?? []) + models).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    learn = { _ in Knowledge(target: model, models: known) { _ in mappings } }
  }

  /// An installer of stores of the newest version of a project: a pre-filled store of an earlier one is
  /// migrated on the way in, by the steps of the history.
  ///
  /// - Parameters:
  ///   - migrations: the folder with `history.json` and the models.
  ///   - mappings: the folder with the mapping models; `Mappings` beside the first when it is `nil`.
  ///   - version: the version to reach; `nil` for the newest of the history.
  ///   - policies: the policies that mapping models may name.
  ///   - functions: functions of your own that filters and values may call by name.
  public init(
    migrations: URL, mappings: URL? = nil, version: String? = nil,
    policies: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = []
  ) {
    self.policies = PolicyRegistry(policies, functions: functions)
    let mappings = mappings ?? migrations.deletingLastPathComponent().appending(path: "Mappings")
    learn = { allowsInference in
      let project = try Project(
        migrationsDirectory: migrations.path, mappingsDirectory: mappings.path)
      let name = version ?? project.versionNames.last
      guard let name, let target = project.models[name] else {
        throw MigrationError(
          .wrongCall,
          Diagnostic(
            "PLN-018", "the history has no version “\(name ?? "")”",
            remedy: "its versions are: \(project.versionNames.joined(separator: ", "))"))
      }
      return Knowledge(target: target, models: project.models) { storePath in
        try StoreRoute(
          storePath: storePath, version: name, project: project, allowsInference: allowsInference,
          options: MigrationOptions()
        ).mappings
      }
    }
  }

  /// Installs the store when there is none.
  ///
  /// - Parameters:
  ///   - bundled: the pre-filled store; it may lie in a folder that cannot be written, and be in use.
  ///   - destination: where it goes; the folder must exist.
  ///   - options: how it is carried out: which UUID it gets, how long another process is waited for,
  ///     and what a migration on the way in does.
  /// - Returns: what was done; the outcome is `alreadyThere` when there was a store, with its version
  ///   and whether it needs a migration.
  /// - Throws: `MigrationError`, as `StoreInstallation` does.
  @discardableResult
  public func install(
    from bundled: URL, to destination: URL,
    options: InstallationOptions = InstallationOptions()
  ) async throws(MigrationError) -> InstallationReport {
    try await start(from: bundled, to: destination, options: options).value
  }

  /// Starts what ``install(from:to:options:)`` does, to be watched and stopped.
  ///
  /// - Parameters:
  ///   - bundled: the pre-filled store.
  ///   - destination: where it goes; the folder must exist.
  ///   - options: how it is carried out.
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
