internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// Finds the entity mappings of a step by what they read, and its relationship mappings by where they
/// lead, so that planning a step does not compare each of them with all.
struct MappingIndex: Sendable {
  private let source: Model
  private let destination: StoreLayout
  /// The entity mappings by the name of the entity that they read.
  private let readers: [String: [MappingPlan]]
  /// The entity mappings that read nothing.
  private let adding: [MappingPlan]
  /// Every relationship mapping, in the order of the entity mappings.
  let relationships: [MappedRelationship]
  /// Positions in `relationships`, by the name of the entity to whose objects the path leads.
  private let positionsByEnd: [String: [Int]]
  /// Positions in `relationships` of those that lead to objects of add mappings.
  private let positionsOfAdded: [Int]

  /// - Parameters:
  ///   - mappingPlans: those of the step, in its order.
  ///   - source: the source model.
  ///   - destination: the destination's layout.
  init(_ mappingPlans: [MappingPlan], source: Model, destination: StoreLayout) {
    self.source = source
    self.destination = destination
    readers = Dictionary(grouping: mappingPlans.filter { $0.source != nil }) {
      $0.source?.name ?? ""
    }
    adding = mappingPlans.filter { $0.source == nil }
    let relationships = mappingPlans.flatMap { mappingPlan in
      mappingPlan.bound.relationships.map {
        MappedRelationship(mappingPlan: mappingPlan, relationship: $0)
      }
    }
    self.relationships = relationships
    positionsByEnd = Dictionary(grouping: relationships.indices) {
      relationships[$0].relationship.pathEnd.name
    }
    positionsOfAdded = relationships.indices.filter { relationships[$0].relationship.leadsToAdded }
  }

  /// The entity mappings that read the objects of exactly this entity, in the order of the step.
  ///
  /// - Complexity: O(1).
  func mappingPlans(reading entity: String) -> [MappingPlan] { readers[entity, default: []] }

  /// The entity mappings among which a relationship looks for its related objects, in the order of the
  /// step.
  ///
  /// - Complexity: O(n log n) for n entity mappings that read the related entity or a subentity.
  func candidates(_ relationship: BoundRelationship) -> [MappingPlan] {
    if relationship.leadsToAdded {
      return adding.filter { relationship.target == .mapping(named: $0.name) }
    }
    let numbers = numbers(of: relationship)
    let family = source.family(of: relationship.pathEnd)
    let found = family.flatMap { readers[$0.name, default: []] }.filter {
      Self.isCandidate($0, of: relationship, numbers)
    }
    return family.count > 1 ? found.sorted { $0.index < $1.index } : found
  }

  /// Whether an entity mapping is among the ``candidates(_:)`` of a relationship.
  ///
  /// - Complexity: O(d) for d levels of inheritance.
  func isCandidate(_ mappingPlan: MappingPlan, of relationship: BoundRelationship) -> Bool {
    guard let read = mappingPlan.source else {
      return relationship.leadsToAdded && relationship.target == .mapping(named: mappingPlan.name)
    }
    guard !relationship.leadsToAdded, let entity = source.entity(named: read.name),
      source.isKind(entity, of: relationship.pathEnd)
    else { return false }
    return Self.isCandidate(mappingPlan, of: relationship, numbers(of: relationship))
  }

  /// The relationship mappings among whose ``candidates(_:)`` an entity mapping is, in the order of the
  /// step.
  ///
  /// - Complexity: O(n log n) for n relationship mappings that lead to the entity or to an ancestor.
  func relationships(leadingTo mappingPlan: MappingPlan) -> [MappedRelationship] {
    let positions =
      if let entity = mappingPlan.source.flatMap({ source.entity(named: $0.name) }) {
        source.lineage(of: entity).flatMap { positionsByEnd[$0.name, default: []] }.sorted()
      } else {
        positionsOfAdded
      }
    return positions.compactMap { position in
      let item = relationships[position]
      return isCandidate(mappingPlan, of: item.relationship) ? item : nil
    }
  }

  /// The numbers of the entities that a relationship can lead to in the destination.
  private func numbers(of relationship: BoundRelationship) -> ClosedRange<Int>? {
    destination.entity(named: relationship.relationship.destinationEntityName)?.familyNumbers
  }

  /// Whether what an entity mapping makes of objects to which a relationship leads can be related.
  private static func isCandidate(
    _ mappingPlan: MappingPlan, of relationship: BoundRelationship, _ numbers: ClosedRange<Int>?
  ) -> Bool {
    guard let made = mappingPlan.destination,
      // An object of another entity cannot be the relationship's destination.
      mappingPlan.isMadeByPolicy || numbers?.contains(made.number) == true
    else { return false }
    return switch relationship.target {
    case .mapping(let name): mappingPlan.name == name
    case .everyMapping: true
    }
  }
}

extension BoundRelationship {
  /// Whether it leads to the objects of an add mapping.
  fileprivate var leadsToAdded: Bool { selection?.isOfAdded == true }
}
