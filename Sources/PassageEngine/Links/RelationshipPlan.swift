internal import PassageMappings
internal import PassageModels
internal import PassageStores

extension MappedRelationship {
  fileprivate var isToMany: Bool { relationship.relationship.isToMany }

  /// Whether the destination's relationship is its own inverse, and to-many: a join table has each of its links
  /// in both directions.
  fileprivate var isOwnInverse: Bool {
    guard
      case .joinTable(let table, _, _, _)? = mappingPlan.destination?.storage(
        ofRelationship: relationship.relationship.name)
    else { return false }
    return table.isSelfInverse
  }

  /// Whether objects become one at either end.
  fileprivate func leadsFromOrToMerged(in step: StepPlan) -> Bool {
    mappingPlan.bound.merge != nil
      || step.candidates(relationship).contains { $0.bound.merge != nil }
  }

  /// Whether its links are given places when they are written: elements of lists come in their lists' order,
  /// and what is sorted is sorted over the objects that became one.
  func isPlaced(in step: StepPlan) -> Bool {
    guard isToMany, relationship.relationship.isOrdered else { return false }
    return sortsOverOwners || step.candidates(relationship).contains { $0.elements != nil }
  }

  /// Whether the relationship is sorted, and objects of which each has some are made one.
  var sortsOverOwners: Bool {
    relationship.selection?.isAscending.isEmpty == false && mappingPlan.bound.merge != nil
  }
}

/// How each relationship mapping of a step is carried out.
///
/// A relationship and its inverse are stored once, unless both are to-one or it is its own inverse. A
/// mapping model that lists both sides therefore says the same thing twice, and the second is left out
/// when it mirrors the first.
struct RelationshipPlan {
  /// The join tables that are copied by arithmetic, by the number of the pass that copies them.
  private(set) var copies: [Int: [JoinTableRule]] = [:]
  /// The relationship mappings that are looked up when the step is assembled.
  private(set) var lookups: [MappedRelationship] = []
  private var linksOfLookups: Set<SameObjectLinks.Link> = []
  /// The relationships that are their own inverse, and of whose links the look-ups may find one direction only.
  private var oneWay: Set<SameObjectLinks.Link> = []
  /// The to-one relationships whose to-one inverse no mapping writes.
  private(set) var oneSided: [MappedRelationship] = []
  /// The to-one relationships whose to-one inverse mappings write too, of objects that several may have been
  /// merged into. Both sides may say different things, so a link is kept only if the other side has it too.
  private(set) var mutual: [MappedRelationship] = []
  private var linksOfMutual: Set<SameObjectLinks.Link> = []

  init(step: StepPlan, sameObject: SameObjectLinks, swept: [[SweptLink]]) {
    let items = step.relationships
    var covered = sameObject.covered
    for item in items where step.foreignKeyRule(of: item.mappingPlan, item.relationship) != nil {
      covered.insert(item.link)
    }
    // A look-up in the sweep takes precedence over one from the other side.
    for mappingPlan in step.mappingPlans {
      for link in swept[mappingPlan.index] {
        let item = MappedRelationship(mappingPlan: mappingPlan, relationship: link.relationship)
        if covered.insert(item.link).inserted { lookUp(item) }
      }
    }
    var mirrors = Mirrors(step: step)
    var copiedTables: Set<[String]> = []
    // Of an object that several were merged into, the to-one side says what the kept one has, as in the
    // sweep.
    let toOneFirst = items.filter { !$0.isToMany } + items.filter(\.isToMany)
    for item in toOneFirst {
      if covered.contains(item.link) { continue }
      // A to-one relationship with a to-one inverse is stored twice, and so is one that is its own inverse.
      if !item.mappingPlan.isRelatedByPolicy, !item.isOwnInverse,
        step.storesOnce(item.relationship.relationship),
        mirrors.isMirrored(item, covered: covered)
      {
        continue
      }
      covered.insert(item.link)
      if let rule = JoinTableRule(item.relationship, of: item.mappingPlan, step: step) {
        // All entities of a hierarchy may list a relationship that one of them declares.
        if copiedTables.insert([rule.source.name, rule.destination.name]).inserted {
          copies[item.mappingPlan.passIndex, default: []].append(rule)
        }
      } else {
        lookUp(item)
      }
    }
    let mapped = Set(items.map(\.link))
    let ownInverse = items.filter(\.isOwnInverse)
    var mappedMirrors = Mirrors(step: step)
    let someOneWay = Set(
      ownInverse.filter { item in
        item.relationship.selection != nil || !mappedMirrors.isMirrored(item, covered: mapped)
      }.map(\.relationship.relationship.name))
    oneWay = Set(
      ownInverse.filter { someOneWay.contains($0.relationship.relationship.name) }.map(\.link))
    for item in items where !item.isToMany && !sameObject.bothSided.contains(item.link) {
      let path = item.relationship.path
      let isBothSided =
        path.count == 1 && !path[0].isToMany
        && step.source.inverse(of: path[0])?.isToMany == false
        && mappedMirrors.isMirrored(item, covered: mapped)
      if !isBothSided {
        oneSided.append(item)
      } else if item.leadsFromOrToMerged(in: step) {
        mutual.append(item)
        linksOfMutual.insert(item.link)
      }
    }
  }

  private mutating func lookUp(_ item: MappedRelationship) {
    lookups.append(item)
    linksOfLookups.insert(item.link)
  }

  /// Whether a relationship mapping is among the ``lookups``.
  func isLookedUp(_ relationship: BoundRelationship, of mappingPlan: MappingPlan) -> Bool {
    linksOfLookups.contains(SameObjectLinks.Link(relationship, of: mappingPlan))
  }

  /// Whether a relationship is its own inverse, and the look-ups may find one direction of its links only.
  func isOneWay(_ item: MappedRelationship) -> Bool { oneWay.contains(item.link) }

  /// Whether a relationship mapping is among the ``mutual`` ones.
  func isMutual(_ relationship: BoundRelationship, of mappingPlan: MappingPlan) -> Bool {
    linksOfMutual.contains(SameObjectLinks.Link(relationship, of: mappingPlan))
  }
}

extension StepPlan {
  /// Whether a destination relationship and its inverse are stored in one place.
  fileprivate func storesOnce(_ relationship: Relationship) -> Bool {
    relationship.isToMany || destination.inverse(of: relationship)?.isToMany != false
  }
}
