internal import PassageModels
internal import Synchronization

/// What every thread of a step may use: its plan, its source, the policies, and the shapes of the
/// destination's objects.
final class StepBasis: Sendable {
  let plan: StepPlan
  let source: SourceAccess
  let policies: PolicyRegistry
  private let shapes = Mutex<[String: DestinationShape]>([:])

  init(plan: StepPlan, source: SourceAccess, policies: PolicyRegistry) {
    self.plan = plan
    self.source = source
    self.policies = policies
  }

  /// A destination entity's attributes by position, the same object for every thread; `nil` for an
  /// unknown entity.
  func shape(ofEntity name: String) -> DestinationShape? {
    shapes.withLock { shapes in
      if let shape = shapes[name] { return shape }
      guard let entity = plan.destination.entity(named: name) else { return nil }
      let shape = DestinationShape(entity: entity, model: plan.destination)
      shapes[name] = shape
      return shape
    }
  }
}
