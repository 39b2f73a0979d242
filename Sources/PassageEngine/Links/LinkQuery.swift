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
        (joins, row, key) = (walk.joinsByTable, walk.row, "\(walk.row).\"Z_PK\"")
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
    let table = "\(source.table(inSchema: "source")) AS s NOT INDEXED"
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
    let candidates = step.candidates(item.relationship).filter { $0.destination != nil }
    let own = candidates.filter { candidate in
      way.row != nil && candidate.source != nil && candidate.elements == nil
        && candidate.destination.map { expected.familyNumbers.contains($0.number) } == true
    }
    var targets: [Target] = []
    for same in [own.filter(\.isTotal), own.filter { !$0.isTotal }] {
      targets += MappingRows.isWorthwhile(same) ? ownTarget(same, way) : ownTargets(same, way)
    }
    let associated = candidates.filter(\.hasAssociations)
    for same in [
      associated.filter { $0.source == nil }, associated.filter { $0.source != nil },
    ] {
      targets +=
        MappingRows.isWorthwhile(same)
        ? associatedTarget(same, way, expected) : associatedTargets(same, way, expected)
    }
    if isPlaced {
      for index in targets.indices where targets[index].part.isEmpty {
        targets[index].part = ", 0 AS part"
      }
    }
    return targets
  }

  /// What a candidate made of the related object.
  private func associatedTargets(
    _ candidates: [MappingPlan], _ way: Way, _ expected: EntityLayout
  ) -> [Target] {
    candidates.map { candidate in
      associatedTarget(
        join: " JOIN \(Journal.Table.association.name) AS ta "
          + "ON ta.mapping = \(candidate.index) AND ta.source = \(way.key)",
        condition: isOwn(candidate, way), hasElements: candidate.elements != nil, expected)
    }
  }

  /// The same of many, in one term.
  private func associatedTarget(
    _ candidates: [MappingPlan], _ way: Way, _ expected: EntityLayout
  ) -> [Target] {
    let rows = MappingRows(candidates, as: "v")
    let isOwn = way.row.flatMap { row in rows.isOwn(row).map { " AND \($0)" } } ?? ""
    return [
      associatedTarget(
        join: " CROSS JOIN \(rows.sql) CROSS JOIN \(Journal.Table.association.name) AS ta "
          + "ON ta.mapping = \(rows.index) AND ta.source = \(way.key)",
        condition: isOwn, hasElements: candidates.contains { $0.elements != nil }, expected)
    ]
  }

  private func associatedTarget(
    join: String, condition: String, hasElements: Bool, _ expected: EntityLayout
  ) -> Target {
    let family = expected.familyNumbers
    var target = Target(
      join: join, key: "ta.destination", entity: "ta.entity",
      condition: condition + " AND ta.entity BETWEEN \(family.lowerBound) "
        + "AND \(family.upperBound)", isByAssociation: true)
    guard isPlaced, hasElements else { return target }
    target.join +=
      " LEFT JOIN \(Journal.Table.elementPlace.name) AS te ON te.mapping = ta.mapping "
      + "AND te.source = ta.source AND te.destination = ta.destination"
    target.part = ", te.place AS part"
    return target
  }

  /// The condition that the related object is one of those that a candidate reads, with a leading `AND`.
  private func isOwn(_ candidate: MappingPlan, _ way: Way) -> String {
    guard let source = candidate.source, let end = way.row else { return "" }
    return " AND \(source.isOwn(end))"
  }

  /// The object at the related object's key plus the offset, for each candidate.
  private func ownTargets(_ candidates: [MappingPlan], _ way: Way) -> [Target] {
    candidates.compactMap { candidate in
      guard let destination = candidate.destination else { return nil }
      let isOwn = isOwn(candidate, way)
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
  }

  /// The same of many, in one term.
  ///
  /// - Parameter candidates: total ones, or none of these. All make objects of one table: that of the entity to
  ///   which the relationship leads.
  private func ownTarget(_ candidates: [MappingPlan], _ way: Way) -> [Target] {
    guard let row = way.row, let table = candidates.first?.destination?.tableName else { return [] }
    let rows = MappingRows(candidates, as: "v")
    let isOwn = rows.isOwn(row).map { " AND \($0)" } ?? ""
    let join = " CROSS JOIN \(rows.sql)"
    if candidates.allSatisfy(\.isTotal) {
      return [
        Target(
          join: join, key: "\(way.key) + \(rows.keyOffset)", entity: rows.number, condition: isOwn)
      ]
    }
    return [
      Target(
        join: join + " CROSS JOIN main.\(table.quotedIdentifier) AS d "
          + "ON d.\"Z_PK\" = \(way.key) + \(rows.keyOffset) AND d.\"Z_ENT\" = \(rows.number)",
        key: "d.\"Z_PK\"", entity: "d.\"Z_ENT\"", condition: isOwn)
    ]
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
