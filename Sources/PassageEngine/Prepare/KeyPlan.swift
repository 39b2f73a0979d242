package import PassageMappings
package import PassagePlanning
package import PassageStores

/// The keys that a step gives its objects, as far as they are arithmetic.
package struct KeyPlan {
  /// The key of the object that becomes of a source object.
  package enum Key: Hashable, Sendable {
    /// This key.
    case at(Int64)
    /// Only the run tells, and why.
    case told(byRun: String)
    /// The objects are not kept.
    case none
  }

  private let plan: StepPlan
  /// What the policy of each entity mapping makes.
  private let products: [PolicyProducts]

  /// - Parameters:
  ///   - step: a step.
  ///   - store: its source; only the number of its objects and the range of its keys are read.
  /// - Throws: the errors of a plan for a store that is damaged.
  package init(
    _ step: PlannedStep, store: OpenStore, layout: StoreLayout, policies: PolicyRegistry,
    now: Double
  ) throws {
    products = step.passes.flatMap(\.entityMappings).map { policies.products(of: $0.mapping) }
    let lanes = LaneChoice()
    plan = try StepPlan(
      index: 0, passes: step.passes, lanes: lanes,
      ways: policies.ways(of: step.passes, lanes), sourceLayout: layout,
      destinationLayout: StoreLayout(model: step.destination),
      destinationArchive: ModelArchive(step.destination),
      extent: SourceExtent(store, path: store.unit.path, layout: layout, counts: nil),
      now: now)
  }

  /// The key that a source object's object has, by the position of the entity mapping in the step.
  package func key(_ position: Int, of key: Int64) -> Key {
    let mapping = plan.mappingPlans[position]
    guard mapping.destination != nil else { return .none }
    if let reason = reason(position) { return .told(byRun: reason) }
    return .at(key &+ mapping.keyOffset)
  }

  /// The key of the source object of which the entity mapping makes the object at a key; `nil` when
  /// the key is not one of its own.
  package func sourceKey(_ position: Int, of key: Int64) -> Int64? {
    let mapping = plan.mappingPlans[position]
    guard reason(position) == nil, mapping.keyRange?.contains(key) == true else { return nil }
    return key &- mapping.keyOffset
  }

  /// Why keys are not arithmetic; `nil` when they are.
  package func reason(_ position: Int) -> String? {
    let mapping = plan.mappingPlans[position]
    // A policy that declares that it makes nothing else makes its objects at these keys.
    if mapping.isMadeByPolicy, products[position] != .ownObjects {
      return "the policy may make any objects, at any keys"
    }
    if mapping.elements != nil { return "an object is made of each element" }
    if mapping.bound.merge != nil { return "objects of equal value become one" }
    return mapping.source == nil ? "it is made of no source object" : nil
  }

  /// Whether the object is made only if a policy makes it.
  package func isUpToPolicy(_ position: Int) -> Bool { plan.mappingPlans[position].isMadeByPolicy }

  /// The positions of the entity mappings whose objects a relationship can lead to.
  package func candidates(_ relationship: BoundRelationship) -> [Int] {
    plan.candidates(relationship).map(\.index)
  }
}
