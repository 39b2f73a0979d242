internal import PassageMappings
internal import PassageStores

/// A to-one relationship whose keys are moved by arithmetic or by their entity, and become empty where they lead
/// to no object. A sweep by pages counts those.
struct MovedLink {
  let relationship: BoundRelationship
  /// The destination column with the moved key.
  let column: String

  /// - Returns: `nil` for a relationship that is looked up, or whose keys all stay as they are.
  init?(_ relationship: BoundRelationship, of mappingPlan: MappingPlan, step: StepPlan) {
    guard let first = step.foreignKeyRule(of: mappingPlan, relationship)?.columns.first else {
      return nil
    }
    switch first.cell {
    case .link(.shifted(_, let shift)) where shift.keys != nil: break
    case .link(.byEntity): break
    default: return nil
    }
    (self.relationship, column) = (relationship, first.name)
  }

  static func all(of mappingPlan: MappingPlan, step: StepPlan) -> [MovedLink] {
    mappingPlan.bound.relationships.compactMap { MovedLink($0, of: mappingPlan, step: step) }
  }
}
