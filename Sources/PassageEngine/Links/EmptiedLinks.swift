internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores

/// Counts the links of a step's source that lead from an object that was migrated to one that was
/// not. These links are lost.
///
/// A link that is stored in the row of the migrated object, or as a pair, is counted even if only its other
/// side is mapped. Of a relationship whose value selects objects, those that it selected are counted. What
/// a policy has related itself, or has left out when it related an object, is its decision and not counted.
///
/// Links that led to no object of the source are not counted here: `RUN-024` reports them. Links
/// that are stored in the other object's row, such as those of a to-many relationship with a to-one
/// inverse, are values of that object and are counted with it, unless that object became one with another that
/// leads elsewhere.
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
  ///   counted; otherwise O(n) look-ups in the links of the relationship.
  func counts() throws -> [Int: [String: Int64]] {
    var counting = Counting(of: source, connection)
    do {
      try count { mapping, relationship, count in
        try counting.add(count, ofMapping: mapping, relationship)
      }
    } catch {
      try? counting.end()
      throw error
    }
    try counting.end()
    return counting.counts
  }

  /// How many links of a relationship are lost.
  private enum Count {
    /// As a sweep has counted.
    case counted(Int64)
    /// As a query counts, with the source attached as `source`.
    case query(String)
  }

  /// Adds counts up.
  private struct Counting {
    private let source: SourceAccess
    private let connection: Connection
    private var isSourceAttached = false
    /// By mapping and source relationship.
    private(set) var counts: [Int: [String: Int64]] = [:]

    init(of source: SourceAccess, _ connection: Connection) {
      (self.source, self.connection) = (source, connection)
    }

    mutating func add(_ count: Count, ofMapping mapping: Int, _ relationship: String) throws {
      let number: Int64
      switch count {
      case .counted(let counted): number = counted
      case .query(let sql):
        if !isSourceAttached {
          try connection.attach(source.path, as: "source", mode: source.mode)
          isSourceAttached = true
        }
        number = try connection.integer(sql)
      }
      guard number > 0 else { return }
      counts[mapping, default: [:]][relationship, default: 0] += number
    }

    mutating func end() throws {
      guard isSourceAttached else { return }
      isSourceAttached = false
      try connection.detach("source")
    }
  }

  /// Finds what is to be counted. Queries are as long as there are mappings, so each is run before the next is made.
  private func count(
    _ add: (_ mapping: Int, _ relationship: String, Count) throws -> Void
  ) throws {
    let isAnyQuarantined =
      try journal.isRecording
      && connection.integer("SELECT EXISTS (SELECT 1 FROM \(Quarantine.table))") > 0
    let sql = EmptiedLinkQueries(
      step: step, links: links.plan, journal: journal, isAnyQuarantined: isAnyQuarantined)
    for mappingPlan in step.mappingPlans {
      for links in LinksOfPath.all(of: mappingPlan) {
        let name = Self.name(of: links.path)
        guard links.path.count > 1 || !isKeptByRelated(links.path[0], of: mappingPlan) else {
          if let query = sql.countOfMerged(links, of: mappingPlan) {
            try add(mappingPlan.index, name, .query(query))
          }
          continue
        }
        // Sweeps do not know what a policy has decided, or which links the assembly has emptied.
        if !isAnyQuarantined, links.selected.isEmpty, !mappingPlan.isDecidedByPolicy,
          !links.whole.contains(where: { self.links.plan.isMutual($0, of: mappingPlan) }),
          let count = try countOfSweep(links.whole, of: mappingPlan)
            ?? countOfPairs(links.whole, mappingPlan)
        {
          try add(mappingPlan.index, name, .counted(count))
        } else if let query = sql.count(of: links, of: mappingPlan) {
          try add(mappingPlan.index, name, .query(query))
        }
      }
      for (relationship, query) in sql.countsFromOtherSide(of: mappingPlan) {
        try add(mappingPlan.index, relationship.name, .query(query))
      }
    }
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
}
