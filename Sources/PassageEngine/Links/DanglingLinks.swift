internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Counts the links of the source that lead to no object and cannot be kept, so that none is
/// dropped silently.
///
/// A link whose key is copied unchanged stays as it was. Where several mappings have keys in the related
/// table, one outside their range could end up at an object of another mapping, so such keys become empty. A link
/// that is looked up finds no object. A pair of a join table is no link if either side is not a
/// number.
///
/// A sweep by pages tells whether all links of a relationship lead to an object that was made, or have
/// keys that can be moved. Only if it has found others are they counted, after the passes.
final class DanglingLinks {
  private let step: StepPlan
  private let links: StepLinks
  /// The results of the queries so far. Both sides of a relationship may have the same.
  private var counted: [Query: Int64] = [:]
  /// The mappings that have counted links that cannot be kept.
  private var lossy: [LossyLink] = []
  private var deferred: [(relationship: BoundRelationship, mappingPlan: MappingPlan)] = []
  private var deferredPairs: [JoinedLink] = []

  init(step: StepPlan, links: StepLinks) {
    self.step = step
    self.links = links
  }

  /// Counts before the passes what no sweep tells.
  ///
  /// - Complexity: O(n) for a relationship whose keys get an offset in SQL; O(n) look-ups for one that
  ///   is looked up anyway.
  func countBefore(_ connection: @autoclosure () throws -> Connection) throws {
    for mappingPlan in step.mappingPlans {
      for relationship in mappingPlan.bound.relationships {
        let swept = links.swept[mappingPlan.index].first { $0.relationship == relationship }
        let joined = links.joined.first {
          $0.mappingPlan.index == mappingPlan.index && $0.relationship == relationship
        }
        if let joined {
          deferredPairs.append(joined)
        } else if mappingPlan.pageObstacle == nil,
          swept != nil || MovedLink(relationship, of: mappingPlan, step: step) != nil
        {
          deferred.append((relationship, mappingPlan))
        } else {
          try count(relationship, of: mappingPlan, connection())
        }
      }
    }
  }

  /// Whether links are left to count after the passes.
  var isAnyDeferred: Bool { !deferred.isEmpty || !deferredPairs.isEmpty }

  /// Counts the other links after the passes.
  ///
  /// - Parameters:
  ///   - isMatched: whether all links of a relationship led to an object.
  ///   - isJoined: whether all pairs of one did.
  /// - Complexity: O(n) look-ups for a relationship some of whose links led to none.
  func countDeferred(
    _ connection: @autoclosure () throws -> Connection,
    isMatched: (BoundRelationship, MappingPlan) throws -> Bool,
    isJoined: (JoinedLink) throws -> Bool
  ) throws {
    for link in deferred where try !isMatched(link.relationship, link.mappingPlan) {
      try count(link.relationship, of: link.mappingPlan, connection())
    }
    for link in deferredPairs where try !isJoined(link) {
      try count(link.relationship, of: link.mappingPlan, connection())
    }
  }

  /// A warning `RUN-024` for each relationship that has links that cannot be kept, in the order of the plan.
  ///
  /// Which side of a relationship counted its links depends on the lane. They are told of the side that
  /// has the keys in its own rows, or of the one that comes first, so that all lanes tell the same.
  ///
  /// - Complexity: O(n) look-ups for each place where such links were counted.
  func warnings(_ connection: @autoclosure () throws -> Connection) throws -> Diagnostics {
    var warnings = Diagnostics()
    if lossy.isEmpty { return warnings }
    let links = step.mappingPlans.flatMap { mappingPlan in
      mappingPlan.bound.relationships.compactMap { relationship in
        LossyLink(
          relationship, of: mappingPlan,
          queries: queries(
            loss(relationship, of: mappingPlan), relationship, of: mappingPlan))
      }
    }.filter { link in
      !link.queries.isEmpty && lossy.contains { $0.place == link.place }
    }
    var tellers: [LinkPlace: LossyLink] = [:]
    for link in links where tellers[link.place].map({ !$0.holdsKeys && link.holdsKeys }) ?? true {
      tellers[link.place] = link
    }
    var told: Set<Query> = []
    var silent = Set(lossy.map(\.place))
    func tell(_ link: LossyLink) throws {
      var count: Int64 = 0
      for query in link.queries where told.insert(query).inserted {
        count += try result(query, connection())
      }
      guard count > 0 else { return }
      silent.remove(link.place)
      warnings.append(Self.warning(count, link))
    }
    for link in links where tellers[link.place]?.isOfSameSide(as: link) == true { try tell(link) }
    // Where that side has lost none, and none is to be lost in silence, the one tells that has counted.
    for link in lossy where silent.contains(link.place) { try tell(link) }
    return warnings
  }

  private static func warning(_ count: Int64, _ link: LossyLink) -> Diagnostic {
    Diagnostic(
      "RUN-024",
      "\(count) link\(count == 1 ? "" : "s") of “\(link.entity).\(link.relationship)” "
        + "lead\(count == 1 ? "s" : "") to no object of the store",
      severity: .warning,
      reason:
        "no object has the key that the source names, or the entity that it names beside the key is "
        + "missing or another one",
      remedy: "look for damage in the source; these links are left out of the migrated store")
  }

  private func count(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan, _ connection: Connection
  ) throws {
    guard mappingPlan.source != nil, mappingPlan.elements == nil, relationship.selection == nil
    else { return }
    let queries = queries(way(relationship, of: mappingPlan), relationship, of: mappingPlan)
    var isSound = true
    for query in queries where try result(query, connection) > 0 { isSound = false }
    if isSound {
      links.noteSound(relationship, of: mappingPlan)
    } else if let link = LossyLink(relationship, of: mappingPlan, queries: queries) {
      lossy.append(link)
    }
  }

  private func result(_ query: Query, _ connection: Connection) throws -> Int64 {
    if let known = counted[query] { return known }
    let result = try connection.integer(query.sql, query.parameters)
    counted[query] = result
    return result
  }

  private enum Way {
    case kept
    case shifted
    /// The column with the number of the related object's entity, and how the keys of each entity are moved.
    case byEntity(number: String, [EntityShift])
    /// Pairs of a join table. The query counts those that are left out.
    case pairs(String)
    case lookedUp
  }

  /// How the plan migrates the links of one relationship mapping.
  private func way(_ relationship: BoundRelationship, of mappingPlan: MappingPlan) -> Way {
    let loss = loss(relationship, of: mappingPlan)
    guard case .lookedUp = loss else { return loss }
    // A link that the other side writes is counted there.
    return links.plan.isLookedUp(relationship, of: mappingPlan) ? .lookedUp : .kept
  }

  /// How the links of one relationship mapping are migrated if they are not written from the other side.
  private func loss(_ relationship: BoundRelationship, of mappingPlan: MappingPlan) -> Way {
    if let rule = step.foreignKeyRule(of: mappingPlan, relationship) {
      if case .link(.byEntity(_, let number, let shifts))? = rule.columns.first?.cell {
        return .byEntity(number: number, shifts)
      }
      let isShifted = step.candidates(relationship).contains {
        $0.keyOffset != 0 || step.keyspace.isShared($0.destination?.tableName ?? "")
      }
      return isShifted ? .shifted : .kept
    }
    if let rule = JoinTableRule(relationship, of: mappingPlan, step: step) {
      return .pairs(rule.countOfExcluded(inSchema: "main"))
    }
    return .lookedUp
  }

  private struct Query: Hashable {
    var sql: String
    var parameters: [Value] = []
  }

  /// Links of one relationship mapping of which some may lead to no object.
  private struct LossyLink {
    let entity: String
    let relationship: String
    let place: LinkPlace
    /// The column with the owner's key.
    let owner: String
    /// Whether the rows of the owners have the links' keys.
    let holdsKeys: Bool
    let queries: [Query]

    init?(_ relationship: BoundRelationship, of mappingPlan: MappingPlan, queries: [Query]) {
      guard let source = mappingPlan.source, let name = relationship.path.first?.name,
        mappingPlan.elements == nil, relationship.selection == nil,
        let rows = LinkRows(ofRelationship: name, of: source)
      else { return nil }
      entity = source.name
      self.relationship = name
      place = LinkPlace(rows)
      owner = rows.owner
      holdsKeys = rows.row == .owner
      self.queries = queries
    }

    func isOfSameSide(as other: LossyLink) -> Bool {
      holdsKeys == other.holdsKeys && owner == other.owner
    }
  }

  /// The queries that count the links of one relationship mapping that will be left out; empty when
  /// all links are kept. They read the rows that hold the links, as the migration does: an index of a damaged
  /// store may not agree with them.
  private func queries(
    _ way: Way, _ relationship: BoundRelationship, of mappingPlan: MappingPlan
  ) -> [Query] {
    guard let source = mappingPlan.source, let first = relationship.path.first,
      let stored = LinkRows(ofRelationship: first.name, of: source),
      let related = step.sourceLayout.entity(named: first.destinationEntityName)
    else { return [] }
    let isThere = "SELECT 1 FROM \(source.tableName.quotedIdentifier) AS o WHERE o.\"Z_PK\" = "
    switch way {
    case .kept: return []
    case .shifted:
      let keys = step.extent.keys[related.tableName] ?? .empty
      let sql =
        "SELECT count(*) FROM \(stored.table.quotedIdentifier) NOT INDEXED "
        + "WHERE \(stored.related.quotedIdentifier) NOT BETWEEN \(LinkNumber.parameter) "
        + "AND \(LinkNumber.parameter) AND \(source.isOwn(nil))"
      return [Query(sql: sql, parameters: [.integer(keys.smallest), .integer(keys.largest)])]
    case .byEntity(let number, let shifts):
      return [byEntity(number, shifts, stored, source, related)]
    case .pairs(let count): return [Query(sql: count)]
    case .lookedUp: break
    }
    let owner = "l.\(stored.owner.quotedIdentifier)"
    let target = "l.\(stored.related.quotedIdentifier)"
    let leadsNowhere =
      "NOT EXISTS (SELECT 1 FROM \(related.tableName.quotedIdentifier) AS r "
      + "WHERE r.\"Z_PK\" = \(target))"
    let conditions =
      switch stored.row {
      case .owner:
        ["\(source.isOwn("l")) AND \(target) IS NOT NULL AND \(leadsNowhere)"]
      case .related: ["\(owner) IS NOT NULL AND NOT EXISTS (\(isThere)\(owner))"]
      case .pair:
        [
          "EXISTS (\(isThere)\(owner) AND \(source.isOwn("o"))) AND \(leadsNowhere)",
          "NOT EXISTS (\(isThere)\(owner))",
        ]
      }
    let from = "SELECT count(*) FROM \(stored.table.quotedIdentifier) AS l NOT INDEXED WHERE "
    return conditions.map { Query(sql: from + $0) }
  }

  /// Counts links with the number of no entity that is migrated, and those with keys that cannot be moved. Links
  /// to objects of entities that are not migrated are counted as emptied.
  private func byEntity(
    _ number: String, _ shifts: [EntityShift], _ stored: LinkRows, _ source: EntityLayout,
    _ related: EntityLayout
  ) -> Query {
    let key = "l.\(stored.related.quotedIdentifier)"
    let number = "l.\(number.quotedIdentifier)"
    let numbers = shifts.map { "\($0.number)" }.joined(separator: ", ")
    let isEmptied =
      "EXISTS (SELECT 1 FROM \(related.tableName.quotedIdentifier) AS r WHERE r.\"Z_PK\" = \(key) "
      + "AND r.\"Z_ENT\" NOT IN (\(numbers)))"
    let isOutside = shifts.map { shift in
      "WHEN \(LinkNumber.literal(Int64(shift.number))) THEN "
        + (shift.shift.keys.map {
          "\(key) NOT BETWEEN \(LinkNumber.literal($0.smallest)) "
            + "AND \(LinkNumber.literal($0.largest))"
        } ?? "0")
    }.joined(separator: " ")
    let isLost = "CASE \(number) \(isOutside) ELSE NOT \(isEmptied) END"
    return Query(
      sql: "SELECT count(*) FROM \(stored.table.quotedIdentifier) AS l NOT INDEXED "
        + "WHERE \(key) IS NOT NULL AND \(source.isOwn("l")) AND \(isLost)")
  }
}
