internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores

/// Counts the links of a step's source that lead from an object that was migrated to one that was
/// not. These links are lost.
///
/// Links that led to no object of the source are not counted here: `RUN-024` reports them. Links
/// that are stored in the other object's row, such as those of a to-many relationship with a to-one
/// inverse, are values of that object and are counted with it.
struct EmptiedLinks {
  let step: StepPlan
  let links: StepLinks
  /// The source of the step.
  let source: SourceAccess
  /// The journal, attached to a connection to the assembled store.
  let journal: Journal
  let facts: RunFacts

  private var connection: Connection { journal.connection }

  /// - Returns: the number of lost links, by mapping and source relationship.
  /// - Complexity: O(1) where every related object has its new object, and where a sweep by pages has
  ///   counted; otherwise O(n) look-ups in
  ///   the links of the relationship.
  func counts() throws -> [Int: [String: Int64]] {
    var (counts, queries) = try countsAndQueries()
    guard !queries.isEmpty else { return counts }
    try connection.attach(source.path, as: "source", mode: source.mode)
    let results = Result { try queries.map { try connection.integer($0.sql) } }
    try connection.detach("source")
    for (query, count) in zip(queries, try results.get()) where count > 0 {
      counts[query.mapping, default: [:]][query.relationship, default: 0] += count
    }
    return counts
  }

  /// Counts the links of one relationship of a mapping.
  private typealias Query = (mapping: Int, relationship: String, sql: String)

  /// - Returns: what the sweeps have counted, and the queries that count the rest, with the source
  ///   attached as `source`.
  private func countsAndQueries() throws -> ([Int: [String: Int64]], [Query]) {
    let isAnyQuarantined =
      try journal.isRecording
      && connection.integer("SELECT EXISTS (SELECT 1 FROM \(Quarantine.table))") > 0
    var counts: [Int: [String: Int64]] = [:]
    var queries: [Query] = []
    for mappingPlan in step.mappingPlans {
      // What a policy makes and relates is not checked here.
      guard !mappingPlan.isMadeByPolicy, !mappingPlan.isRelatedByPolicy else { continue }
      var paths: [[Relationship]] = []
      for relationship in mappingPlan.bound.relationships where !relationship.path.isEmpty {
        if !paths.contains(relationship.path) { paths.append(relationship.path) }
      }
      for path in paths {
        guard path.count > 1 || !isKeptByRelated(path[0], of: mappingPlan) else { continue }
        // A link is kept if one of the relationships made from it keeps it.
        let mapped = mappingPlan.bound.relationships.filter { $0.path == path }
        if !isAnyQuarantined,
          let count = try countOfSweep(mapped, of: mappingPlan) ?? countOfPairs(mapped, mappingPlan)
        {
          if count > 0 {
            counts[mappingPlan.index, default: [:]][Self.name(of: path), default: 0] += count
          }
        } else if let query = query(mappingPlan, mapped, path, isAnyQuarantined: isAnyQuarantined) {
          queries.append((mappingPlan.index, Self.name(of: path), query))
        }
      }
    }
    return (counts, queries)
  }

  /// The name of the source's relationship that a path leaves by: a path from an element begins with
  /// the element itself or with its source object.
  private static func name(of path: [Relationship]) -> String {
    let isOfElement = [BoundElements.source, BoundElements.element].contains(path[0].name)
    return isOfElement && path.count > 1 ? path[1].name : path[0].name
  }

  /// How many links of relationships that are made from one path a sweep by pages has found to be
  /// lost; `nil` when it does not tell.
  private func countOfSweep(
    _ relationships: [BoundRelationship], of mappingPlan: MappingPlan
  ) throws -> Int64? {
    let journal = journal.of(pass: mappingPlan.passIndex)
    let swept = try links.swept[mappingPlan.index].filter {
      relationships.contains($0.relationship)
    }.compactMap { link in
      try journal.linkCount(of: link.relationship, in: link.mappingPlan).map {
        (link: link, count: $0)
      }
    }
    if swept.contains(where: { $0.count.unmatched == 0 }) { return 0 }
    guard relationships.count == 1, let only = swept.first,
      try links.isSwept(only.link, journal, connection, facts)
    else { return nil }
    return only.count.emptied
  }

  /// How many pairs of a relationship that is made from one path a pass has found to be lost; `nil`
  /// when it does not tell.
  private func countOfPairs(
    _ relationships: [BoundRelationship], _ mappingPlan: MappingPlan
  ) throws -> Int64? {
    guard relationships.count == 1, let relationship = relationships.first else { return nil }
    for link in links.joined {
      let isOwn =
        link.mappingPlan.index == mappingPlan.index && link.relationship == relationship
      guard isOwn || isInverse(relationship, of: mappingPlan, link),
        try links.isJoined(link, journal, connection, facts),
        let counted = try journal.joinCount(of: link)
      else { continue }
      let lostEnd = isOwn ? 1 - link.ownerEnd : link.ownerEnd
      let count = lostEnd == 0 ? counted.lostAtFirst : counted.lostAtSecond
      // An object of another entity that a policy made keeps the link too.
      return count == 0 || !link.ends[lostEnd].hasAssociations ? count : nil
    }
    return nil
  }

  /// Whether a relationship of a mapping is the other side of one, for the same objects.
  private func isInverse(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan, _ link: JoinedLink
  ) -> Bool {
    link.ends[1 - link.ownerEnd].candidates.map(\.index) == [mappingPlan.index]
      && step.candidates(relationship).map(\.index) == [link.mappingPlan.index]
      && step.destination.inverse(of: link.relationship.relationship) == relationship.relationship
      && step.source.inverse(of: link.relationship.path[0]).map { [$0] } == relationship.path
  }

  private func isKeptByRelated(_ relationship: Relationship, of mappingPlan: MappingPlan) -> Bool {
    guard step.source.inverse(of: relationship) != nil, let source = mappingPlan.source else {
      return false
    }
    return LinkRows(ofRelationship: relationship.name, of: source)?.row == .related
  }

  private func query(
    _ mappingPlan: MappingPlan, _ mapped: [BoundRelationship], _ path: [Relationship],
    isAnyQuarantined: Bool
  ) -> String? {
    guard let source = mappingPlan.read, let origin = mappingPlan.source,
      let destination = mappingPlan.destination,
      step.extent.counts.byEntity[origin.name, default: 0] > 0
    else { return nil }
    var walk = RelationshipWalk(
      from: source, row: "s", layout: step.sourceLayout, schema: "source")
    guard walk.follow(path) else { return nil }
    let candidates = mapped.flatMap { relationship in
      step.candidates(relationship).map {
        (mappingPlan: $0, relationship: relationship.relationship)
      }
    }
    if !isAnyQuarantined, areAllKept(walk.entity, candidates.map(\.mappingPlan)) { return nil }
    let end = walk.row
    let kept = candidates.compactMap { candidate -> String? in
      guard let from = candidate.mappingPlan.source, let to = candidate.mappingPlan.destination
      else { return nil }
      let isOwn = from.isOwn(end)
      if candidate.mappingPlan.isTotal, !isAnyQuarantined { return "(\(isOwn))" }
      var places = [
        "EXISTS (SELECT 1 FROM main.\(to.tableName.quotedIdentifier) AS d WHERE d.\"Z_PK\" = "
          + "\(end).\"Z_PK\" + \(candidate.mappingPlan.keyOffset) AND d.\"Z_ENT\" = \(to.number))"
      ]
      if candidate.mappingPlan.hasAssociations, journal.isRecording {
        places.append(
          "EXISTS (SELECT 1 FROM \(Journal.Table.association.name) AS a WHERE a.mapping = "
            + "\(candidate.mappingPlan.index) AND a.source = \(end).\"Z_PK\")")
      }
      return "(\(isOwn) AND (\(places.joined(separator: " OR "))))"
    }
    let isKept = kept.isEmpty ? "0" : kept.joined(separator: " OR ")
    let owner =
      mappingPlan.isTotal && !isAnyQuarantined
      ? ""
      : " JOIN main.\(destination.tableName.quotedIdentifier) AS o ON o.\"Z_PK\" = s.\"Z_PK\" + "
        + "\(mappingPlan.keyOffset) AND o.\"Z_ENT\" = \(destination.number)"
    return "SELECT count(*) FROM \(source.table(inSchema: "source")) AS s\(owner)"
      + "\(walk.joins()) WHERE \(source.isOwn("s")) AND NOT (\(isKept))"
  }

  /// Whether every object that a relationship can lead to has exactly one new object.
  private func areAllKept(_ related: EntityLayout, _ candidates: [MappingPlan]) -> Bool {
    step.sourceLayout.entities.allSatisfy { entity in
      !related.familyNumbers.contains(entity.number)
        || step.extent.counts.byEntity[entity.name, default: 0] == 0
        || candidates.contains { $0.isTotal && $0.source?.name == entity.name }
    }
  }
}
