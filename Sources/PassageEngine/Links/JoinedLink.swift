internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// A many-to-many relationship that is not arithmetic, because an end may be filtered out, left to a
/// policy or moved by different offsets, and whose pairs a pass can make by itself: it makes the
/// objects of both ends, and nothing else fills the join table.
struct JoinedLink {
  /// One end of the pairs.
  struct End {
    /// The column of the source's join table with the keys.
    let column: String
    /// The source table of the objects.
    let table: String
    /// The mappings that may have made their new objects.
    let candidates: [MappingPlan]
    /// The entity of which the new objects must be.
    let expected: EntityLayout
  }

  /// The source of a column of the destination's join table.
  enum Cell {
    /// The key of the first or the second end.
    case end(Int)
    /// A place in an order, copied from a column of the source's join table.
    case copied(column: String)
    case empty
  }

  let mappingPlan: MappingPlan
  let relationship: BoundRelationship
  let source: JoinTable
  let destination: JoinTable
  /// In the order of the destination's first two columns.
  let ends: [End]
  /// The position among ``ends`` of the objects that have the relationship.
  let ownerEnd: Int
  /// One for each column of the destination's join table.
  let cells: [Cell]

  /// - Returns: `nil` when the pairs must be looked up when the step is assembled.
  init?(_ item: MappedRelationship, step: StepPlan) {
    (mappingPlan, relationship) = (item.mappingPlan, item.relationship)
    guard !mappingPlan.isRelatedByPolicy, relationship.selection == nil,
      !item.isPlaced(in: step), mappingPlan.elements == nil, let from = mappingPlan.source,
      let to = mappingPlan.destination,
      let pair = PairColumns(relationship, from: from, to: to), pair.destination.columns.count >= 2,
      !step.lanes.unnumberedJoins.contains(pair.source.name),
      let related = step.sourceLayout.entity(named: relationship.pathEnd.name),
      let expected = step.destinationLayout.entity(
        named: relationship.relationship.destinationEntityName)
    else { return nil }
    (source, destination) = (pair.source, pair.destination)
    let owner = End(
      column: pair.sourceOwn, table: from.tableName, candidates: [mappingPlan], expected: to)
    let target = End(
      column: pair.sourceRelated, table: related.tableName,
      candidates: step.candidates(relationship), expected: expected)
    for end in [owner, target] where !end.isMade(inPass: mappingPlan.passIndex, of: step) {
      return nil
    }
    let ownerEnd = destination.columns[0] == pair.own ? 0 : 1
    self.ownerEnd = ownerEnd
    ends = ownerEnd == 0 ? [owner, target] : [target, owner]
    cells = pair.roles.map { role in
      switch role {
      case .ownKey: .end(ownerEnd)
      case .relatedKey: .end(1 - ownerEnd)
      case .place(let column): .copied(column: column)
      case .none: .empty
      }
    }
  }

  /// The relationships of a step that are carried out so.
  static func all(of plan: RelationshipPlan, step: StepPlan) -> [JoinedLink] {
    guard step.lanes.usesPages else { return [] }
    var filled = plan.copies.values.joined().map(\.destination.name)
    let items = plan.lookups.compactMap { item -> (item: MappedRelationship, table: String)? in
      let name = item.relationship.relationship.name
      guard
        case .joinTable(let table, _, _, _)? = item.mappingPlan.destination?.storage(
          ofRelationship: name)
      else { return nil }
      return (item, table.name)
    }
    filled += items.map(\.table)
    let counts = Dictionary(filled.map { ($0, 1) }, uniquingKeysWith: +)
    return items.compactMap { item, table in
      counts[table] == 1 ? JoinedLink(item, step: step) : nil
    }
  }

  /// The mappings of the objects of both ends. The pairs stay valid as long as the number of their
  /// associations does not grow.
  var candidates: [MappingPlan] { ends.flatMap(\.candidates) }
}

extension JoinedLink.End {
  /// Whether a pass makes all its objects, each at a key that tells which mapping made it.
  fileprivate func isMade(inPass pass: Int, of step: StepPlan) -> Bool {
    var sources: Set<String> = []
    return !candidates.isEmpty
      && candidates.allSatisfy { candidate in
        guard candidate.passIndex == pass, let from = candidate.source,
          from.tableName == table, sources.insert(from.name).inserted
        else { return false }
        return !step.mappingPlans.contains { other in
          other.passIndex == pass && other.keyOffset == candidate.keyOffset
            && other.source?.tableName == table
            && other.destination?.number == candidate.destination?.number
            && !candidates.contains { $0.index == other.index }
        }
      }
  }

  /// Whether a policy decides what becomes of the objects.
  var hasAssociations: Bool { candidates.contains(where: \.hasAssociations) }
}
