internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Proves that the links in a column or a join table of the assembled store are those of the source, where
/// keys were moved by sums: both ends of each link of the source are looked up, and what they became.
///
/// What is compared with a migration that moves keys by the same sums is wrong where that is. So `verify` has
/// the links of the migration that it makes proved.
struct LinkProof {
  private let step: StepPlan
  /// The relationship mappings whose links are stored there, the first of them of objects with moved links.
  private let items: [MappedRelationship]
  private let rows: LinkRows

  /// Those of a step.
  ///
  /// - Returns: none for links that a policy may change.
  static func all(of step: StepPlan) -> [LinkProof] {
    let policies = step.mappingPlans.filter { $0.isMadeByPolicy || $0.isRelatedByPolicy }
    let changed = Set(policies.compactMap { $0.destination?.tableName })
    var items: [LinkPlace: [MappedRelationship]] = [:]
    var moved: [LinkPlace] = []
    for item in step.relationships {
      guard let rows = rows(of: item) else { continue }
      var places = [LinkPlace(rows)]
      // A link from one object to one is stored on both sides.
      if let inverse = inverse(of: item, in: step), inverse.row == .owner, rows.row == .owner,
        LinkPlace(inverse) != places[0]
      {
        places.append(LinkPlace(inverse))
      }
      for place in places { items[place, default: []].append(item) }
      guard isMoved(item, in: step), !isChanged(item, by: changed, in: step) else { continue }
      if !moved.contains(places[0]) { moved.append(places[0]) }
    }
    return moved.compactMap { place in
      let items = items[place] ?? []
      guard
        let rows = items.lazy.compactMap({ rows(of: $0) }).first(where: { LinkPlace($0) == place })
      else { return nil }
      return LinkProof(step: step, items: items, rows: rows)
    }
  }

  /// Whether keys of the links become others.
  private static func isMoved(_ item: MappedRelationship, in step: StepPlan) -> Bool {
    MovedLink(item.relationship, of: item.mappingPlan, step: step) != nil
      || JoinTableRule(item.relationship, of: item.mappingPlan, step: step)?.ends
        .contains { $0.keys != nil } == true
  }

  /// Whether either end is in a table in which a policy makes objects.
  private static func isChanged(
    _ item: MappedRelationship, by changed: Set<String>, in step: StepPlan
  ) -> Bool {
    let related = item.relationship.relationship.destinationEntityName
    return [
      item.mappingPlan.destination?.tableName,
      step.destinationLayout.entity(named: related)?.tableName,
    ].contains { $0.map(changed.contains) ?? true }
  }

  private static func rows(of item: MappedRelationship) -> LinkRows? {
    item.mappingPlan.destination.flatMap {
      LinkRows(ofRelationship: item.relationship.relationship.name, of: $0)
    }
  }

  private static func inverse(of item: MappedRelationship, in step: StepPlan) -> LinkRows? {
    let relationship = item.relationship.relationship
    return step.destination.inverse(of: relationship).flatMap { inverse in
      step.destinationLayout.entity(named: relationship.destinationEntityName).flatMap {
        LinkRows(ofRelationship: inverse.name, of: $0)
      }
    }
  }

  /// Checks the links of the assembled store.
  ///
  /// - Parameter connection: has the source attached as `source`, and the journal.
  /// - Throws: `RUN-036` with the first link that leads to an object to which none leads in the source.
  /// - Complexity: O(n log n) for n links.
  func check(_ connection: Connection) throws {
    guard let query, let found = try connection.rows(query).first else { return }
    throw error(owner: found[0].integer ?? 0, target: found[1].integer ?? 0)
  }

  /// The first mapping of the relationship that has the place.
  private var first: MappedRelationship? {
    items.first { Self.rows(of: $0).map(LinkPlace.init) == LinkPlace(rows) }
  }

  /// The first link that no relationship mapping gives. What leads to no object is told elsewhere.
  private var query: String? {
    guard let first, let owner = first.mappingPlan.destination,
      let related = step.destinationLayout.entity(
        named: first.relationship.relationship.destinationEntityName)
    else { return nil }
    let given = items.flatMap { item -> [String] in
      guard let links = LinkQuery(item, step: step).sql else { return [] }
      let relationship = item.relationship.relationship
      let isForth = Self.rows(of: item).map {
        LinkPlace($0) == LinkPlace(rows) && $0.owner == rows.owner
      }
      let isOwnInverse = step.destination.inverse(of: relationship) == relationship
      var selects: [String] = []
      if isForth == true { selects.append("SELECT owner, target FROM (\(links))") }
      if isForth != true || isOwnInverse { selects.append("SELECT target, owner FROM (\(links))") }
      return selects
    }
    func isThere(_ end: String, _ entity: EntityLayout) -> String {
      "\(end) IN (SELECT \"Z_PK\" FROM main.\(entity.tableName.quotedIdentifier))"
    }
    return "SELECT owner, target FROM (SELECT \(rows.owner.quotedIdentifier) AS owner, "
      + "\(rows.related.quotedIdentifier) AS target FROM main.\(rows.table.quotedIdentifier)) "
      + "WHERE \(isThere("owner", owner)) AND \(isThere("target", related)) "
      + (given.isEmpty ? "" : "EXCEPT SELECT * FROM (\(given.joined(separator: " UNION ALL "))) ")
      + "ORDER BY 1, 2 LIMIT 1"
  }

  private func error(owner: Int64, target: Int64) -> MigrationError {
    let entity = first?.mappingPlan.destination?.name ?? ""
    let name = first?.relationship.relationship.name ?? ""
    return MigrationError(
      .verificationFailed,
      Diagnostic(
        "RUN-036",
        "a link of “\(entity).\(name)” leads to an object to which none leads in the source",
        reason: "the keys of its ends are \(owner) and \(target)"))
  }
}
