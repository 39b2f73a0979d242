internal import Passage

/// Finds the mapping models in the history that lead from a store's version to another.
struct StepSearch {
  let project: Project
  let storePath: String
  /// Whether a mapping model may be inferred if the history has none.
  let isInferring: Bool
  let options: MigrationOptions

  /// The mapping models, in the order in which they run, and the model at the end; no mapping
  /// models if the store is already at that version.
  ///
  /// - Parameter version: the target version; `nil` for the newest of the history, if exactly one
  ///   path leads to it.
  /// - Throws: the errors of ``StoreRoute``, and ``MigrationError`` of kind `wrongCall` with
  ///   `CMD-008` (no target version) or `CMD-009` (several paths), of kind `wrongFile` for a version
  ///   of a bundle that cannot be read.
  func mappings(to version: String?) throws -> ([MappingModel], Model) {
    let name = version ?? project.defaultVersionName
    do {
      if let name { try project.checkReadable(name) }
    } catch {
      throw MigrationError(.wrongFile, error)
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
    let route = try StoreRoute(
      storePath: storePath, version: name, project: project, allowsInference: isInferring,
      options: options)
    if version == nil, let source = route.source, hasOtherWay(from: source.name, to: name) {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-009", "several paths lead from “\(source.name)” to “\(name)”",
          reason: "the history connects them by more than one list of steps",
          remedy: "choose one: --to \(name) takes the shortest, --mappings names the mapping "
            + "models of any"))
    }
    return (route.mappings, target)
  }

  /// Whether the history has another path that avoids at least one step of the shortest.
  ///
  /// - Complexity: O(s · (v + e)) for s steps of the path, v versions and e steps of the history.
  private func hasOtherWay(from source: String, to target: String) -> Bool {
    (project.history.path(from: source, to: target) ?? []).contains { step in
      var history = project.history
      history.steps.removeAll { $0 == step }
      return history.path(from: source, to: target) != nil
    }
  }
}
