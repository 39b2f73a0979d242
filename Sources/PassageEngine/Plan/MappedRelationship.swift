internal import PassageMappings

/// A relationship mapping of a step, with the entity mapping that has it.
struct MappedRelationship: Sendable {
  let mappingPlan: MappingPlan
  let relationship: BoundRelationship
}
