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
  private let item: MappedRelationship
  private let step: StepPlan
  private let isPlaced: Bool
  private let textOrder: String

  /// - Parameter textOrder: of the source; see ``SourceAccess/textOrder``. It matters to places only.
  init(_ item: MappedRelationship, step: StepPlan, textOrder: String = "") {
    self.item = item
    self.step = step
    self.textOrder = textOrder
    isPlaced = item.isPlaced(in: step)
  }

  /// `SELECT owner, owner_entity, target, target_entity, place, owner_place …`; `nil` when there
  /// can be no pair.
  ///
  /// Each pair of an item that is placed has a place of its own.
  var sql: String? {
    guard let source = item.mappingPlan.read, let destination = item.mappingPlan.destination,
      let expected = step.destinationLayout.entity(
        named: item.relationship.relationship.destinationEntityName)
    else { return nil }
    guard let way = Way(item, from: source, layout: step.sourceLayout, textOrder: textOrder)
    else { return nil }
    var selects: [String] = []
    for owner in owners(source, destination) {
      for target in targets(way, expected) {
        // SQLite has no statistics. Where it takes the table of the links for large, it would go through all
        // associations of owners and of targets, so that those of targets are looked up last.
        let isCrossed = owner.isByAssociation && target.isByAssociation
        let join = (isCrossed ? " CROSS" : "") + target.join
        selects.append(
          """
          SELECT \(owner.key) AS owner, \(owner.entity) AS owner_entity, \
          \(target.key) AS target, \(target.entity) AS target_entity, \
          \(way.place) AS place, \(way.ownerPlace) AS owner_place\(target.part) \
          FROM \(owner.from)\(way.joins)\(join) WHERE \(owner.condition)\(target.condition)
          """)
      }
    }
    // A pair may be returned twice; the writers of links allow for that.
    if selects.isEmpty { return nil }
    let pairs = selects.joined(separator: " UNION ALL ")
    guard isPlaced else { return pairs }
    return "SELECT owner, owner_entity, target, target_entity, "
      + "1024 * row_number() OVER (PARTITION BY owner ORDER BY place, part, target) AS place, "
      + "owner_place FROM (\(pairs))"
  }

  /// A query with one column, the keys of the objects whose relationship the mapping gives; `nil` when there can be
  /// none.
  var ownerKeys: String? {
    guard let source = item.mappingPlan.read, let destination = item.mappingPlan.destination else {
      return nil
    }
    return owners(source, destination).map { owner in
      "SELECT \(owner.key) FROM \(owner.from) WHERE \(owner.condition)"
    }.joined(separator: " UNION ALL ")
  }

  // MARK: Related objects

  /// From what is read, `s`, to the related source objects.
  private struct Way {
    /// With a leading space.
    let joins: String
    /// The related object's key.
    let key: String
    /// The row of the related object; `nil` for objects that are not of the source.
    let row: String?
    let place: String
    let ownerPlace: String

    init?(
      _ item: MappedRelationship, from source: EntityLayout, layout: StoreLayout,
      textOrder: String
    ) {
      guard let selection = item.relationship.selection else {
        var walk = RelationshipWalk(from: source, row: "s", layout: layout, schema: "source")
        guard walk.follow(item.relationship.path) else { return nil }
        (joins, row, key) = (walk.joins(), walk.row, "\(walk.row).\"Z_PK\"")
        (place, ownerPlace) = (walk.place, walk.ownerPlace ?? "s.\"Z_PK\"")
        return
      }
      let selected = SelectedObjects(item, selection, textOrder: textOrder).sorted
      (place, ownerPlace) = ("c.place", "s.\"Z_PK\"")
      let choice = " JOIN \(selected) AS c ON c.owner = s.\"Z_PK\""
      if selection.isOfAdded {
        (joins, row, key) = (choice, nil, "c.target")
      } else {
        guard let end = layout.entity(named: item.relationship.pathEnd.name) else { return nil }
        let table = "source.\(end.tableName.quotedIdentifier)"
        joins = choice + " JOIN \(table) AS p1 ON p1.\"Z_PK\" = c.target"
        (row, key) = ("p1", "p1.\"Z_PK\"")
      }
    }
  }

  // MARK: Owners

  private struct Owner {
    var from: String
    var key: String
    var entity: String
    var condition: String
    var isByAssociation = false
  }

  private func owners(_ source: EntityLayout, _ destination: EntityLayout) -> [Owner] {
    let mappingPlan = item.mappingPlan
    let table = "\(source.table(inSchema: "source")) AS s"
    let isOwn = source.isOwn("s")
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
    // What was merged into an object adds to its to-many relationships; a to-one is that of the
    // object that was kept.
    let isAdded = mappingPlan.isMadeByPolicy || item.relationship.relationship.isToMany
    if isAdded, let associations = mappingPlan.associationsOfRead {
      let family = destination.familyNumbers
      owners.append(
        Owner(
          from: "\(Journal.Table.association.name) AS oa JOIN \(table) ON s.\"Z_PK\" = oa.source",
          key: "oa.destination", entity: "oa.entity",
          condition: "oa.mapping = \(associations) AND oa.entity BETWEEN \(family.lowerBound) "
            + "AND \(family.upperBound) AND \(isOwn)", isByAssociation: true))
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
    var isByAssociation = false
    /// A further column for the order of what one source object became, with a leading comma.
    var part = ""
  }

  private func targets(_ way: Way, _ expected: EntityLayout) -> [Target] {
    var targets: [Target] = []
    for candidate in step.candidates(item.relationship) {
      guard let destination = candidate.destination else { continue }
      var isOwn = ""
      if let source = candidate.source, let end = way.row {
        isOwn = " AND \(source.isOwn(end))"
        if expected.familyNumbers.contains(destination.number), candidate.elements == nil {
          targets.append(ownTarget(candidate, destination, way, isOwn))
        }
      }
      if candidate.hasAssociations {
        let family = expected.familyNumbers
        var target = Target(
          join: " JOIN \(Journal.Table.association.name) AS ta "
            + "ON ta.mapping = \(candidate.index) AND ta.source = \(way.key)",
          key: "ta.destination", entity: "ta.entity",
          condition: isOwn + " AND ta.entity BETWEEN \(family.lowerBound) "
            + "AND \(family.upperBound)", isByAssociation: true)
        if isPlaced, candidate.elements != nil {
          target.join +=
            " LEFT JOIN \(Journal.Table.elementPlace.name) AS te ON te.mapping = ta.mapping "
            + "AND te.source = ta.source AND te.destination = ta.destination"
          target.part = ", te.place AS part"
        }
        targets.append(target)
      }
    }
    if isPlaced {
      for index in targets.indices where targets[index].part.isEmpty {
        targets[index].part = ", 0 AS part"
      }
    }
    return targets
  }

  /// The object at the related object's key plus the offset.
  private func ownTarget(
    _ candidate: MappingPlan, _ destination: EntityLayout, _ way: Way, _ isOwn: String
  ) -> Target {
    if candidate.isTotal {
      return Target(
        join: "", key: "\(way.key) + \(candidate.keyOffset)", entity: "\(destination.number)",
        condition: isOwn)
    }
    return Target(
      join: " JOIN main.\(destination.tableName.quotedIdentifier) AS d "
        + "ON d.\"Z_PK\" = \(way.key) + \(candidate.keyOffset) "
        + "AND d.\"Z_ENT\" = \(destination.number)",
      key: "d.\"Z_PK\"", entity: "d.\"Z_ENT\"",
      condition: isOwn + Self.somethingIsKept(candidate, destination))
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
