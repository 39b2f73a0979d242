internal import PassageModels
internal import PassageStores
internal import PassageValues
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

  /// Throws unless an object may be a source object of an entity mapping: one of its source entity, or
  /// of another entity in the same table.
  ///
  /// A mapping knows its source objects by their keys, which are unique in a table and nowhere else.
  func check(_ source: SourceObject, for mappingPlan: MappingPlan) throws(PolicyMistake) {
    // An add mapping reads no objects.
    guard let own = mappingPlan.source else { return }
    let name = source.shape.entityName
    guard plan.sourceLayout.entity(named: name)?.tableName == own.tableName else {
      throw PolicyMistake(
        "“\(mappingPlan.name)” is for objects of “\(own.name)”, and was given one of “\(name)”")
    }
  }
}
