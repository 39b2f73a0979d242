internal import PassageMappings
internal import PassageModels

/// Which relationship mappings are written from their other side.
///
/// What the candidates of a relationship map back is looked at once for all relationship mappings that
/// have the same ones: each of many mappings of one entity leads to all of them.
struct Mirrors {
  private struct Key: Hashable {
    let candidates: MappingIndex.CandidateGroup
    let inverse: String
    let path: Relationship
  }

  /// The candidates that are known to map the inverse back, and where their relationships lead.
  private struct Found {
    var count = 0
    var back: [MappingIndex.CandidateGroup: BoundRelationship] = [:]
  }

  let step: StepPlan
  private var found: [Key: Found] = [:]

  init(step: StepPlan) { self.step = step }

  /// Whether every object that this relationship leads to has the inverse mapped, from the inverse
  /// in the source, by a mapping that is already covered. Then every link is written from the other
  /// side.
  ///
  /// - Parameter covered: has at least what it had at the call before.
  /// - Complexity: O(n) for n candidates, for all relationship mappings that have the same candidates.
  mutating func isMirrored(
    _ item: MappedRelationship, covered: Set<SameObjectLinks.Link>
  ) -> Bool {
    let relationship = item.relationship
    guard relationship.path.count == 1,
      let inverse = step.destination.inverse(of: relationship.relationship),
      let sourceInverse = step.source.inverse(of: relationship.path[0]),
      let identity = step.candidateGroup(of: relationship)
    else { return false }
    let candidates = step.candidates(relationship)
    guard !candidates.isEmpty else { return false }
    let key = Key(candidates: identity, inverse: inverse.name, path: sourceInverse)
    var found = self.found[key, default: Found()]
    defer { self.found[key] = found }
    while found.count < candidates.count {
      let candidate = candidates[found.count]
      // A policy may omit the default relationships of some objects.
      guard !candidate.isRelatedByPolicy,
        covered.contains(
          SameObjectLinks.Link(mappingPlan: candidate.index, relationship: inverse.name)),
        let mapped = candidate.bound.relationships.first(where: {
          $0.relationship.name == inverse.name
        }), mapped.path == [sourceInverse], let back = step.candidateGroup(of: mapped)
      else { return false }
      found.back[back] = mapped
      found.count += 1
    }
    return found.back.values.allSatisfy { step.isCandidate(item.mappingPlan, of: $0) }
  }
}
