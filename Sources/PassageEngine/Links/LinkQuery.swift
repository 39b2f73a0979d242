internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores

/// The query that finds every pair of a relationship mapping: destination owner, destination
/// target, and the target's place. It runs on the assembled store, with the source attached as
/// `source`.
///
/// A source object's destination objects are the row at its key plus the offset, if it exists, and
/// those that associations name. Both ends are looked up in this way: a target that was filtered
/// out, or of which a policy made nothing, gives no pair.
struct LinkQuery {
  private let item: RelationshipPlan.Item
  private let step: StepPlan

  init(_ item: RelationshipPlan.Item, step: StepPlan) {
    self.item = item
    self.step = step
  }

  /// `SELECT owner, owner_entity, target, target_entity, place, owner_place …`; `nil` when there
  /// can be no pair.
  var sql: String? {
    guard let source = item.mappingPlan.source, let destination = item.mappingPlan.destination,
      let expected = step.destinationLayout.entity(
        named: item.relationship.relationship.destinationEntityName)
    else { return nil }
    var walk = RelationshipWalk(
      from: source, row: "s", layout: step.sourceLayout, schema: "source")
    guard walk.follow(item.relationship.path) else { return nil }
    let ownerPlace = walk.ownerPlace ?? "s.\"Z_PK\""
    var selects: [String] = []
    for owner in owners(source, destination) {
      for target in targets(walk, expected) {
        selects.append(
          """
          SELECT \(owner.key) AS owner, \(owner.entity) AS owner_entity, \
          \(target.key) AS target, \(target.entity) AS target_entity, \
          \(walk.place) AS place, \(ownerPlace) AS owner_place \
          FROM \(owner.from)\(walk.joins())\(target.join) WHERE \(owner.condition)\(target.condition)
          """)
      }
    }
    // A pair may be returned twice; the writers of links allow for that.
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
    let mappingPlan = item.mappingPlan
    let table = "source.\(source.tableName.quotedIdentifier) AS s"
    let isOwn = "s.\"Z_ENT\" = \(source.number)"
    var owners: [Owner] = []
    if mappingPlan.isTotal {
      owners.append(
        Owner(
          from: table, key: "s.\"Z_PK\" + \(mappingPlan.keyOffset)",
          entity: "\(destination.number)",
          condition: isOwn))
    } else {
      owners.append(
        Owner(
          from: table + " JOIN main.\(destination.tableName.quotedIdentifier) AS o "
            + "ON o.\"Z_PK\" = s.\"Z_PK\" + \(mappingPlan.keyOffset) AND o.\"Z_ENT\" = \(destination.number)",
          key: "o.\"Z_PK\"", entity: "o.\"Z_ENT\"", condition: isOwn))
    }
    if mappingPlan.isMadeByPolicy {
      let family = destination.familyNumbers
      owners.append(
        Owner(
          from: "\(Journal.Table.association.name) AS oa JOIN \(table) ON s.\"Z_PK\" = oa.source",
          key: "oa.destination", entity: "oa.entity",
          condition: "oa.mapping = \(mappingPlan.index) AND oa.entity BETWEEN \(family.lowerBound) "
            + "AND \(family.upperBound) AND \(isOwn)"))
    }
    guard mappingPlan.isRelatedByPolicy else { return owners }
    return owners.map { owner in
      var owner = owner
      owner.condition +=
        " AND EXISTS (SELECT 1 FROM \(Journal.Table.defaultRelationship.name) AS r "
        + "WHERE r.mapping = \(mappingPlan.index) AND r.destination = \(owner.key))"
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

  private func targets(_ walk: RelationshipWalk, _ expected: EntityLayout) -> [Target] {
    var targets: [Target] = []
    let end = walk.row
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
            join: " JOIN \(Journal.Table.association.name) AS ta "
              + "ON ta.mapping = \(candidate.index) AND ta.source = \(end).\"Z_PK\"",
            key: "ta.destination", entity: "ta.entity",
            condition: isOwn + " AND ta.entity BETWEEN \(family.lowerBound) "
              + "AND \(family.upperBound)"))
      }
    }
    return targets
  }

  /// A condition that avoids the look-ups when a policy has left no object at the key of its source
  /// object, as when it makes only shared objects. SQLite evaluates it once.
  private static func somethingIsKept(_ mappingPlan: MappingPlan, _ destination: EntityLayout)
    -> String
  {
    guard mappingPlan.isMadeByPolicy, let range = mappingPlan.keyRange else { return "" }
    return " AND EXISTS (SELECT 1 FROM main.\(destination.tableName.quotedIdentifier) "
      + "WHERE \"Z_PK\" BETWEEN \(range.lowerBound) AND \(range.upperBound))"
  }

}
