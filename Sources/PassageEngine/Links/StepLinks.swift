internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// How every relationship mapping of a step is carried out.
final class StepLinks {
  let step: StepPlan
  let plan: RelationshipPlan
  /// The relationships between objects that are made from one source object.
  let sameObject: SameObjectLinks
  /// The relationships that each mapping's sweep may look up, by the mapping's index.
  let swept: [[SweptLink]]
  /// The many-to-many relationships whose pairs a pass may make page by page after its objects.
  let joined: [JoinedLink]
  /// The relationships whose two sides are both listed, and may give different links.
  let bothSides: [BothSides]
  /// The relationship mappings whose keys all lead to a row of the source.
  private var sound: Set<SameObjectLinks.Link> = []

  init(_ step: StepPlan) {
    self.step = step
    let sameObject = SameObjectLinks(step: step)
    self.sameObject = sameObject
    swept = step.mappingPlans.map { mappingPlan in
      mappingPlan.bound.relationships.filter {
        !sameObject.covered.contains(SameObjectLinks.Link($0, of: mappingPlan))
      }.compactMap { SweptLink($0, of: mappingPlan, step: step) }
    }
    plan = RelationshipPlan(step: step, sameObject: sameObject, swept: swept)
    joined = JoinedLink.all(of: plan, step: step)
    bothSides = BothSides.all(of: step)
  }

  /// The columns that a mapping writes for each object.
  ///
  /// - Parameter lookedUp: the columns of the links that its sweep looks up.
  func program(of mappingPlan: MappingPlan, lookedUp: [LinkColumn] = []) -> ColumnProgram {
    ColumnProgram(
      of: mappingPlan, source: step.source, destination: step.destination,
      links: arithmetic(of: mappingPlan) + lookedUp)
  }

  /// The relationship columns that a mapping's sweep can write by arithmetic.
  private func arithmetic(of mappingPlan: MappingPlan) -> [LinkColumn] {
    let rules =
      mappingPlan.bound.relationships.compactMap { step.foreignKeyRule(of: mappingPlan, $0) }
      + sameObject.rules[mappingPlan.index, default: []]
    return rules.flatMap(\.columns)
  }

  /// Records that every key of a looked-up relationship leads to a row.
  func noteSound(_ relationship: BoundRelationship, of mappingPlan: MappingPlan) {
    sound.insert(SameObjectLinks.Link(relationship, of: mappingPlan))
  }

  func isSound(_ relationship: BoundRelationship, of mappingPlan: MappingPlan) -> Bool {
    sound.contains(SameObjectLinks.Link(relationship, of: mappingPlan))
  }

  /// Whether the sweep that wrote the owners has written a link, and no associations of the related
  /// objects were added afterwards.
  ///
  /// - Parameter connection: has the journal attached.
  func isSwept(
    _ link: SweptLink, _ journal: Journal, _ connection: Connection, _ facts: RunFacts
  ) throws -> Bool {
    let name = SweptLink.stateName(mappingPlan: link.mappingPlan, relationship: link.relationship)
    guard let count = try journal.of(pass: link.mappingPlan.passIndex).state(name)?.integer else {
      return false
    }
    return try facts.associationCount(of: link.candidates, connection) == count
  }

  /// Whether a pass has made the pairs of a relationship, and no associations of the objects were
  /// added afterwards.
  ///
  /// - Parameter connection: has the journal attached.
  func isJoined(
    _ link: JoinedLink, _ journal: Journal, _ connection: Connection, _ facts: RunFacts
  ) throws -> Bool {
    guard let count = try journal.associationCount(of: link) else { return false }
    return try facts.associationCount(of: link.candidates, connection) == count
  }

  /// The entity mappings of a pass in the order in which they make their objects: as listed, except
  /// that a mapping whose sweep looks up related objects comes after those that make them.
  ///
  /// A policy may ask what earlier mappings have made, so no mapping is moved past a policy. Objects
  /// without a key of their own get new ones in the order in which they are made, so a mapping that makes
  /// such objects is not moved past another one that does so in its table: the keys are those of
  /// every lane.
  func createOrder(_ mappingPlans: [MappingPlan]) -> [MappingPlan] {
    var remaining = mappingPlans
    var order: [MappingPlan] = []
    var waiting = Set(remaining.map(\.index))
    while !remaining.isEmpty {
      var next = 0
      for (place, mappingPlan) in remaining.enumerated() {
        if place > 0, mappingPlan.lane != .set { break }
        if let table = mappingPlan.tableOfNewKeys,
          remaining[..<place].contains(where: { $0.tableOfNewKeys == table })
        {
          continue
        }
        let isReady = swept[mappingPlan.index].allSatisfy { link in
          link.candidates.allSatisfy { !waiting.contains($0.index) }
        }
        if isReady {
          next = place
          break
        }
      }
      let mappingPlan = remaining.remove(at: next)
      waiting.remove(mappingPlan.index)
      order.append(mappingPlan)
    }
    return order
  }
}

extension MappingPlan {
  /// The destination table in which its objects get new keys; `nil` when each has a source object's.
  fileprivate var tableOfNewKeys: String? {
    elements != nil || source == nil ? destination?.tableName : nil
  }
}

extension StepPlan {
  func foreignKeyRule(of mappingPlan: MappingPlan, _ relationship: BoundRelationship)
    -> ForeignKeyRule?
  {
    ForeignKeyRule(relationship, of: mappingPlan, family: familyShift(relationship))
  }

  /// Whether objects of an entity or of its subentities get into a table in which other mappings have
  /// keys.
  func isDestinationShared(ofFamily name: String) -> Bool {
    guard let entity = source.entity(named: name) else { return false }
    return source.family(of: entity).contains { member in
      mappingPlans(reading: member.name).contains {
        keyspace.isShared($0.destination?.tableName ?? "")
      }
    }
  }
}
