internal import PassageMappings
internal import PassageModels
internal import PassagePages
internal import PassageStores

/// One step while it runs: its plan, its source, the policies and the functions. Passes, assembly
/// and sealing share it.
final class StepRun {
  let plan: StepPlan
  let links: StepLinks
  let source: SourceAccess
  let policies: PolicyRegistry
  /// The quarantined objects of the step.
  let quarantine: Quarantine

  /// The pages of the source, or why they cannot be read; `nil` when they are not used.
  let pages: Result<PageReader, any Error>?

  /// The threads that may work beside each other, the one that writes included.
  let jobs: Int

  private var shapes: [String: DestinationShape] = [:]

  init(
    plan: StepPlan, source: SourceAccess, policies: PolicyRegistry, quarantine: Quarantine,
    pages: Result<PageReader, any Error>? = nil, jobs: Int = 1
  ) {
    self.plan = plan
    self.source = source
    self.policies = policies
    self.quarantine = quarantine
    self.pages = pages
    self.jobs = jobs
    links = StepLinks(plan)
  }

  /// A destination entity's attributes by position; `nil` for an unknown entity.
  func shape(ofEntity name: String) -> DestinationShape? {
    if let shape = shapes[name] { return shape }
    guard let entity = plan.destination.entity(named: name) else { return nil }
    let shape = DestinationShape(entity: entity, model: plan.destination)
    shapes[name] = shape
    return shape
  }
}
