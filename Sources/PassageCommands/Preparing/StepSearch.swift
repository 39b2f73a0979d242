internal import Passage

/// Finds the mapping models that lead from a store's version to another, in the history.
struct StepSearch {
  let project: Project
  let storePath: String
  /// Whether a mapping may be inferred where the history has none.
  let isInferring: Bool
  let options: MigrationOptions

  /// The mapping models, in the order they run, and the model they lead to; no mapping models when
  /// the store is at that version already.
  ///
  /// - Parameter version: the version to reach; `nil` for the newest of the history, where exactly
  ///   one way leads to it.
  /// - Throws: what ``StoreRoute`` throws, and ``MigrationError`` of kind `wrongCall` with
  ///   `CMD-008` (no version to reach) or `CMD-009` (several ways).
  func mappings(to version: String?) throws -> ([MappingModel], Model) {
    guard let name = version ?? project.defaultVersionName, let target = project.models[name] else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-008", "nothing says what the store should become",
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
          "CMD-009", "more than one way leads from “\(source.name)” to “\(name)”",
          reason: "the history connects them by several lists of steps",
          remedy: "say which: --to \(name) takes the shortest, --mappings names its own"))
    }
    return (route.mappings, target)
  }

  /// Whether the history has a way that leaves out at least one step of the shortest.
  ///
  /// - Complexity: O(s · (v + e)) for s steps of the way, v versions and e steps of the history.
  private func hasOtherWay(from source: String, to target: String) -> Bool {
    (project.history.path(from: source, to: target) ?? []).contains { step in
      var history = project.history
      history.steps.removeAll { $0 == step }
      return history.path(from: source, to: target) != nil
    }
  }
}
