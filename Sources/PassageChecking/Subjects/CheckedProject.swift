internal import PassageDiagnostics
internal import PassageEngine
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageProjects

/// A project whose steps are all planned, for the rules of a check.
struct CheckedProject {
  /// A step of the history.
  struct Step {
    var step: History.Step
    /// The mapping models, grouped by their models; several when they lead through a version that
    /// is not the step's.
    var planned: [PlannedStep]
    /// Whether the step names no mapping models.
    var isInferred: Bool
    /// Why no mapping model can be inferred; `nil` if it can, or need not.
    var obstacle: String?
  }

  let project: Project
  let policies: PolicyRegistry
  private(set) var steps: [Step] = []
  /// What every plan says besides.
  private(set) var warnings = Diagnostics()

  /// - Throws: every mistake in the mapping models of the history, as a plan and a run report them.
  init(_ project: Project, policies: PolicyRegistry) throws(Diagnostics) {
    self.project = project
    self.policies = policies
    var mistakes = Diagnostics()
    for step in project.history.steps {
      do {
        steps.append(try plan(step))
      } catch {
        for mistake in error.errors where !mistakes.contains(mistake) { mistakes.append(mistake) }
      }
    }
    try mistakes.throwIfErrors()
  }

  private mutating func plan(_ step: History.Step) throws(Diagnostics) -> Step {
    var planned = Step(step: step, planned: [], isInferred: step.mappings.isEmpty)
    let mappings: [MappingModel]
    if step.mappings.isEmpty {
      guard let source = project.models[step.from.value],
        let destination = project.models[step.to.value],
        source.versionHashes != destination.versionHashes
      else { return planned }
      do {
        mappings = [try InferredMapping.infer(from: source, to: destination)]
      } catch {
        planned.obstacle = error.errors.first?.message ?? "it cannot be inferred"
        return planned
      }
    } else {
      mappings = try project.mappingModels(named: step.mappings.map(\.value))
    }
    let (signatures, found) = policies.signatures(for: mappings.flatMap(\.entityMappings))
    try found.throwIfErrors()
    let plan = try Planner.plan(
      mappings,
      models: project.models.named(mappings.flatMap { [$0.source.value, $0.destination.value] }),
      policies: signatures, functions: policies.functions)
    try ExternalUse.refusals(in: plan.steps).throwIfErrors()
    for remark in mappings.flatMap(\.remarks.all) + plan.warnings.all
    where !warnings.contains(remark) {
      warnings.append(remark)
    }
    planned.planned = plan.steps
    return planned
  }

  /// The file of the history.
  var historyFile: String { project.migrationsDirectory + "/history.json" }

  /// Every entity mapping of a mapping model that a person wrote. One that several steps name is there
  /// once for each.
  var places: [MappingPlace] {
    steps.filter { !$0.isInferred }.flatMap { step in
      step.planned.flatMap { planned in
        planned.passes.flatMap { pass in
          pass.entityMappings.map { MappingPlace(step: planned, pass: pass, mapping: $0) }
        }
      }
    }
  }

  /// The entity mappings of each step that a person wrote, by models.
  var placesByStep: [[MappingPlace]] {
    steps.filter { !$0.isInferred }.flatMap(\.planned).map { planned in
      planned.passes.flatMap { pass in
        pass.entityMappings.map { MappingPlace(step: planned, pass: pass, mapping: $0) }
      }
    }
  }
}

/// An entity mapping in its mapping model.
struct MappingPlace {
  let step: PlannedStep
  let pass: BoundMapping
  let mapping: BoundEntityMapping

  /// What an exception may name.
  func places(property: String? = nil) -> [History.Check.Place: String] {
    var places: [History.Check.Place: String] = [
      .mapping: pass.model.name, .entityMapping: mapping.name,
    ]
    places[.entity] = mapping.source?.name
    places[.property] = property
    return places
  }

  /// Where the mapping of a property is written; of one that a copy mapping adds, the entity mapping.
  func location(of property: String) -> SourceLocation? {
    let found = (mapping.mapping.attributeMappings + mapping.mapping.relationshipMappings)
      .first { $0.name.value == property }
    if case .expression(let text)? = found?.source { return text.location }
    return found?.name.location ?? mapping.mapping.name.location
  }

  /// The source attribute whose values an attribute takes as they are.
  func copiedAttribute(of bound: BoundAttribute) -> Attribute? {
    mapping.copiedAttribute(of: bound)
  }
}
