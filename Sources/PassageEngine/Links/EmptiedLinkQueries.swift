internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores

/// The queries that count emptied links on the assembled store, with the journal attached, and the source as
/// `source`.
struct EmptiedLinkQueries {
  let step: StepPlan
  let links: RelationshipPlan
  let journal: Journal
  /// Whether objects are missing that their mappings would have made.
  let isAnyQuarantined: Bool
  /// The numbers of the entities of the source that have objects.
  private let filled: Set<Int>

  init(step: StepPlan, links: RelationshipPlan, journal: Journal, isAnyQuarantined: Bool) {
    (self.step, self.links, self.journal) = (step, links, journal)
    self.isAnyQuarantined = isAnyQuarantined
    filled = Set(
      step.sourceLayout.entities.filter { step.extent.counts.byEntity[$0.name, default: 0] > 0 }
        .map(\.number))
  }

  /// - Returns: `nil` when no link can be lost.
  func count(of links: LinksOfPath, of mappingPlan: MappingPlan) -> String? {
    guard let source = mappingPlan.read, let origin = mappingPlan.source,
      step.extent.counts.byEntity[origin.name, default: 0] > 0
    else { return nil }
    guard links.whole.isEmpty else { return count(of: links, of: mappingPlan, from: source) }
    guard let first = links.selected.first, journal.isRecording,
      let end = step.sourceLayout.entity(named: first.pathEnd.name),
      links.selected.count > 1 || !areAllKept(end, step.candidates(first))
    else { return nil }
    let names = links.selected.map(\.relationship.name.quotedLiteral).joined(separator: ", ")
    let kept = links.selected.map { relationship in
      let isMade = isMade(relationship, from: "p1")
      return links.selected.count == 1
        ? isMade : "(\(isSelected("p1", relationship, mappingPlan)) AND \(isMade))"
    }
    let owner = owner(mappingPlan, links)
    return
      "SELECT count(*) FROM (SELECT DISTINCT owner, target FROM \(Journal.Table.selected.name) "
      + "WHERE mapping = \(mappingPlan.index) AND relationship IN (\(names))) "
      + "AS c JOIN \(source.table(inSchema: "source")) AS s ON s.\"Z_PK\" = c.owner "
      + "JOIN source.\(end.tableName.quotedIdentifier) AS p1 ON p1.\"Z_PK\" = c.target"
      + "\(owner.join) WHERE \(source.isOwn("s"))\(owner.condition) "
      + "AND NOT (\(Junction.or.joined(kept)))"
  }

  /// The same for links of which a relationship takes all.
  private func count(
    of links: LinksOfPath, of mappingPlan: MappingPlan, from source: EntityLayout
  ) -> String? {
    var walk = RelationshipWalk(
      from: source, row: "s", layout: step.sourceLayout, schema: "source")
    guard walk.follow(links.path) else { return nil }
    let mutual = links.whole.filter { self.links.isMutual($0, of: mappingPlan) }
    let others = links.whole.filter { !mutual.contains($0) }
    if areAllKept(walk.entity, others.flatMap { step.candidates($0) }) { return nil }
    // There may be no other condition.
    let kept =
      ["0"] + others.map { isMade($0, from: walk.row) }
      + mutual.compactMap { isWritten($0, of: mappingPlan) }
      + links.selected.map { relationship in
        "(\(isSelected(walk.row, relationship, mappingPlan)) "
          + "AND \(isMade(relationship, from: walk.row)))"
      }
    let owner = owner(mappingPlan, links)
    return "SELECT count(*) FROM \(source.table(inSchema: "source")) AS s NOT INDEXED\(owner.join)"
      + "\(walk.joinsByTable) WHERE \(source.isOwn("s"))\(owner.condition) "
      + "AND NOT (\(Junction.or.joined(kept)))"
  }

  /// The query for links of to-many relationships whose other end became one with an object that leads
  /// elsewhere: its row has place for one link, that of the object that is kept.
  ///
  /// - Returns: `nil` when no such link can be lost.
  func countOfMerged(_ links: LinksOfPath, of mappingPlan: MappingPlan) -> String? {
    guard journal.isRecording, let source = mappingPlan.read, let owner = mappingPlan.destination
    else { return nil }
    var walk = RelationshipWalk(
      from: source, row: "s", layout: step.sourceLayout, schema: "source")
    guard walk.follow(links.path) else { return nil }
    var lost: [String] = []
    for relationship in links.relationships {
      // Another relationship from the same path may keep what this one cannot.
      guard
        case .inverseForeignKey(_, let column, _, _)? = owner.storage(
          ofRelationship: relationship.relationship.name)
      else { return nil }
      let elsewhere = step.candidates(relationship).compactMap {
        leadsElsewhere($0, from: walk.row, by: column, than: mappingPlan, owner)
      }
      guard !elsewhere.isEmpty else { return nil }
      let isLost = "(\(Junction.or.joined(elsewhere)))"
      lost.append(
        links.selected.contains(relationship)
          ? "(NOT \(isSelected(walk.row, relationship, mappingPlan)) OR \(isLost))" : isLost)
    }
    if links.whole.isEmpty {
      // What no relationship selects, the mapping decides against.
      let selected = links.selected.map { isSelected(walk.row, $0, mappingPlan) }
      lost.append("(\(Junction.or.joined(selected)))")
    }
    let made = self.owner(mappingPlan, links)
    return "SELECT count(*) FROM \(source.table(inSchema: "source")) AS s NOT INDEXED\(made.join)"
      + "\(walk.joinsByTable) WHERE \(source.isOwn("s"))\(made.condition) "
      + "AND \(Junction.and.joined(lost))"
  }

  /// The condition that the object of a row of the source was merged into one that does not lead to what
  /// became of `s`.
  ///
  /// - Returns: `nil` when a mapping merges none, or its policy decides what they lead to.
  private func leadsElsewhere(
    _ merging: MappingPlan, from row: String, by column: String, than mappingPlan: MappingPlan,
    _ owner: EntityLayout
  ) -> String? {
    guard merging.bound.merge != nil, !merging.isRelatedByPolicy, let from = merging.source,
      let to = merging.destination
    else { return nil }
    let link = "d.\(column.quotedIdentifier)"
    var owners: [String] = []
    if mappingPlan.elements == nil {
      owners.append("\(link) = s.\"Z_PK\" + \(mappingPlan.keyOffset)")
    }
    if let associations = mappingPlan.associationsOfRead {
      owners.append(
        isAssociated(associations, "s", " AND a.destination = \(link)", as: owner.familyNumbers))
    }
    let leadsThere = "\(link) IS NOT NULL AND (\(Junction.or.joined(owners)))"
    return "(\(from.isOwn(row)) AND EXISTS (SELECT 1 FROM \(Journal.Table.association.name) AS m "
      + "JOIN main.\(to.tableName.quotedIdentifier) AS d ON d.\"Z_PK\" = m.destination "
      + "WHERE m.mapping = \(merging.index) AND m.source = \(row).\"Z_PK\" "
      + "AND NOT (\(leadsThere))))"
  }

  /// The queries for links that a mapping's source objects store, and that only mappings of their other side
  /// keep.
  func countsFromOtherSide(of mappingPlan: MappingPlan) -> [(Relationship, sql: String)] {
    guard let entity = mappingPlan.bound.source, let source = mappingPlan.source,
      mappingPlan.destination != nil, step.extent.counts.byEntity[source.name, default: 0] > 0
    else { return [] }
    let own = LinksOfPath.all(of: mappingPlan).map { links in
      links.path.first?.name == BoundElements.source ? Array(links.path.dropFirst()) : links.path
    }
    return step.source.relationships(of: entity).compactMap { relationship in
      guard !relationship.isTransient, !own.contains([relationship]),
        let row = LinkRows(ofRelationship: relationship.name, of: source)?.row, row != .related,
        let kept = keepers(of: relationship, of: mappingPlan), !kept.mappingPlans.isEmpty
      else { return nil }
      var walk = RelationshipWalk(
        from: source, row: "s", layout: step.sourceLayout, schema: "source")
      guard walk.follow([relationship]), !areAllKept(walk.entity, kept.mappingPlans) else {
        return nil
      }
      return (
        relationship,
        "SELECT count(*) FROM \(source.table(inSchema: "source")) AS s NOT INDEXED\(walk.joinsByTable) "
          + "WHERE \(isLeft(mappingPlan, kept.inverses)) "
          + "AND NOT (\(isMade(kept.mappingPlans, from: walk.row)))"
      )
    }
  }

  /// The condition that a source object of a mapping, `s`, has become an object for which no policy has
  /// decided these relationships.
  private func isLeft(_ mappingPlan: MappingPlan, _ relationships: [String]) -> String {
    guard mappingPlan.isDecidedByPolicy, mappingPlan.elements == nil,
      let source = mappingPlan.source, let destination = mappingPlan.destination
    else { return isMade([mappingPlan], from: "s") }
    let undecided = isUndecided(
      mappingPlan, destination, relationships,
      associations: mappingPlan.hasAssociations ? mappingPlan.index : nil, isRequested: false)
    return "(\(source.isOwn("s")) AND \(undecided))"
  }

  /// The mappings whose objects keep the links of a relationship from their other side, and the names of the
  /// relationships that these are seen from this side; `nil` when that is not known.
  ///
  /// - Complexity: O(n) for n such mappings.
  private func keepers(
    of relationship: Relationship, of mappingPlan: MappingPlan
  ) -> (mappingPlans: [MappingPlan], inverses: [String])? {
    guard let inverse = step.source.inverse(of: relationship) else { return nil }
    var owners: [Int] = []
    var inverses: [String] = []
    for alike in step.alike(leadingTo: mappingPlan, along: inverse) {
      let mapped = alike.relationship
      let path = mapped.selection?.path ?? mapped.path
      guard let own = step.destination.inverse(of: mapped.relationship) else { continue }
      let isOfObject =
        path.count == 1 || (path.count == 2 && path[0].name == BoundElements.source)
      guard isOfObject, !alike.isRelatedByPolicy else { return nil }
      owners += alike.owners
      inverses.append(own.name)
    }
    return (owners.sorted().map { step.mappingPlans[$0] }, inverses.sorted())
  }

  // MARK: Conditions

  /// The condition that of the object in a row of the source one was made to which a relationship can lead.
  private func isMade(_ relationship: BoundRelationship, from row: String) -> String {
    isMade(
      step.candidates(relationship), from: row,
      as: step.destinationLayout.entity(
        named: relationship.relationship.destinationEntityName)?.familyNumbers)
  }

  /// The condition that one of some mappings has made an object of the one in a row of the source.
  ///
  /// - Parameter numbers: the numbers of the object's entity; `nil` for the entity that its mapping names. A
  ///   policy may make objects of others.
  private func isMade(
    _ mappingPlans: [MappingPlan], from row: String, as numbers: ClosedRange<Int>? = nil
  ) -> String {
    let made = mappingPlans.filter { $0.source != nil && $0.destination != nil }
    let isEachKept = { (mappingPlan: MappingPlan) in mappingPlan.isTotal && !isAnyQuarantined }
    var conditions = isRead(by: made.filter(isEachKept), row)
    let others = made.filter { !isEachKept($0) }
    // What a list of elements became is found by associations alone.
    let atTheirKeys = others.filter { mappingPlan in
      mappingPlan.elements == nil
        && mappingPlan.destination.map { numbers?.contains($0.number) ?? true } == true
    }
    for (_, same) in Dictionary(grouping: atTheirKeys, by: { $0.destination?.tableName ?? "" })
      .sorted(by: { $0.key < $1.key })
    {
      conditions += areAtTheirKeys(same, row)
    }
    if journal.isRecording {
      conditions += areAssociated(others.filter(\.hasAssociations), row, as: numbers)
    }
    return conditions.isEmpty ? "0" : "(\(Junction.or.joined(conditions)))"
  }

  /// The conditions that one of some mappings reads the object in a row of the source.
  private func isRead(by mappingPlans: [MappingPlan], _ row: String) -> [String] {
    var seen: Set<String> = []
    return mappingPlans.compactMap(\.source).filter { seen.insert($0.name).inserted }.map {
      "(\($0.isOwn(row)))"
    }
  }

  /// The conditions that one of some mappings has made an object at its key of the one in a row of the source.
  ///
  /// - Parameter mappingPlans: those that make objects of one table.
  private func areAtTheirKeys(_ mappingPlans: [MappingPlan], _ row: String) -> [String] {
    guard MappingRows.isWorthwhile(mappingPlans), let to = mappingPlans.first?.destination else {
      return mappingPlans.compactMap { mappingPlan in
        guard let from = mappingPlan.source, let to = mappingPlan.destination else { return nil }
        return "(\(from.isOwn(row)) AND \(isAtItsKey(mappingPlan, to, row)))"
      }
    }
    let rows = MappingRows(mappingPlans, as: "v")
    return [
      "EXISTS (SELECT 1 FROM \(rows.sql) CROSS JOIN main.\(to.tableName.quotedIdentifier) AS d "
        + "ON d.\"Z_PK\" = \(row).\"Z_PK\" + \(rows.keyOffset) AND d.\"Z_ENT\" = \(rows.number) "
        + "WHERE \(rows.isOwn(row) ?? "1"))"
    ]
  }

  /// The conditions that an association of one of some mappings names an object made of the one in a row of the
  /// source.
  ///
  /// - Parameter numbers: see ``isMade(_:from:as:)``.
  private func areAssociated(
    _ mappingPlans: [MappingPlan], _ row: String, as numbers: ClosedRange<Int>?
  ) -> [String] {
    guard MappingRows.isWorthwhile(mappingPlans) else {
      return mappingPlans.compactMap { mappingPlan in
        guard let from = mappingPlan.source, let to = mappingPlan.destination else { return nil }
        let isAssociated = isAssociated(mappingPlan.index, row, as: numbers ?? to.familyNumbers)
        return "(\(from.isOwn(row)) AND \(isAssociated))"
      }
    }
    let rows = MappingRows(mappingPlans, as: "v")
    let isKind =
      numbers.map { "a.entity BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
      ?? rows.isKind("a.entity")
    return [
      "EXISTS (SELECT 1 FROM \(rows.sql) CROSS JOIN \(Journal.Table.association.name) AS a "
        + "ON a.mapping = \(rows.index) AND a.source = \(row).\"Z_PK\" AND \(isKind) "
        + "WHERE \(rows.isOwn(row) ?? "1"))"
    ]
  }

  /// What limits the rows that a mapping reads, `s`, to those of which there is an object.
  ///
  /// What was merged into an object adds to its to-many relationships; a to-one is that of the object that was
  /// kept.
  private func owner(
    _ mappingPlan: MappingPlan, _ links: LinksOfPath
  ) -> (join: String, condition: String) {
    guard let destination = mappingPlan.destination else { return ("", " AND 0") }
    if mappingPlan.isDecidedByPolicy {
      let undecided = isUndecided(
        mappingPlan, destination, links.relationships.map(\.relationship.name),
        associations: mappingPlan.associationsOfRead, isRequested: mappingPlan.isRelatedByPolicy)
      return ("", " AND \(undecided)")
    }
    if mappingPlan.isTotal, !isAnyQuarantined { return ("", "") }
    if mappingPlan.bound.merge != nil, journal.isRecording,
      let associations = mappingPlan.associationsOfRead,
      links.relationships.contains(where: \.relationship.isToMany)
    {
      return (
        "",
        " AND (\(isAtItsKey(mappingPlan, destination, "s")) OR "
          + "\(isAssociated(associations, "s", as: destination.familyNumbers)))"
      )
    }
    return (
      " JOIN main.\(destination.tableName.quotedIdentifier) AS o ON o.\"Z_PK\" = s.\"Z_PK\" + "
        + "\(mappingPlan.keyOffset) AND o.\"Z_ENT\" = \(destination.number)", ""
    )
  }

  /// The condition that what is read, `s`, has become an object for which its mapping's policy leaves some
  /// relationships to the mapping.
  ///
  /// - Parameters:
  ///   - relationships: the names. What a policy has decided about one of them is decided.
  ///   - associations: the number of the associations of what is read; `nil` when it has none.
  ///   - isRequested: whether the policy must have requested the relationships of its mapping.
  private func isUndecided(
    _ mappingPlan: MappingPlan, _ destination: EntityLayout, _ relationships: [String],
    associations: Int?, isRequested: Bool
  ) -> String {
    func undecided(_ key: String, _ entity: String) -> String {
      // Without a journal no policy has decided anything.
      guard journal.isRecording else { return "" }
      let names = relationships.map(\.quotedLiteral).joined(separator: ", ")
      let isDecided =
        "EXISTS (SELECT 1 FROM \(Journal.Table.relationship.name) AS r WHERE r.entity = \(entity) "
        + "AND r.relationship IN (\(names)) AND r.owner = \(key))"
      let request =
        "EXISTS (SELECT 1 FROM \(Journal.Table.defaultRelationship.name) AS r "
        + "WHERE r.mapping = \(mappingPlan.index) AND r.destination = \(key))"
      return " AND NOT \(isDecided)" + (isRequested ? " AND \(request)" : "")
    }
    var places = [
      isAtItsKey(mappingPlan, destination, "s", undecided("d.\"Z_PK\"", "d.\"Z_ENT\""))
    ]
    if let associations, journal.isRecording {
      places.append(
        isAssociated(
          associations, "s", undecided("a.destination", "a.entity"), as: destination.familyNumbers))
    }
    return "(\(places.joined(separator: " OR ")))"
  }

  /// - Parameter condition: a further condition on the object, `d`, with a leading `AND`.
  private func isAtItsKey(
    _ mappingPlan: MappingPlan, _ destination: EntityLayout, _ row: String,
    _ condition: String = ""
  ) -> String {
    "EXISTS (SELECT 1 FROM main.\(destination.tableName.quotedIdentifier) AS d WHERE d.\"Z_PK\" = "
      + "\(row).\"Z_PK\" + \(mappingPlan.keyOffset) AND d.\"Z_ENT\" = \(destination.number)"
      + "\(condition))"
  }

  /// The condition that the object at the key of the one that is read, `s`, has a to-one link that is stored in
  /// its row.
  private func isWritten(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan
  ) -> String? {
    guard let destination = mappingPlan.destination,
      case .foreignKey(let column, _, _)? =
        destination.storage(ofRelationship: relationship.relationship.name)
    else { return nil }
    return
      "EXISTS (SELECT 1 FROM main.\(destination.tableName.quotedIdentifier) AS d WHERE d.\"Z_PK\" = "
      + "s.\"Z_PK\" + \(mappingPlan.keyOffset) AND d.\(column.quotedIdentifier) IS NOT NULL)"
  }

  /// - Parameters:
  ///   - condition: a further condition on the association, `a`, with a leading `AND`.
  ///   - numbers: the numbers of the entity of what is associated.
  private func isAssociated(
    _ associations: Int, _ row: String, _ condition: String = "", as numbers: ClosedRange<Int>
  ) -> String {
    "EXISTS (SELECT 1 FROM \(Journal.Table.association.name) AS a WHERE a.mapping = \(associations) "
      + "AND a.source = \(row).\"Z_PK\" "
      + "AND a.entity BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound)\(condition))"
  }

  private func isSelected(
    _ row: String, _ relationship: BoundRelationship, _ mappingPlan: MappingPlan
  ) -> String {
    "EXISTS (SELECT 1 FROM \(Journal.Table.selected.name) AS x WHERE x.mapping = \(mappingPlan.index) "
      + "AND x.relationship = \(relationship.relationship.name.quotedLiteral) "
      + "AND x.owner = s.\"Z_PK\" AND x.target = \(row).\"Z_PK\")"
  }

  /// Whether every object that a relationship can lead to has exactly one new object.
  ///
  /// - Complexity: O(n) for n candidates and entities to which it can lead.
  private func areAllKept(_ related: EntityLayout, _ candidates: [MappingPlan]) -> Bool {
    guard !isAnyQuarantined else { return false }
    let kept = Set(candidates.lazy.filter(\.isTotal).compactMap { $0.source?.number })
    return related.familyNumbers.allSatisfy { kept.contains($0) || !filled.contains($0) }
  }
}
