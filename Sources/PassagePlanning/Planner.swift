package import PassageDiagnostics
package import PassageExpressions
package import PassageMappings
package import PassageModels

/// Consecutive passes with the same source and destination model, with all names checked.
package struct PlannedStep: Sendable {
  package var source: Model
  package var destination: Model
  /// The passes, in the order in which they run.
  package var passes: [BoundMapping]
}

/// Groups an ordered list of mapping models into steps, and checks all of them.
package struct Planner {
  /// The most mapping models of a step: each is checked against all others.
  package static let maximumPasses = 1_000

  /// The models that mapping models may name, by name.
  private let models: [String: Model]
  private let policies: [PolicySignature]
  private let functions: FunctionLibrary
  private var diagnostics = Diagnostics()

  /// Plans an ordered list of mapping models.
  ///
  /// - Parameters:
  ///   - mappings: the mapping models, in the order in which they run.
  ///   - models: every model they may name, by name.
  ///   - policies: the registered policies.
  ///   - functions: the functions that filters and values may call.
  /// - Returns: the steps, in order, and warnings: `PLN-024` for a mapping model that a step has more
  ///   than once, and those of `MappingChecker`.
  /// - Throws: everything that is wrong: `PLN-010` for an unknown model, `PLN-011` for a mapping
  ///   model that neither has the same two models as the previous one nor starts where it ends,
  ///   `PLN-012` for an entity whose objects no entity mapping migrates, `PLN-013` for an empty
  ///   list, `PLN-023` for a step of more than ``maximumPasses`` mapping models, and the codes of
  ///   `MappingChecker`.
  package static func plan(
    _ mappings: [MappingModel], models: [String: Model], policies: [PolicySignature],
    functions: FunctionLibrary = .standard
  ) throws(Diagnostics) -> (steps: [PlannedStep], warnings: Diagnostics) {
    var planner = Planner(models: models, policies: policies, functions: functions)
    let steps = planner.steps(mappings)
    try planner.diagnostics.throwIfErrors()
    return (steps, planner.diagnostics)
  }

  private init(
    models: [String: Model], policies: [PolicySignature], functions: FunctionLibrary
  ) {
    self.models = models
    self.policies = policies
    self.functions = functions
  }

  private mutating func steps(_ mappings: [MappingModel]) -> [PlannedStep] {
    guard !mappings.isEmpty else {
      diagnostics.append(
        Diagnostic(
          "PLN-013", "no mapping model is named",
          remedy: "name at least one, for instance --mappings StepOne,StepTwo"))
      return []
    }
    var groups: [[MappingModel]] = []
    for mapping in mappings {
      guard let last = groups.last?.last else {
        groups.append([mapping])
        continue
      }
      if isFurtherPass(mapping, after: last) {
        groups[groups.count - 1].append(mapping)
      } else if isSame(last.destination.value, mapping.source.value) {
        groups.append([mapping])
      } else {
        diagnostics.append(
          Diagnostic(
            "PLN-011",
            "“\(mapping.name)” (\(mapping.source.value) to \(mapping.destination.value)) does not "
              + "follow “\(last.name)” (\(last.source.value) to \(last.destination.value))",
            at: mapping.source.location,
            reason: "it neither has the same two models nor starts at “\(last.destination.value)”",
            remedy: "put the mapping models into an order in which each continues from the last"))
        groups.append([mapping])
      }
    }
    return groups.compactMap { step($0) }
  }

  /// Whether a mapping model goes between the same two models as the one before.
  ///
  /// Versions that differ in what has no hash, such as default values, have the same hashes. Their names tell
  /// a mapping model that starts where the last one ends from another pass between the same models.
  private func isFurtherPass(_ mapping: MappingModel, after last: MappingModel) -> Bool {
    guard isSame(last.source.value, mapping.source.value),
      isSame(last.destination.value, mapping.destination.value)
    else { return false }
    let isSameByName =
      last.source.value == mapping.source.value
      && last.destination.value == mapping.destination.value
    return isSameByName || last.destination.value != mapping.source.value
  }

  /// Whether two names mean the same version: they are equal, or their models have the same hashes.
  private func isSame(_ a: String, _ b: String) -> Bool {
    if a == b { return true }
    guard let a = models[a], let b = models[b] else { return false }
    return a.versionHashes == b.versionHashes
  }

  private mutating func step(_ mappings: [MappingModel]) -> PlannedStep? {
    guard let first = mappings.first, let source = model(first.source),
      let destination = model(first.destination)
    else { return nil }
    guard mappings.count <= Self.maximumPasses else {
      diagnostics.append(
        Self.tooManyPasses(
          mappings.count, from: source.name, to: destination.name, at: first.source.location))
      return nil
    }
    warnOfRepetitions(in: mappings, from: source.name, to: destination.name)
    let entityMappings = mappings.map(\.entityMappings)
    var passes: [BoundMapping] = []
    for (index, mapping) in mappings.enumerated() {
      var others = entityMappings
      others.remove(at: index)
      let (bound, found) = MappingChecker.check(
        mapping, source: source, destination: destination, policies: policies,
        otherMappings: others.flatMap(\.self), functions: functions)
      diagnostics.append(contentsOf: found)
      if let bound { passes.append(bound) }
    }
    return PlannedStep(source: source, destination: destination, passes: passes)
  }

  /// The same objects once more are seldom meant.
  private mutating func warnOfRepetitions(
    in mappings: [MappingModel], from source: String, to destination: String
  ) {
    guard mappings.count > 1 else { return }
    var counts: [MappingModel: Int] = [:]
    for mapping in mappings {
      counts[mapping, default: 0] += 1
      guard counts[mapping] == 2 else { continue }
      diagnostics.append(
        Diagnostic(
          "PLN-024",
          "“\(mapping.name)” is named more than once for the step from “\(source)” to "
            + "“\(destination)”",
          severity: .warning,
          reason: "it runs each time, and makes its objects each time",
          remedy: "name it once"))
    }
  }

  /// Says that a step has more mapping models than ``maximumPasses``.
  package static func tooManyPasses(
    _ count: Int, from source: String, to destination: String, at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      "PLN-023", "the step from “\(source)” to “\(destination)” has \(count) mapping models",
      at: location, reason: "a step can have at most \(maximumPasses)",
      remedy: "put their entity mappings into fewer mapping models")
  }

  private mutating func model(_ name: Located<String>) -> Model? {
    if let model = models[name.value] { return model }
    // A program gives models that have the names of their files, and a history has names of its own.
    let known = models.keys.sorted()
    let near = nearest(to: name.value, in: known)
    let correction = near.map { "did you mean “\($0)”? Otherwise " } ?? ""
    diagnostics.append(
      Diagnostic(
        "PLN-010", "there is no model “\(name.value)”", at: name.location,
        reason: "the models are named " + known.map { "“\($0)”" }.joined(separator: ", "),
        remedy: correction
          + "give the model under this name, as a version of the history or as the “name” of a "
          + "Model, or name one of these in the mapping model"))
    return nil
  }
}

extension PlannedStep {
  /// The source entities that no entity mapping of the step reads, sorted by name.
  package var unreadEntities: [String] { unread(areAbstract: false) }

  /// The abstract ones. Only a damaged store has objects of them.
  package var unreadAbstractEntities: [String] { unread(areAbstract: true) }

  private func unread(areAbstract: Bool) -> [String] {
    let read = Set(passes.flatMap { $0.entityMappings.compactMap(\.source?.name) })
    return source.entities.filter { $0.isAbstract == areAbstract && !read.contains($0.name) }
      .map(\.name)
  }

  /// The entities of which the step can make objects, according to its mapping models. Policies may
  /// make others.
  package var madeEntities: Set<String> {
    Set(passes.flatMap { $0.entityMappings.compactMap(\.destination?.name) })
  }
}
