internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// One step while it runs: what was decided, the source, and what policies and functions there are. What
/// passes, assembly and seal share.
final class StepRun {
  let plan: StepPlan
  let links: StepLinks
  let source: SourceAccess
  let policies: PolicyRegistry
  /// The objects that are quarantined.
  let quarantine: Quarantine

  private var shapes: [String: DestinationShape] = [:]

  init(
    plan: StepPlan, source: SourceAccess, policies: PolicyRegistry, quarantine: Quarantine
  ) {
    self.plan = plan
    self.source = source
    self.policies = policies
    self.quarantine = quarantine
    links = StepLinks(plan)
  }

  /// A destination entity's attributes by position.
  func shape(ofEntity name: String) -> DestinationShape? {
    if let shape = shapes[name] { return shape }
    guard let entity = plan.destination.entity(named: name) else { return nil }
    let shape = DestinationShape(entity: entity, model: plan.destination)
    shapes[name] = shape
    return shape
  }
}
