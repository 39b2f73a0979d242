internal import PassageMappings
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// Relationships between two objects that are made from one source object. Both keys are the key of
/// that object plus an offset, so each side is written in the sweep that writes its row.
///
/// A mapping declares such a relationship with
/// `destinationInstancesForEntityMappingNamed:sourceInstances:` of `$source`. Links that could lead
/// to no object or to several are left to ``LinkQuery``.
struct SameObjectLinks {
  /// A relationship mapping of an entity mapping.
  struct Link: Hashable {
    var mappingPlan: Int
    var relationship: String
  }

  /// The columns that each mapping's sweep writes, by the mapping's index.
  private(set) var rules: [Int: [ForeignKeyRule]] = [:]
  /// The relationship mappings whose links the sweeps write.
  private(set) var covered: Set<Link> = []
  /// The to-one relationships whose to-one inverse the sweeps also write.
  private(set) var bothSided: Set<Link> = []

  init(step: StepPlan) {
    for mappingPlan in step.mappingPlans {
      for relationship in mappingPlan.bound.relationships
      where relationship.path.isEmpty && relationship.selection == nil {
        add(relationship, of: mappingPlan, step: step)
      }
    }
  }

  private mutating func add(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan, step: StepPlan
  ) {
    guard !mappingPlan.isMadeByPolicy, !mappingPlan.isRelatedByPolicy,
      let source = mappingPlan.source,
      let destination = mappingPlan.destination,
      let storage = destination.storage(ofRelationship: relationship.relationship.name)
    else { return }
    let takers = step.candidates(relationship).filter { $0.source?.name == source.name }
    guard takers.count == 1, let taker = takers.first, !taker.hasAssociations,
      let target = taker.destination
    else { return }
    let link = Link(relationship, of: mappingPlan)
    let ends = Ends(
      mappingPlan: mappingPlan, relationship: relationship,
      inverse: step.destination.inverse(of: relationship.relationship), taker: taker)
    switch storage {
    case .foreignKey(let column, let entityColumn, let orderColumn):
      guard taker.isTotal, !ends.isWrittenFromOthers(in: step) else { return }
      rules[mappingPlan.index, default: []].append(
        ForeignKeyRule(
          sameObjectAt: taker.keyOffset, number: target.number, column, entityColumn, orderColumn))
      covered.insert(link)
      guard mappingPlan.isTotal, let inverse = ends.inverse, !inverse.isToMany,
        case .foreignKey(let column, let entityColumn, let orderColumn)? =
          target.storage(ofRelationship: inverse.name)
      else { return }
      let rule = ForeignKeyRule(
        sameObjectAt: mappingPlan.keyOffset, number: destination.number, column, entityColumn,
        orderColumn)
      if addBack(rule, ends, step: step) { bothSided.insert(link) }
    case .inverseForeignKey(_, let column, let entityColumn, let orderColumn):
      guard mappingPlan.isTotal else { return }
      let rule = ForeignKeyRule(
        sameObjectAt: mappingPlan.keyOffset, number: destination.number, column, entityColumn,
        orderColumn)
      if addBack(rule, ends, step: step) { covered.insert(link) }
    case .joinTable: break
    }
  }

  /// Adds the rule by which the taker's sweep writes the side that is stored in its row, unless its own
  /// mapping of the inverse does so.
  ///
  /// - Returns: whether nothing but the sweep writes that side.
  private mutating func addBack(_ rule: ForeignKeyRule, _ ends: Ends, step: StepPlan) -> Bool {
    switch ends.back(in: step) {
    case .same: break
    case .none: rules[ends.taker.index, default: []].append(rule)
    case .other: return false
    }
    return true
  }

  /// The two entity mappings that a link connects.
  private struct Ends {
    let mappingPlan: MappingPlan
    let relationship: BoundRelationship
    let inverse: Relationship?
    let taker: MappingPlan

    /// What else writes the side that is stored in the taker's row.
    enum Back {
      case none
      /// The taker's own mapping of the inverse, which leads to the same object by arithmetic.
      case same
      /// Another mapping; what it writes is known only in the finished store.
      case other
    }

    func back(in step: StepPlan) -> Back {
      var back = Back.none
      let own = MappedRelationship(mappingPlan: mappingPlan, relationship: relationship).link
      let opposite = inverse.map {
        SameObjectLinks.Link(mappingPlan: taker.index, relationship: $0.name)
      }
      if let opposite, opposite != own,
        let mapped = taker.bound.relationships.first(where: {
          $0.relationship.name == opposite.relationship
        })
      {
        guard leadsBack(mapped, in: step) else { return .other }
        back = .same
      }
      let isWrittenHere = step.relationships(leadingTo: taker).contains { other in
        other.link != own && other.link != opposite && isOfThisSide(other.relationship, in: step)
      }
      return isWrittenHere ? .other : back
    }

    /// Whether a to-many inverse that other entity mappings fill may also write the mapping's side;
    /// the last one written takes effect.
    func isWrittenFromOthers(in step: StepPlan) -> Bool {
      guard let inverse, inverse.isToMany else { return false }
      return step.alike(leadingTo: mappingPlan, named: inverse.name).contains { others in
        !(others.relationship.path.isEmpty && others.owners.allSatisfy { $0 == taker.index })
      }
    }

    /// Whether the taker's mapping of the inverse is also arithmetic, and leads only to this
    /// mapping.
    private func leadsBack(_ mapped: BoundRelationship, in step: StepPlan) -> Bool {
      guard mapped.path.isEmpty, !mapped.relationship.isToMany, mappingPlan.isTotal,
        !taker.hasAssociations, !taker.isRelatedByPolicy
      else { return false }
      let takers = step.candidates(mapped).filter { $0.source?.name == taker.source?.name }
      return takers.map(\.index) == [mappingPlan.index]
    }

    /// Whether a relationship mapping, if it leads to the taker's objects, may write their side of the
    /// relationship.
    private func isOfThisSide(_ mapped: BoundRelationship, in step: StepPlan) -> Bool {
      mapped.relationship.name == relationship.relationship.name
        || (inverse != nil
          && step.destination.inverse(of: mapped.relationship)?.name == inverse?.name)
    }
  }
}

extension MappedRelationship {
  var link: SameObjectLinks.Link { SameObjectLinks.Link(relationship, of: mappingPlan) }
}

extension SameObjectLinks.Link {
  init(_ relationship: BoundRelationship, of mappingPlan: MappingPlan) {
    self.init(mappingPlan: mappingPlan.index, relationship: relationship.relationship.name)
  }
}

extension ForeignKeyRule {
  /// The columns of a link to the object that is made from the same source object with an offset.
  fileprivate init(
    sameObjectAt offset: Int64, number: Int, _ column: String, _ entityColumn: String?,
    _ orderColumn: String?
  ) {
    var columns = [LinkColumn(name: column, cell: .key(offset: offset))]
    if let entityColumn {
      columns.append(LinkColumn(name: entityColumn, cell: .constant(.integer(Int64(number)))))
    }
    if let orderColumn { columns.append(LinkColumn(name: orderColumn, cell: .key(offset: 0))) }
    self.init(columns: columns)
  }
}
