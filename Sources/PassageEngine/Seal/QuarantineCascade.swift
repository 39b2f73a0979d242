internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Finds the objects of an assembled step that cannot exist without a quarantined object: one of
/// their required relationships led to it, or they have too few related objects without it.
///
/// The links are taken from the source, because an object that was quarantined early left no trace
/// in the destination. Each round examines the objects that refer to those found in the previous
/// one.
struct QuarantineCascade {
  let step: StepRun
  let store: PassStore

  /// The quarantined objects whose dependents have not been looked for yet.
  static let freshTable = "temp.passage_fresh"

  private lazy var needs = allNeeds()

  private var connection: Connection { store.connection }

  init(step: StepRun, store: PassStore) {
    self.step = step
    self.store = store
  }

  /// A required relationship of a destination object, as one mapping fills it.
  private struct Need {
    var mappingPlan: MappingPlan
    var source: EntityLayout
    var destination: EntityLayout
    var relationship: Relationship
    var stored: LinkRows
    /// The relationships that lead from the source object to the related objects.
    var path: [Relationship]
  }

  /// Starts with all objects quarantined so far.
  func begin() throws {
    try connection.execute("DROP TABLE IF EXISTS \(Self.freshTable)")
    try connection.execute(
      "CREATE TEMP TABLE passage_fresh (source INTEGER, entity TEXT, cause_entity TEXT, "
        + "cause_source INTEGER, cause_code TEXT, PRIMARY KEY (source, entity)) WITHOUT ROWID")
    try connection.execute(
      "INSERT OR IGNORE INTO \(Self.freshTable) SELECT source, entity, coalesce(cause_entity, entity), "
        + "coalesce(cause_source, source), coalesce(cause_code, code) "
        + "FROM \(Quarantine.table) ORDER BY pass")
  }

  var hasFresh: Bool {
    get throws { try connection.integer("SELECT EXISTS (SELECT 1 FROM \(Self.freshTable))") > 0 }
  }

  func end() throws { try connection.execute("DROP TABLE \(Self.freshTable)") }

  /// Quarantines the objects that depend on the fresh objects; they become the new fresh objects.
  /// The destination objects made from the previous fresh ones must already be removed.
  ///
  /// - Throws: ``QuarantineFull``.
  mutating func advance() throws {
    var found: [(need: Need, key: Int64, cause: Quarantine.Cause)] = []
    // At most one more than may be quarantined.
    let most = Int64(step.quarantine.maximum).saturatingAdd(1)
    for need in needs {
      guard let query = query(need) else { continue }
      for row in try connection.rows("\(query) LIMIT \(most)") {
        guard let key = row[0].integer else { continue }
        found.append(
          (
            need, key,
            Quarantine.Cause(
              entity: row[1].string ?? "", key: row[2].integer ?? 0, code: row[3].string ?? "")
          ))
      }
    }
    try connection.execute("DELETE FROM \(Self.freshTable)")
    for (need, key, cause) in found {
      let isKnown =
        try connection.integer(
          "SELECT count(*) FROM \(Quarantine.table) WHERE entity = ? AND source = ?",
          [.text(need.source.name), .integer(key)]) > 0
      guard !isKnown else { continue }
      try step.quarantine.add(
        Self.reason(need.destination.name, need.relationship, cause), cause: cause,
        entity: need.source.name, key: key, mapping: need.mappingPlan.name, to: store.journal)
      try connection.execute(
        "INSERT INTO \(Self.freshTable) VALUES (?, ?, ?, ?, ?)",
        [
          .integer(key), .text(need.source.name), .text(cause.entity), .integer(cause.key),
          .text(cause.code),
        ])
    }
  }

  private static func reason(
    _ entity: String, _ relationship: Relationship, _ cause: Quarantine.Cause
  ) -> Diagnostic {
    let what = "“\(entity).\(relationship.name)”"
    let reason = "the cause is “\(cause.entity)” \(cause.key), \(cause.code)"
    return relationship.isToMany
      ? Diagnostic(
        "VAL-021", "\(what) has too few objects without those quarantined", reason: reason
      )
      : Diagnostic(
        "VAL-020", "\(what) is required, but its object was quarantined", reason: reason)
  }

  // MARK: What needs what

  private func allNeeds() -> [Need] {
    step.plan.mappingPlans.flatMap { mappingPlan -> [Need] in
      // An object that a policy made belongs to no single source object.
      guard mappingPlan.isTraceable, let source = mappingPlan.source,
        let destination = mappingPlan.destination,
        let entity = step.plan.destination.entity(named: destination.name)
      else { return [] }
      return step.plan.destination.relationships(of: entity).compactMap { relationship in
        let minimum = relationship.isToMany ? relationship.minimumCount : 1
        guard !relationship.isTransient, minimum > (relationship.isOptional ? 1 : 0),
          let stored = LinkRows(ofRelationship: relationship.name, of: destination),
          let path = path(to: relationship, of: mappingPlan), !path.isEmpty
        else { return nil }
        return Need(
          mappingPlan: mappingPlan, source: source, destination: destination,
          relationship: relationship,
          stored: stored, path: path)
      }
    }
  }

  /// The path in the source to the objects that fill a relationship: the mapped path, or the
  /// inverse of the path from which its inverse relationship is mapped.
  private func path(to relationship: Relationship, of mappingPlan: MappingPlan) -> [Relationship]? {
    if let mapped = mappingPlan.bound.relationships.first(where: {
      $0.relationship.name == relationship.name
    }) {
      return mapped.path
    }
    guard let inverse = step.plan.destination.inverse(of: relationship) else { return nil }
    let others = step.plan.alike(leadingTo: mappingPlan, named: inverse.name).compactMap { alike in
      let path = alike.relationship.path
      let back = path.count == 1 ? step.plan.source.inverse(of: path[0]) : nil
      return back.map { (first: alike.owners[0], path: [$0]) }
    }
    return others.min { $0.first < $1.first }?.path
  }

  // MARK: SQL

  /// Selects the source keys of a mapping's objects that lack a required related object and led to
  /// a fresh object, each once, with the object that caused the quarantine.
  private func query(_ need: Need) -> String? {
    var walk = RelationshipWalk(
      from: need.source, row: "s", layout: step.plan.sourceLayout, schema: "source")
    guard walk.follow(need.path) else { return nil }
    let end = walk.row
    let family = step.plan.sourceLayout.entities.filter {
      walk.entity.familyNumbers.contains($0.number)
    }
    let names = family.map { "WHEN \($0.number) THEN \($0.name.quotedLiteral)" }
      .joined(separator: " ")
    let lack = lack(need)
    var conditions = [need.source.isOwn("s"), lack.condition]
    if need.path.count == 1,
      let stored = LinkRows(ofRelationship: need.path[0].name, of: need.source),
      stored.row == .owner
    {
      // Core Data's index on the key serves this condition.
      conditions.append(
        "s.\(stored.related.quotedIdentifier) IN (SELECT source FROM \(Self.freshTable))")
    }
    return """
      SELECT s."Z_PK", q.cause_entity, q.cause_source, q.cause_code, min(q.source) \
      FROM source.\(need.source.tableName.quotedIdentifier) AS s\(walk.joins()) \
      JOIN \(Self.freshTable) AS q ON q.source = \(end)."Z_PK" \
      AND q.entity = CASE \(walk.entity.numberSQL(end)) \(names) END \
      JOIN main.\(need.destination.tableName.quotedIdentifier) AS d \
      ON d."Z_PK" = s."Z_PK" + \(need.mappingPlan.keyOffset) AND d."Z_ENT" = \(need.destination.number)\
      \(lack.join) WHERE \(conditions.joined(separator: " AND ")) GROUP BY s."Z_PK" ORDER BY s."Z_PK"
      """
  }

  /// The condition for a destination object `d` that lacks required related objects.
  private func lack(_ need: Need) -> (join: String, condition: String) {
    let target = step.plan.destinationLayout.entity(named: need.relationship.destinationEntityName)
    let targets = "main.\((target?.tableName ?? "").quotedIdentifier) AS t"
    if need.stored.row == .owner {
      let value = "d.\(need.stored.related.quotedIdentifier)"
      return (
        "",
        "(\(value) IS NULL OR NOT EXISTS (SELECT 1 FROM \(targets) WHERE t.\"Z_PK\" = \(value)))"
      )
    }
    var links = "main.\(need.stored.table.quotedIdentifier) AS l"
    if need.stored.row == .pair {
      links += " JOIN \(targets) ON t.\"Z_PK\" = l.\(need.stored.related.quotedIdentifier)"
    }
    let key = need.stored.owner
    let least = need.relationship.isOptional ? 1 : 0
    let most = max(need.relationship.minimumCount, 1) - 1
    return (
      " LEFT JOIN (SELECT l.\(key.quotedIdentifier) AS k, count(*) AS n FROM \(links) GROUP BY 1) "
        + "AS c ON c.k = d.\"Z_PK\"",
      "ifnull(c.n, 0) BETWEEN \(least) AND \(most)"
    )
  }
}
