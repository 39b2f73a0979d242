internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// Finds the entity mappings of a step by what they read, and its relationship mappings by where they
/// lead, so that planning a step does not compare each of them with all.
///
/// Relationship mappings that lead to the same objects of the same mappings share a *lead*: its candidates
/// are found once, and whether a mapping is one of them is asked of a set.
struct MappingIndex: Sendable {
  /// What decides among which entity mappings a relationship looks for its related objects.
  private struct Lead: Hashable {
    /// The source entity at the end of the path; `nil` for objects of an add mapping.
    let end: String?
    /// The entity of which the related objects must be.
    let destination: String
    let target: BoundRelationship.Target

    init(_ relationship: BoundRelationship) {
      end = relationship.leadsToAdded ? nil : relationship.pathEnd.name
      destination = relationship.relationship.destinationEntityName
      target = relationship.target
    }
  }

  /// Relationship mappings that differ in nothing but their entity mappings.
  struct Alike: Sendable {
    let relationship: BoundRelationship
    let isRelatedByPolicy: Bool
    fileprivate let lead: Int
    /// The indexes of the entity mappings that have them, in order.
    fileprivate(set) var owners: [Int]
    /// The leads among whose candidates all owners are.
    fileprivate var commonLeads: Set<Int> = []
  }

  private struct AlikeKey: Hashable {
    let lead: Int
    let relationship: Relationship
    let path: [Relationship]
    let selectedPath: [Relationship]?
    let isRelatedByPolicy: Bool
  }

  private struct NamedLead: Hashable {
    let lead: Int
    let name: String
  }

  private struct LeadAlong: Hashable {
    let lead: Int
    let relationship: Relationship
  }

  /// Which candidates a relationship has: equal for those that have the same ones in common.
  struct CandidateGroup: Hashable { fileprivate let lead: Int }

  /// Two relationship mappings of one class have equal candidates, and their entity mappings are candidates
  /// of the same relationships.
  struct LeadClass: Hashable {
    fileprivate let lead: Int?
    fileprivate let leadsToOwner: [Int]
  }

  /// Every relationship mapping, in the order of the entity mappings.
  let relationships: [MappedRelationship]
  /// The entity mappings by the name of the entity that they read.
  private let readers: [String: [MappingPlan]]
  private let leads: [Lead: Int]
  /// The candidates of each lead, in the order of the step, and their indexes.
  private let candidates: [(mappingPlans: [MappingPlan], indexes: Set<Int>)]
  /// The positions of each lead's relationship mappings.
  private let positions: [[Int]]
  /// The leads among whose candidates each entity mapping is.
  private let leadsTo: [[Int]]
  private let alikeByName: [NamedLead: [Alike]]
  /// Those of each lead by the relationship of the source with which their path ends.
  private let alikeByEnd: [LeadAlong: [Alike]]

  /// - Parameters:
  ///   - mappingPlans: those of the step, in its order.
  ///   - source: the source model.
  ///   - destination: the destination's layout.
  /// - Complexity: O(n) in relationship mappings and in the candidates of different leads.
  init(_ mappingPlans: [MappingPlan], source: Model, destination: StoreLayout) {
    readers = Dictionary(grouping: mappingPlans.filter { $0.source != nil }) {
      $0.source?.name ?? ""
    }
    let named = Dictionary(grouping: mappingPlans, by: \.name)
    relationships = mappingPlans.flatMap { mappingPlan in
      mappingPlan.bound.relationships.map {
        MappedRelationship(mappingPlan: mappingPlan, relationship: $0)
      }
    }
    var leads: [Lead: Int] = [:]
    var candidates: [(mappingPlans: [MappingPlan], indexes: Set<Int>)] = []
    var positions: [[Int]] = []
    var leadsTo = Array(repeating: [Int](), count: mappingPlans.count)
    for (position, item) in relationships.enumerated() {
      let lead = Lead(item.relationship)
      if let known = leads[lead] {
        positions[known].append(position)
        continue
      }
      let found = Self.candidates(
        item.relationship, readers: readers, named: named, source: source,
        destination: destination)
      for mappingPlan in found { leadsTo[mappingPlan.index].append(candidates.count) }
      leads[lead] = candidates.count
      candidates.append((found, Set(found.map(\.index))))
      positions.append([position])
    }
    self.leads = leads
    self.candidates = candidates
    self.positions = positions
    self.leadsTo = leadsTo
    let alike = Self.grouped(relationships, positions: positions, leadsTo: leadsTo)
    alikeByName = Dictionary(grouping: alike) {
      NamedLead(lead: $0.lead, name: $0.relationship.relationship.name)
    }
    let leading = alike.compactMap { alike in
      let path = alike.relationship.selection?.path ?? alike.relationship.path
      return path.last.map { (LeadAlong(lead: alike.lead, relationship: $0), alike) }
    }
    alikeByEnd = Dictionary(grouping: leading, by: \.0).mapValues { $0.map(\.1) }
  }

  private static func candidates(
    _ relationship: BoundRelationship, readers: [String: [MappingPlan]],
    named: [String: [MappingPlan]], source: Model, destination: StoreLayout
  ) -> [MappingPlan] {
    if relationship.leadsToAdded {
      guard case .mapping(let name) = relationship.target else { return [] }
      return named[name, default: []].filter { $0.source == nil }
    }
    let numbers = destination.entity(
      named: relationship.relationship.destinationEntityName)?.familyNumbers
    // An object of another entity cannot be the relationship's destination.
    func canBeRelated(_ mappingPlan: MappingPlan) -> Bool {
      guard let made = mappingPlan.destination else { return false }
      return mappingPlan.isMadeByPolicy || numbers?.contains(made.number) == true
    }
    if case .mapping(let name) = relationship.target {
      return named[name, default: []].filter { mappingPlan in
        guard let read = mappingPlan.source.flatMap({ source.entity(named: $0.name) }) else {
          return false
        }
        return source.isKind(read, of: relationship.pathEnd) && canBeRelated(mappingPlan)
      }
    }
    let family = source.family(of: relationship.pathEnd)
    let found = family.flatMap { readers[$0.name, default: []] }.filter(canBeRelated)
    return family.count > 1 ? found.sorted { $0.index < $1.index } : found
  }

  private static func grouped(
    _ relationships: [MappedRelationship], positions: [[Int]], leadsTo: [[Int]]
  ) -> [Alike] {
    var alike: [Alike] = []
    for (lead, positions) in positions.enumerated() {
      let groups = Dictionary(grouping: positions) { position in
        let item = relationships[position]
        return AlikeKey(
          lead: lead, relationship: item.relationship.relationship, path: item.relationship.path,
          selectedPath: item.relationship.selection?.path,
          isRelatedByPolicy: item.mappingPlan.isRelatedByPolicy)
      }
      for positions in groups.values {
        let owners = positions.map { relationships[$0].mappingPlan.index }
        var common = leadsTo[owners[0]]
        for owner in owners.dropFirst() where !common.isEmpty {
          let others = Set(leadsTo[owner])
          common.removeAll { !others.contains($0) }
        }
        let first = relationships[positions[0]]
        alike.append(
          Alike(
            relationship: first.relationship,
            isRelatedByPolicy: first.mappingPlan.isRelatedByPolicy, lead: lead, owners: owners,
            commonLeads: Set(common)))
      }
    }
    return alike
  }

  // MARK: Entity mappings

  /// The entity mappings that read the objects of exactly this entity, in the order of the step.
  ///
  /// - Complexity: O(1).
  func mappingPlans(reading entity: String) -> [MappingPlan] { readers[entity, default: []] }

  /// The entity mappings among which a relationship of the step looks for its related objects, in the
  /// order of the step.
  ///
  /// - Complexity: O(1).
  func candidates(_ relationship: BoundRelationship) -> [MappingPlan] {
    leads[Lead(relationship)].map { candidates[$0].mappingPlans } ?? []
  }

  /// Which candidates a relationship of the step has.
  ///
  /// - Complexity: O(1).
  func candidateGroup(of relationship: BoundRelationship) -> CandidateGroup? {
    leads[Lead(relationship)].map(CandidateGroup.init)
  }

  /// Whether an entity mapping is among the ``candidates(_:)`` of a relationship of the step.
  ///
  /// - Complexity: O(1).
  func isCandidate(_ mappingPlan: MappingPlan, of relationship: BoundRelationship) -> Bool {
    leads[Lead(relationship)].map { candidates[$0].indexes.contains(mappingPlan.index) } ?? false
  }

  // MARK: Relationship mappings

  /// The relationship mappings among whose ``candidates(_:)`` an entity mapping is, in the order of the
  /// step.
  ///
  /// - Complexity: O(n log n) for n such relationship mappings.
  func relationships(leadingTo mappingPlan: MappingPlan) -> [MappedRelationship] {
    leadsTo[mappingPlan.index].flatMap { positions[$0] }.sorted().map { relationships[$0] }
  }

  /// The same for those of one name, those that are alike together, in no order.
  ///
  /// - Complexity: O(n) in the leads to the entity mapping, and in what is returned.
  func alike(leadingTo mappingPlan: MappingPlan, named name: String) -> [Alike] {
    leadsTo[mappingPlan.index].flatMap {
      alikeByName[NamedLead(lead: $0, name: name), default: []]
    }
  }

  /// The same for those whose path ends with a relationship of the source, those that are alike together, in no
  /// order.
  ///
  /// - Complexity: O(n) in the leads to the entity mapping, and in what is returned.
  func alike(leadingTo mappingPlan: MappingPlan, along relationship: Relationship) -> [Alike] {
    leadsTo[mappingPlan.index].flatMap {
      alikeByEnd[LeadAlong(lead: $0, relationship: relationship), default: []]
    }
  }

  /// Whether the entity mappings of relationship mappings that are alike are all among the
  /// ``candidates(_:)`` of a relationship.
  ///
  /// - Complexity: O(1).
  func areCandidates(ownersOf alike: Alike, of relationship: BoundRelationship) -> Bool {
    leads[Lead(relationship)].map(alike.commonLeads.contains) ?? false
  }

  /// What ``isCandidate(_:of:)`` depends on, asked of this relationship mapping or of its entity mapping.
  ///
  /// - Complexity: O(1).
  func leadClass(of item: MappedRelationship) -> LeadClass {
    LeadClass(
      lead: leads[Lead(item.relationship)], leadsToOwner: leadsTo[item.mappingPlan.index])
  }
}

extension BoundRelationship {
  /// Whether it leads to the objects of an add mapping.
  fileprivate var leadsToAdded: Bool { selection?.isOfAdded == true }
}
