internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// The plan of one step: both layouts, and every entity mapping of every pass with its lane and its
/// keys. It is immutable and may be read by every thread.
final class StepPlan: Sendable {
  let index: Int
  let source: Model
  let destination: Model
  let sourceLayout: StoreLayout
  let destinationLayout: StoreLayout
  /// The destination model as the step's store keeps it.
  let destinationArchive: ModelArchive
  let passes: [BoundMapping]
  /// Every entity mapping of the step, in the order of passes; `mappingPlans[n].index == n`.
  let mappingPlans: [MappingPlan]
  private let mappingIndex: MappingIndex
  private let familyShifts: [MappingIndex.CandidateGroup: FamilyShift]
  let lanes: LaneChoice
  let keyspace: Keyspace
  let extent: SourceExtent
  /// The value of `now()`, fixed once per migration.
  let now: Double

  /// Gives every entity mapping its tables and its keys.
  ///
  /// - Parameters:
  ///   - passes: the passes, all with the same source and destination model.
  ///   - lanes: the choice by which the ways were found.
  ///   - ways: of every entity mapping, in the order of passes.
  ///   - isForeign: whether the migration's source is a store of another type.
  /// - Throws: `RUN-021` or `RUN-092` when the keys of a table do not fit into 64 bits.
  init(
    index: Int, passes: [BoundMapping], lanes: LaneChoice, ways: [MappingWay],
    sourceLayout: StoreLayout, destinationLayout: StoreLayout, destinationArchive: ModelArchive,
    extent: SourceExtent, isForeign: Bool = false, now: Double
  ) throws {
    self.index = index
    self.passes = passes
    self.lanes = lanes
    self.extent = extent
    self.now = now
    self.sourceLayout = sourceLayout
    source = passes[0].source
    destination = passes[0].destination
    self.destinationLayout = destinationLayout
    self.destinationArchive = destinationArchive
    var mappingPlans: [MappingPlan] = []
    for (passIndex, pass) in passes.enumerated() {
      for bound in pass.entityMappings {
        let elements = bound.elements.map {
          ElementsPlan(
            $0, filter: bound.filter, mapping: mappingPlans.count, source: sourceLayout)
        }
        mappingPlans.append(
          MappingPlan(
            index: mappingPlans.count, passIndex: passIndex,
            bound: elements == nil ? bound : bound.withoutFilter,
            source: bound.source.flatMap { sourceLayout.entity(named: $0.name) },
            elements: elements,
            destination: bound.destination.flatMap { destinationLayout.entity(named: $0.name) },
            way: ways[mappingPlans.count]))
      }
    }
    let assigned = Dictionary(
      sourceLayout.tables.map { ($0.name, extent.largestKeys[$0.rootEntityName] ?? 0) },
      uniquingKeysWith: max)
    keyspace = try Keyspace.assign(
      &mappingPlans, extents: extent.keys, assigned: assigned, isForeign: isForeign)
    self.mappingPlans = mappingPlans
    mappingIndex = MappingIndex(mappingPlans, source: source, destination: destinationLayout)
    familyShifts = FamilyShift.all(
      of: mappingIndex, source: source, layout: sourceLayout, extents: extent.keys,
      isShared: keyspace.isShared)
  }

  /// The entity mappings of one pass.
  func mappingPlans(ofPass pass: Int) -> [MappingPlan] {
    mappingPlans.filter { $0.passIndex == pass }
  }

  /// The entity mappings of a pass whose objects are made page by page: those of one destination
  /// table after each other, in the order of their keys.
  func pageMappings(ofPass pass: Int) -> [MappingPlan] {
    mappingPlans(ofPass: pass).filter { $0.pageObstacle == nil }
      .sorted {
        ($0.destination?.tableName ?? "", $0.keyOffset, $0.index)
          < ($1.destination?.tableName ?? "", $1.keyOffset, $1.index)
      }
  }

  /// The same, in groups that share a sweep: those of one source and destination table with one key
  /// offset.
  func pageGroups(ofPass pass: Int) -> [[MappingPlan]] {
    MappingPlan.sweeps(pageMappings(ofPass: pass), \.self)
  }

  /// Every relationship mapping of the step, in the order of the entity mappings.
  var relationships: [MappedRelationship] { mappingIndex.relationships }

  /// The entity mappings of the step that read the objects of exactly this entity, in order.
  func mappingPlans(reading entity: String) -> [MappingPlan] {
    mappingIndex.mappingPlans(reading: entity)
  }

  /// The step's entity mappings among which a relationship looks for its related objects, in order.
  func candidates(_ relationship: BoundRelationship) -> [MappingPlan] {
    mappingIndex.candidates(relationship)
  }

  /// Which candidates a relationship has: equal for those that have the same ones in common.
  func candidateGroup(of relationship: BoundRelationship) -> MappingIndex.CandidateGroup? {
    mappingIndex.candidateGroup(of: relationship)
  }

  /// How the keys of the objects to which a relationship leads along one relationship of the source are moved;
  /// `nil` when they must be looked up.
  func familyShift(_ relationship: BoundRelationship) -> FamilyShift? {
    candidateGroup(of: relationship).flatMap { familyShifts[$0] }
  }

  /// Whether an entity mapping is among the ``candidates(_:)`` of a relationship.
  func isCandidate(_ mappingPlan: MappingPlan, of relationship: BoundRelationship) -> Bool {
    mappingIndex.isCandidate(mappingPlan, of: relationship)
  }

  /// The relationship mappings among whose ``candidates(_:)`` an entity mapping is, in order.
  func relationships(leadingTo mappingPlan: MappingPlan) -> [MappedRelationship] {
    mappingIndex.relationships(leadingTo: mappingPlan)
  }

  /// The same for those of one name, those that are alike together, in no order.
  func alike(leadingTo mappingPlan: MappingPlan, named name: String) -> [MappingIndex.Alike] {
    mappingIndex.alike(leadingTo: mappingPlan, named: name)
  }

  /// The same for those whose path ends with a relationship of the source, those that are alike together, in no
  /// order.
  func alike(
    leadingTo mappingPlan: MappingPlan, along relationship: Relationship
  ) -> [MappingIndex.Alike] {
    mappingIndex.alike(leadingTo: mappingPlan, along: relationship)
  }

  /// Whether the entity mappings of relationship mappings that are alike are all among the
  /// ``candidates(_:)`` of a relationship.
  func areCandidates(
    ownersOf alike: MappingIndex.Alike, of relationship: BoundRelationship
  ) -> Bool {
    mappingIndex.areCandidates(ownersOf: alike, of: relationship)
  }

  /// What ``isCandidate(_:of:)`` depends on, asked of this relationship mapping or of its entity mapping.
  func leadClass(of item: MappedRelationship) -> MappingIndex.LeadClass {
    mappingIndex.leadClass(of: item)
  }
}
