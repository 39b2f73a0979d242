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
    guard let unproved else { return }
    // What the relationship mappings give is collected on disk: there may be more of them than SQLite combines in
    // one query (https://www.sqlite.org/limits.html).
    let drop = "DROP TABLE IF EXISTS temp.\(Self.given)"
    try connection.execute(drop)
    let found: [[Value]]
    do {
      try connection.execute(
        "CREATE TABLE temp.\(Self.given) (owner, target, PRIMARY KEY (owner, target)) WITHOUT ROWID"
      )
      for item in items { try give(item, connection) }
      found = try connection.rows(unproved)
    } catch {
      try? connection.execute(drop)
      throw error
    }
    try connection.execute(drop)
    guard let first = found.first else { return }
    throw error(owner: first[0].integer ?? 0, target: first[1].integer ?? 0)
  }

  /// The temporary table of the links that the relationship mappings give.
  private static let given = "passage_proved"

  /// Adds the links that a relationship mapping gives.
  private func give(_ item: MappedRelationship, _ connection: Connection) throws {
    guard let links = LinkQuery(item, step: step).sql else { return }
    let relationship = item.relationship.relationship
    let isForth = Self.rows(of: item).map {
      LinkPlace($0) == LinkPlace(rows) && $0.owner == rows.owner
    }
    let isOwnInverse = step.destination.inverse(of: relationship) == relationship
    var ends: [String] = []
    if isForth == true { ends.append("owner, target") }
    if isForth != true || isOwnInverse { ends.append("target, owner") }
    for ends in ends {
      try connection.execute(
        "INSERT OR IGNORE INTO temp.\(Self.given) SELECT \(ends) FROM (\(links))")
    }
  }

  /// The first mapping of the relationship that has the place.
  private var first: MappedRelationship? {
    items.first { Self.rows(of: $0).map(LinkPlace.init) == LinkPlace(rows) }
  }

  /// The entity that declares the relationship: its subentities have it in the same place.
  private var owner: EntityLayout? {
    guard let first, let owner = first.mappingPlan.bound.destination else { return nil }
    let relationship = first.relationship.relationship.name
    return step.destination.lineage(of: owner).reversed().lazy
      .compactMap { step.destinationLayout.entity(named: $0.name) }
      .first { entity in
        LinkRows(ofRelationship: relationship, of: entity).map(LinkPlace.init) == LinkPlace(rows)
      }
  }

  /// The query for the first link that no relationship mapping gives. What leads to no object is told elsewhere,
  /// and an object of another entity is none of the relationship.
  private var unproved: String? {
    guard let first, let owner,
      let related = step.destinationLayout.entity(
        named: first.relationship.relationship.destinationEntityName)
    else { return nil }
    func isThere(_ end: String, _ entity: EntityLayout) -> String {
      "\(end) IN (SELECT \"Z_PK\" FROM main.\(entity.tableName.quotedIdentifier) "
        + "WHERE \(entity.isKind(nil)))"
    }
    return "SELECT owner, target FROM (SELECT \(rows.owner.quotedIdentifier) AS owner, "
      + "\(rows.related.quotedIdentifier) AS target FROM main.\(rows.table.quotedIdentifier)) "
      + "WHERE \(isThere("owner", owner)) AND \(isThere("target", related)) "
      + "EXCEPT SELECT owner, target FROM temp.\(Self.given) ORDER BY 1, 2 LIMIT 1"
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
