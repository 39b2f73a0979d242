internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// A many-to-many relationship that is migrated by arithmetic on both ends: every pair of the
/// source's join table becomes one pair of the destination's.
struct JoinTableRule {
  /// The source of a cell of a pair, in the source's join table.
  enum Cell: Sendable, Hashable {
    /// The key in a column, plus an offset.
    case shifted(column: String, offset: Int64)
    /// A column copied unchanged: a place in an order.
    case copied(column: String)
    /// No value.
    case empty
  }

  /// What one end of a pair must be: a number that is in the range of the table's keys where other
  /// mappings have keys in the table too. Any other leads to no object, but there it could lead to a wrong
  /// one.
  struct End: Sendable, Hashable {
    var column: String
    var keys: Keyspace.Extent?
  }

  let destination: JoinTable
  let source: JoinTable
  /// One for each column of the destination's join table.
  let cells: [Cell]
  /// The source column that fills the destination's first column: the order of the copy.
  let leadingColumn: String
  let followingColumn: String
  /// The conditions on both ends. Pairs that do not meet them are left out.
  let ends: [End]

  /// - Returns: `nil` when the pairs must be looked up instead, because an end may be filtered out,
  ///   left to a policy, migrated more than once, or migrated with different offsets, or because the
  ///   source may hold keys as texts.
  init?(_ relationship: BoundRelationship, of mappingPlan: MappingPlan, step: StepPlan) {
    guard relationship.selection == nil, let from = mappingPlan.read,
      let to = mappingPlan.destination,
      let pair = PairColumns(relationship, from: from, to: to),
      !step.lanes.unnumberedJoins.contains(pair.source.name),
      let ownerOffset = Self.commonOffset(
        ofFamily: pair.source.owner.column == pair.sourceOwn
          ? pair.source.owner.entityName : pair.source.other.entityName, step: step,
        of: { owner in
          owner.bound.relationships.contains {
            $0.relationship.name == relationship.relationship.name
              && $0.path == relationship.path && $0.target == relationship.target
          }
        }),
      let targetOffset = Self.commonOffset(
        ofFamily: relationship.pathEnd.name, step: step,
        of: { step.isCandidate($0, of: relationship) })
    else { return nil }
    source = pair.source
    destination = pair.destination
    cells = pair.roles.map { role in
      switch role {
      case .ownKey: .shifted(column: pair.sourceOwn, offset: ownerOffset)
      case .relatedKey: .shifted(column: pair.sourceRelated, offset: targetOffset)
      case .place(let column): .copied(column: column)
      case .none: .empty
      }
    }
    ends = [
      (pair.sourceOwn, ownerOffset, from.name),
      (pair.sourceRelated, targetOffset, relationship.pathEnd.name),
    ].map { column, offset, entity in
      let table = step.sourceLayout.entity(named: entity)?.tableName ?? ""
      let isBounded = offset != 0 || step.isDestinationShared(ofFamily: entity)
      return End(column: column, keys: isBounded ? step.extent.keys[table] ?? .empty : nil)
    }
    (leadingColumn, followingColumn) =
      destination.columns.first == pair.own
      ? (pair.sourceOwn, pair.sourceRelated) : (pair.sourceRelated, pair.sourceOwn)
  }

  /// The offset that all objects of an entity and its subentities get; `nil` when it differs, or
  /// when an object may become no object or several.
  ///
  /// - Parameter isTaker: whether what an entity mapping makes of them counts.
  private static func commonOffset(
    ofFamily name: String, step: StepPlan, of isTaker: (MappingPlan) -> Bool
  ) -> Int64? {
    guard let entity = step.source.entity(named: name) else { return nil }
    var offset: Int64?
    for member in step.source.family(of: entity) where !member.isAbstract {
      let readers = step.mappingPlans(reading: member.name)
      guard let first = readers.firstIndex(where: isTaker), readers[first].isTotal,
        !readers[first].isRelatedByPolicy, offset == nil || offset == readers[first].keyOffset,
        !readers[(first + 1)...].contains(where: isTaker)
      else { return nil }
      offset = readers[first].keyOffset
    }
    return offset
  }
}
