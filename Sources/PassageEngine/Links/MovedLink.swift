internal import PassageMappings
internal import PassageStores

/// A to-one relationship whose keys are moved by arithmetic, and become empty where they lead to no
/// object. A sweep by pages counts those.
struct MovedLink {
  let relationship: BoundRelationship
  /// The destination column with the moved key.
  let column: String

  /// - Returns: `nil` for a relationship that is looked up, whose keys stay as they are, or that moves
  ///   keys by their entity: of these, not only the key says whether it becomes empty.
  init?(_ relationship: BoundRelationship, of mappingPlan: MappingPlan, step: StepPlan) {
    guard let first = step.foreignKeyRule(of: mappingPlan, relationship)?.columns.first,
      case .link(.shifted(_, let shift)) = first.cell, shift.largest != nil
    else { return nil }
    (self.relationship, column) = (relationship, first.name)
  }

  static func all(of mappingPlan: MappingPlan, step: StepPlan) -> [MovedLink] {
    mappingPlan.bound.relationships.compactMap { MovedLink($0, of: mappingPlan, step: step) }
  }
}
