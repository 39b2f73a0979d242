internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// How the keys of all objects to which a relationship can lead are moved, by their entity.
///
/// It depends on the candidates of the relationship alone, so that it is found once for all relationship mappings
/// that have the same ones: each of many entities may inherit a relationship to all of them.
struct FamilyShift: Sendable {
  /// That of each entity whose objects are migrated, in the order of the family.
  let shifts: [EntityShift]
  /// The numbers of the same entities.
  let numbers: [EntityNumber]
  /// Whether the objects of each entity of the family are migrated.
  let isExhaustive: Bool
  /// The shift that all of the entities have; `nil` where they differ, or where there are none.
  let common: KeyShift?

  /// Those of the relationships of a step that follow one relationship of the source.
  ///
  /// - Parameters:
  ///   - extents: the ranges of keys of the source's tables.
  ///   - isShared: whether a table of the destination has keys of several mappings.
  /// - Complexity: O(n) in relationship mappings and in the candidates of different leads.
  static func all(
    of index: MappingIndex, source: Model, layout: StoreLayout,
    extents: [String: Keyspace.Extent], isShared: (String) -> Bool
  ) -> [MappingIndex.CandidateGroup: FamilyShift] {
    var shifts: [MappingIndex.CandidateGroup: FamilyShift] = [:]
    var seen: Set<MappingIndex.CandidateGroup> = []
    for relationship in index.relationships.lazy.map(\.relationship)
    where relationship.selection == nil && relationship.path.count == 1 {
      guard let group = index.candidateGroup(of: relationship), seen.insert(group).inserted else {
        continue
      }
      let end = relationship.pathEnd
      shifts[group] = FamilyShift(
        to: end, candidates: index.candidates(relationship), source: source,
        related: layout.entity(named: end.name).flatMap { extents[$0.tableName] } ?? .empty,
        isShared: isShared)
    }
    return shifts
  }

  /// - Parameters:
  ///   - end: the entity of the source to which the relationship leads.
  ///   - candidates: the entity mappings among which the relationship looks for related objects.
  ///   - related: the range of keys of the related objects' table.
  ///   - isShared: whether a table of the destination has keys of several mappings.
  /// - Returns: `nil` when the links must be looked up, because a related object may be filtered out, left to a
  ///   policy, or migrated more than once.
  /// - Complexity: O(n) for n candidates and entities of the family.
  private init?(
    to end: Entity, candidates: [MappingPlan], source: Model, related: Keyspace.Extent,
    isShared: (String) -> Bool
  ) {
    // Each mapping of a wide family is met once, and not once for each entity.
    var takers: [String: MappingPlan] = [:]
    for candidate in candidates {
      guard let entity = candidate.source.flatMap({ source.entity(named: $0.name) }),
        !entity.isAbstract
      else { continue }
      guard candidate.isTotal, takers.updateValue(candidate, forKey: entity.name) == nil else {
        return nil
      }
    }
    var shifts: [EntityShift] = []
    var numbers: [EntityNumber] = []
    var isExhaustive = true
    for entity in source.family(of: end) where !entity.isAbstract {
      guard let taker = takers[entity.name], let from = taker.source, let to = taker.destination
      else {
        isExhaustive = false
        continue
      }
      shifts.append(
        EntityShift(
          number: from.number,
          shift: KeyShift(
            offset: taker.keyOffset,
            keys: taker.keyOffset != 0 || isShared(to.tableName) ? related : nil)))
      numbers.append(EntityNumber(source: from.number, destination: to.number))
    }
    (self.shifts, self.numbers, self.isExhaustive) = (shifts, numbers, isExhaustive)
    let first = shifts.first?.shift
    common = shifts.allSatisfy { $0.shift == first } ? first : nil
  }
}
