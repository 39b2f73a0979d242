internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores

/// The query that finds every pair of a relationship mapping: destination owner, destination target,
/// the target's place. It runs on the assembled store, with the source attached as `source`.
///
/// A source object stands in the destination at its key plus the offset when a row is there, and
/// wherever an association says. Both ends are looked up so: a target that was filtered out, or of
/// which a policy made nothing, gives no pair.
struct LinkQuery {
  private let item: RelationshipPlan.Item
  private let step: StepPlan

  init(_ item: RelationshipPlan.Item, step: StepPlan) {
    self.item = item
    self.step = step
  }

  /// `SELECT owner, owner_entity, target, target_entity, place, owner_place …`; `nil` when no pair
  /// is possible.
  var sql: String? {
    guard let source = item.job.source, let destination = item.job.destination,
      let expected = step.destinationLayout.entity(
        named: item.relationship.relationship.destinationEntityName)
    else { return nil }
    var walk = Walk(layout: step.sourceLayout, start: source)
    for relationship in item.relationship.path {
      guard walk.follow(relationship, model: step.source) else { return nil }
    }
    var selects: [String] = []
    for owner in owners(source, destination) {
      for target in targets(walk, expected) {
        selects.append(
          """
          SELECT \(owner.key) AS owner, \(owner.entity) AS owner_entity, \
          \(target.key) AS target, \(target.entity) AS target_entity, \
          \(walk.place) AS place, \(walk.ownerPlace) AS owner_place \
          FROM \(owner.from)\(walk.joins)\(target.join) WHERE \(owner.condition)\(target.condition)
          """)
      }
    }
    // A pair may come twice: who writes it knows.
    return selects.isEmpty ? nil : selects.joined(separator: " UNION ALL ")
  }

  // MARK: Owners

  private struct Owner {
    var from: String
    var key: String
    var entity: String
    var condition: String
  }

  private func owners(_ source: EntityLayout, _ destination: EntityLayout) -> [Owner] {
    let job = item.job
    let table = "source.\(source.tableName.quotedIdentifier) AS s"
    let isOwn = "s.\"Z_ENT\" = \(source.number)"
    var owners: [Owner] = []
    if job.isTotal {
      owners.append(
        Owner(
          from: table, key: "s.\"Z_PK\" + \(job.keyOffset)", entity: "\(destination.number)",
          condition: isOwn))
    } else {
      owners.append(
        Owner(
          from: table + " JOIN main.\(destination.tableName.quotedIdentifier) AS o "
            + "ON o.\"Z_PK\" = s.\"Z_PK\" + \(job.keyOffset) AND o.\"Z_ENT\" = \(destination.number)",
          key: "o.\"Z_PK\"", entity: "o.\"Z_ENT\"", condition: isOwn))
    }
    if job.isMadeByPolicy {
      let family = destination.familyNumbers
      owners.append(
        Owner(
          from: "main.passage_association AS oa JOIN \(table) ON s.\"Z_PK\" = oa.source",
          key: "oa.destination", entity: "oa.entity",
          condition: "oa.mapping = \(job.index) AND oa.entity BETWEEN \(family.lowerBound) "
            + "AND \(family.upperBound) AND \(isOwn)"))
    }
    guard job.isRelatedByPolicy else { return owners }
    return owners.map { owner in
      var owner = owner
      owner.condition +=
        " AND EXISTS (SELECT 1 FROM main.passage_default_relationships AS r "
        + "WHERE r.mapping = \(job.index) AND r.destination = \(owner.key))"
      return owner
    }
  }

  // MARK: Targets

  private struct Target {
    var join: String
    var key: String
    var entity: String
    var condition: String
  }

  private func targets(_ walk: Walk, _ expected: EntityLayout) -> [Target] {
    var targets: [Target] = []
    let end = walk.alias
    for candidate in step.candidates(item.relationship) {
      guard let source = candidate.source, let destination = candidate.destination else { continue }
      let isOwn = " AND \(end).\"Z_ENT\" = \(source.number)"
      if expected.familyNumbers.contains(destination.number) {
        if candidate.isTotal {
          targets.append(
            Target(
              join: "", key: "\(end).\"Z_PK\" + \(candidate.keyOffset)",
              entity: "\(destination.number)", condition: isOwn))
        } else {
          targets.append(
            Target(
              join: " JOIN main.\(destination.tableName.quotedIdentifier) AS d "
                + "ON d.\"Z_PK\" = \(end).\"Z_PK\" + \(candidate.keyOffset) "
                + "AND d.\"Z_ENT\" = \(destination.number)",
              key: "d.\"Z_PK\"", entity: "d.\"Z_ENT\"",
              condition: isOwn + Self.somethingIsKept(candidate, destination)))
        }
      }
      if candidate.isMadeByPolicy {
        let family = expected.familyNumbers
        targets.append(
          Target(
            join: " JOIN main.passage_association AS ta "
              + "ON ta.mapping = \(candidate.index) AND ta.source = \(end).\"Z_PK\"",
            key: "ta.destination", entity: "ta.entity",
            condition: isOwn + " AND ta.entity BETWEEN \(family.lowerBound) "
              + "AND \(family.upperBound)"))
      }
    }
    return targets
  }

  /// A condition that spares the look-ups when a policy has left all of its objects' keys alone: it
  /// makes shared objects only. SQLite answers it once.
  private static func somethingIsKept(_ job: MappingPlan, _ destination: EntityLayout) -> String {
    guard job.isMadeByPolicy, let range = job.keyRange else { return "" }
    return " AND EXISTS (SELECT 1 FROM main.\(destination.tableName.quotedIdentifier) "
      + "WHERE \"Z_PK\" BETWEEN \(range.lowerBound) AND \(range.upperBound))"
  }

}

// MARK: Path

extension LinkQuery {
  /// The joins that lead along a path of relationships in the source, from the row `s`.
  struct Walk {
    let layout: StoreLayout
    var entity: EntityLayout
    var alias = "s"
    var joins = ""
    /// The target's place among its owner's targets.
    var place = "s.\"Z_PK\""
    /// The owner's place among its target's owners.
    var ownerPlace = "s.\"Z_PK\""
    private var count = 0

    init(layout: StoreLayout, start: EntityLayout) {
      self.layout = layout
      entity = start
    }

    /// Adds one relationship; `false` when it is stored nowhere.
    mutating func follow(_ relationship: Relationship, model: Model) -> Bool {
      guard let storage = entity.storage(ofRelationship: relationship.name),
        let next = layout.entity(named: relationship.destinationEntityName)
      else { return false }
      count += 1
      let row = "p\(count)"
      let table = "source.\(next.tableName.quotedIdentifier) AS \(row)"
      switch storage {
      case .foreignKey(let column, _, let order):
        joins += " JOIN \(table) ON \(row).\"Z_PK\" = \(alias).\(column.quotedIdentifier)"
        if let order { ownerPlace = "\(alias).\(order.quotedIdentifier)" }
        place = "\(row).\"Z_PK\""
      case .inverseForeignKey(let holder, let column, _, let order):
        joins +=
          " JOIN source.\(holder.quotedIdentifier) AS \(row) "
          + "ON \(row).\(column.quotedIdentifier) = \(alias).\"Z_PK\""
        place = "\(row).\((order ?? "Z_PK").quotedIdentifier)"
      case .joinTable(let joinTable, let this, let other, let order):
        joins +=
          " JOIN source.\(joinTable.name.quotedIdentifier) AS j\(count) "
          + "ON j\(count).\(this.quotedIdentifier) = \(alias).\"Z_PK\""
          + " JOIN \(table) ON \(row).\"Z_PK\" = j\(count).\(other.quotedIdentifier)"
        place = "j\(count).\((order ?? other).quotedIdentifier)"
        let otherOrder =
          joinTable.owner.column == this ? joinTable.other.orderColumn : joinTable.owner.orderColumn
        if let otherOrder { ownerPlace = "j\(count).\(otherOrder.quotedIdentifier)" }
      }
      alias = row
      entity = next
      return true
    }
  }
}
