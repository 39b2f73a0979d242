internal import PassageDiagnostics
package import PassageEngine
package import PassageMappings
package import PassageModels

/// Finds the mapping models in the history that lead from a store's version to another, for a call
/// of the command line.
package struct StepSearch: Sendable {
  package let project: Project
  /// The target version; `nil` for the newest of the history, if exactly one path leads to it.
  package let version: String?
  /// Whether a mapping model may be inferred if the history has none.
  package let isInferring: Bool
  package let options: MigrationOptions

  /// How many paths a message names.
  package static let shownPaths = 3

  package init(
    project: Project, version: String?, isInferring: Bool, options: MigrationOptions
  ) {
    self.project = project
    self.version = version
    self.isInferring = isInferring
    self.options = options
  }

  /// The version at the end.
  ///
  /// - Throws: ``MigrationError`` of kind `wrongCall` with `CMD-008` (no target version), of kind
  ///   `wrongFile` for a version of a bundle that cannot be read.
  package func target() throws -> (name: String, model: Model) {
    let name = version ?? project.defaultVersionName
    do {
      if let name { try project.checkReadable(name) }
    } catch {
      // A disk that failed is no mistake in a file.
      throw MigrationError(error.failureKind == .inputOutput ? .inputOutput : .wrongFile, error)
    }
    guard let name, let target = project.models[name] else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-008", "the version to migrate to is not given",
          reason: "there is no history with versions in \(project.migrationsDirectory)",
          remedy: "name mapping models, for instance --mappings StepOne,StepTwo, or a model with "
            + "--models PATH and --to VERSION"))
    }
    return (name, target)
  }

  /// The mapping models, in the order in which they run, and the model at the end; no mapping
  /// models if the store is already at that version.
  ///
  /// - Throws: the errors of ``StoreRoute`` and of ``target()``, and ``MigrationError`` of kind
  ///   `wrongCall` with `CMD-009` (several paths).
  package func mappings(ofStoreAt storePath: String) throws -> ([MappingModel], Model) {
    if version == nil,
      let own = try project.ownModel(
        ofForeignStoreAt: storePath, types: options.boundedStoreTypes)
    {
      return ([try StoreRoute.copy(of: own)], own)
    }
    let target = try target()
    return try mappings(
      of: StoreRoute(
        storePath: storePath, version: target.name, project: project, allowsInference: isInferring,
        options: options), to: target)
  }

  /// The same for a store in Core Data's layout whose version hashes were read, in a project that
  /// has adopted what the store tells.
  package func mappings(
    fromHashes hashes: [String: [UInt8]], storePath: String
  ) throws -> ([MappingModel], Model) {
    let target = try target()
    return try mappings(
      of: StoreRoute(
        hashes: hashes, storePath: storePath, version: target.name, project: project,
        allowsInference: isInferring, options: options), to: target)
  }

  private func mappings(
    of route: StoreRoute, to target: (name: String, model: Model)
  ) throws -> ([MappingModel], Model) {
    guard version == nil, let source = route.source else { return (route.mappings, target.model) }
    let paths = project.history.paths(from: source.name, to: target.name, limit: Self.shownPaths)
    guard paths.count < 2 else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-009", "several paths lead from “\(source.name)” to “\(target.name)”",
          at: SourceLocation(file: project.migrationsDirectory + "/history.json"),
          reason: "the history leads there " + History.sentence(paths),
          remedy:
            "choose one: \(ShellText.option("--to", target.name)) takes the shortest, --mappings "
            + "names the mapping models of any"))
    }
    return (route.mappings, target.model)
  }
}
