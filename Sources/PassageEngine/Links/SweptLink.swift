internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// A to-one relationship whose related objects are all made before the objects that refer to them:
/// it follows a relationship of the source, or leads to what the object itself has become elsewhere.
/// The set lane looks each one up in the sweep that writes the row, as a hand-written join would,
/// and the page lane finds it in a table in memory (``PageLinks``); ``LinkQuery`` would collect the
/// keys and change the rows a second time.
///
/// This requires that what an object became is known by then. Where one source object became
/// several, where a policy adds associations later, and in the row lane, the links are looked up
/// when the step is assembled.
struct SweptLink {
  let mappingPlan: MappingPlan
  let relationship: BoundRelationship
  let candidates: [MappingPlan]
  /// The entity that the relationship leads to.
  let expected: EntityLayout
  /// The source table of the related objects.
  let table: String
  /// The source column with the related object's key; the object's own for ``isOfSameObject``.
  let sourceColumn: String
  /// Whether the link leads to what the same source object has become in other mappings. It has no
  /// link in the source that could be lost.
  let isOfSameObject: Bool
  private let sourceOrderColumn: String?
  /// The destination column with the related object's key.
  let column: String
  private let entityColumn: String?
  private let orderColumn: String?

  /// - Returns: `nil` for a relationship that is arithmetic or not to-one, or whose related objects
  ///   are made in another pass, in the same table, or by several mappings of one entity.
  init?(_ relationship: BoundRelationship, of mappingPlan: MappingPlan, step: StepPlan) {
    guard mappingPlan.lane == .set || mappingPlan.pageObstacle == nil,
      !mappingPlan.isMadeByPolicy, !mappingPlan.isRelatedByPolicy,
      relationship.selection == nil, let destination = mappingPlan.destination,
      case .foreignKey(let column, let entityColumn, let orderColumn)? =
        destination.storage(ofRelationship: relationship.relationship.name),
      let related = Self.related(relationship, of: mappingPlan, step: step),
      let expected = step.destinationLayout.entity(
        named: relationship.relationship.destinationEntityName),
      step.foreignKeyRule(of: mappingPlan, relationship) == nil,
      !Self.isWrittenFromOthers(relationship, of: mappingPlan, step: step)
    else { return nil }
    candidates = step.candidates(relationship)
    var sources: Set<String> = []
    for candidate in candidates {
      guard candidate.passIndex == mappingPlan.passIndex, candidate.index != mappingPlan.index,
        let from = candidate.source, let to = candidate.destination,
        to.tableName != destination.tableName, from.tableName == related.table,
        !related.isSameObject || candidate.elements == nil,
        sources.insert(from.name).inserted
      else { return nil }
    }
    guard !candidates.isEmpty else { return nil }
    (self.mappingPlan, self.relationship, self.expected, table) = (
      mappingPlan, relationship, expected, related.table
    )
    (sourceColumn, sourceOrderColumn) = (related.column, related.orderColumn)
    isOfSameObject = related.isSameObject
    (self.column, self.entityColumn, self.orderColumn) = (column, entityColumn, orderColumn)
  }

  /// Where the keys of the related objects are in the source.
  private struct Related {
    var table: String
    var column: String
    var orderColumn: String?
    var isSameObject = false
  }

  /// - Returns: `nil` where a row of the source does not hold the key.
  private static func related(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan, step: StepPlan
  ) -> Related? {
    guard let first = relationship.path.first else {
      guard mappingPlan.elements == nil, let source = mappingPlan.source else { return nil }
      return Related(table: source.tableName, column: "Z_PK", isSameObject: true)
    }
    guard relationship.path.count == 1,
      case .foreignKey(let column, _, let orderColumn)? =
        mappingPlan.read?.storage(ofRelationship: first.name),
      let table = step.sourceLayout.entity(named: relationship.pathEnd.name)?.tableName
    else { return nil }
    return Related(table: table, column: column, orderColumn: orderColumn)
  }

  /// Whether another entity mapping writes the same links from the other side without mirroring
  /// this one; the last one written takes effect.
  private static func isWrittenFromOthers(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan, step: StepPlan
  ) -> Bool {
    guard let inverse = step.destination.inverse(of: relationship.relationship),
      inverse.isToMany
    else { return false }
    let back = relationship.path.first.flatMap { step.source.inverse(of: $0) }
    return step.alike(leadingTo: mappingPlan, named: inverse.name).contains { others in
      !(back.map { others.relationship.path == [$0] } == true
        && !others.isRelatedByPolicy && step.areCandidates(ownersOf: others, of: relationship))
    }
  }

  /// The name of the journal entry that says that the sweep has looked the links up.
  static func stateName(mappingPlan: MappingPlan, relationship: BoundRelationship) -> String {
    "swept:\(mappingPlan.index):\(relationship.relationship.name)"
  }

  /// The destination columns, found in a table of a sweep by pages.
  ///
  /// - Parameter table: its position among the tables of the sweep.
  func columns(table: Int) -> [LinkColumn] {
    columns { .link(.found(column: sourceColumn, $0, table: table)) }
  }

  /// The destination columns, looked up on a connection that writes the pass store; `nil` when a
  /// source object became several.
  func columns(
    of step: StepPlan, isSound: Bool, on connection: Connection
  ) throws -> [LinkColumn]? {
    var arms: [LookedUpCell.Arm] = []
    for candidate in candidates {
      guard let found = try self.arms(of: candidate, on: connection) else { return nil }
      arms += found
    }
    guard !arms.isEmpty else { return [] }
    // The related row itself is read only if it may be of another entity or missing.
    let isAlone = step.sourceLayout.table(named: table)?.hasSubentities == false
    return columns { part in
      .link(
        .lookedUp(
          LookedUpCell(
            part: part, column: sourceColumn, table: table, isAlone: isAlone,
            isSound: (isSound || isOfSameObject) && isAlone, arms: arms)))
    }
  }

  /// The destination columns, with a cell for each part of the link.
  private func columns(_ cell: (FoundPart<String>) -> ColumnProgram.Cell) -> [LinkColumn] {
    var columns = [LinkColumn(name: column, cell: cell(.key))]
    if let entityColumn {
      columns.append(LinkColumn(name: entityColumn, cell: cell(.entityNumber)))
    }
    if let orderColumn {
      let place = sourceOrderColumn.map { PlaceColumn.column($0) } ?? .key
      columns.append(LinkColumn(name: orderColumn, cell: cell(.place(place))))
    }
    return columns
  }

  /// The places where an object that a candidate made from a related object can be.
  private func arms(
    of candidate: MappingPlan, on connection: Connection
  ) throws -> [LookedUpCell.Arm]? {
    guard let source = candidate.source, let destination = candidate.destination else { return [] }
    let family = expected.familyNumbers
    let isExpected = family.contains(destination.number)
    if candidate.isTotal {
      guard isExpected else { return [] }
      return [
        .everyOne(
          source: source.number, destination: destination.number, offset: candidate.keyOffset)
      ]
    }
    let stored = "main.\(destination.tableName.quotedIdentifier)"
    var arms: [LookedUpCell.Arm] = []
    if isExpected, try !candidate.hasAssociations || keeps(candidate, stored, connection) {
      arms.append(
        .kept(
          source: source.number, table: destination.tableName, destination: destination.number,
          offset: candidate.keyOffset))
    }
    guard candidate.hasAssociations else { return arms }
    let associations = "\(Journal.Table.association.name) AS a"
    let isOwn =
      "a.mapping = \(candidate.index) AND a.entity BETWEEN \(family.lowerBound) "
      + "AND \(family.upperBound)"
    var several = [
      "SELECT EXISTS (SELECT 1 FROM \(associations) WHERE \(isOwn) "
        + "GROUP BY a.source HAVING count(*) > 1)"
    ]
    if !arms.isEmpty {
      several.append(
        "SELECT EXISTS (SELECT 1 FROM \(associations) CROSS JOIN \(stored) AS d WHERE \(isOwn) "
          + "AND d.\"Z_PK\" = a.source + \(candidate.keyOffset) "
          + "AND d.\"Z_ENT\" = \(destination.number))")
    }
    for query in several where try connection.integer(query) > 0 { return nil }
    arms.append(.associated(source: source.number, mapping: candidate.index, family: family))
    return arms
  }

  /// Whether a policy has left an object at the key of its source object.
  private func keeps(
    _ candidate: MappingPlan, _ stored: String, _ connection: Connection
  ) throws -> Bool {
    guard let range = candidate.keyRange else { return false }
    return try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM \(stored) WHERE \"Z_PK\" BETWEEN ? AND ?)",
      [.integer(range.lowerBound), .integer(range.upperBound)]) > 0
  }
}
