internal import Passage

/// Finds the mapping models that lead from a store's version to another, in the history.
struct StepSearch {
  let project: Project
  let storePath: String
  /// Whether a mapping may be inferred where the history has none.
  let isInferring: Bool

  /// The mapping models, in the order they run, and the model they lead to.
  ///
  /// - Parameter target: the model to reach; `nil` for the newest version of the history, where
  ///   exactly one way leads to it.
  /// - Throws: ``MigrationError``: `sourceModelUnknown`, `noMapping`, `wrongCall` when there are
  ///   several ways or no versions, `wrongFile` when a mapping model is wrong; and the store's own.
  func mappings(to target: Model?) throws -> ([MappingModel], Model) {
    let metadata = try metadata()
    let isGuessed = target == nil
    guard let target = target ?? project.versionNames.last.flatMap({ project.models[$0] }) else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-008", "it is not said what the store is to become",
          reason: "there is no history with versions in \(project.migrationsDirectory)",
          remedy: "name mapping models, for instance --mappings StepOne,StepTwo"))
    }
    let compatibility = Compatibility(recordedHashes: metadata.versionHashes, model: target)
    if compatibility.isCompatible { return ([], target) }
    guard let source = project.model(withHashes: metadata.versionHashes) else {
      throw MigrationError(.sourceModelUnknown, unknown(compatibility))
    }
    guard let steps = project.history.path(from: source.name, to: target.name) else {
      throw MigrationError(.noMapping, missing(from: source.name, to: target.name))
    }
    if isGuessed, hasOtherWay(from: source.name, to: target.name, than: steps) {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-009", "more than one way leads from “\(source.name)” to “\(target.name)”",
          reason: "the history joins them by several lists of steps",
          remedy: "say which: --to \(target.name) takes the shortest, --mappings names them"))
    }
    return (try project.mappingModels(named: steps.flatMap { $0.mappings.map(\.value) }), target)
  }

  private func metadata() throws(MigrationError) -> StoreMetadata {
    do {
      return try StoreMetadata.read(path: storePath)
    } catch {
      throw MigrationError(MigrationError.Kind(error), error.diagnostic)
    }
  }

  private func unknown(_ compatibility: Compatibility) -> Diagnostic {
    Diagnostic(
      "PLN-016", "the store is of no known version", at: SourceLocation(file: storePath),
      reason: "\(compatibility)",
      remedy: "name the model the store was written with (--models PATH)")
  }

  private func missing(from source: String, to target: String) -> Diagnostic {
    Diagnostic(
      "PLN-014", "no steps lead from “\(source)” to “\(target)”",
      at: SourceLocation(file: "\(project.migrationsDirectory)/history.json"),
      reason: isInferring ? "mapping models cannot be inferred in this version" : nil,
      remedy: "write a mapping model and add a step to the history, or name it with --mappings")
  }

  /// Whether the history has a way that leaves out at least one step of the one given.
  ///
  /// - Complexity: O(s · (v + e)) for s steps of the way, v versions and e steps of the history.
  private func hasOtherWay(
    from source: String, to target: String, than way: [History.Step]
  ) -> Bool {
    way.contains { step in
      var history = project.history
      history.steps.removeAll { $0 == step }
      return history.path(from: source, to: target) != nil
    }
  }
}
