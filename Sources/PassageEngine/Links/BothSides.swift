internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// A relationship and its inverse that mappings both list, in ways that may give different links.
///
/// A link is one of both sides, whichever of them gives it. Where only one side gives it, the other side would
/// have it against what its mapping says.
struct BothSides {
  /// The relationship mappings of one side.
  private struct Side {
    let items: [MappedRelationship]

    /// “Owner.pets” of “OwnerToOwner”.
    var described: String {
      let relationship = items[0].relationship.relationship.name
      let entities = Set(items.compactMap { $0.mappingPlan.destination?.name }).sorted()
      let mappings = items.map { "“\($0.mappingPlan.name)”" }
      let owners = entities.map { "“\($0).\(relationship)”" }.joined(separator: ", ")
      return "\(owners) of \(mappings.prefix(3).joined(separator: ", "))"
    }

    /// Where a mapping model lists it; `nil` where all properties are copied.
    var location: SourceLocation? {
      items.lazy.compactMap { item in
        item.mappingPlan.bound.mapping.relationshipMappings.first {
          $0.name.value == item.relationship.relationship.name
        }?.name.location
      }.first
    }
  }

  private let one: Side
  private let other: Side
  private let step: StepPlan

  /// Those of a step.
  ///
  /// - Complexity: O(n) for n relationship mappings, if those that list one relationship are of few kinds.
  static func all(of step: StepPlan) -> [BothSides] {
    let items = Dictionary(grouping: step.relationships, by: \.relationship.relationship)
    var seen: Set<Relationship> = []
    return step.relationships.compactMap { item in
      let relationship = item.relationship.relationship
      guard seen.insert(relationship).inserted,
        let inverse = step.destination.inverse(of: relationship), inverse != relationship,
        !seen.contains(inverse), let own = items[relationship], let other = items[inverse],
        !agree(own, other, in: step)
      else { return nil }
      return BothSides(one: Side(items: own), other: Side(items: other), step: step)
    }
  }

  /// What decides whether a relationship mapping agrees with one of the other side.
  private struct Kind: Hashable {
    let leads: MappingIndex.LeadClass
    let path: [Relationship]?
  }

  /// Whether all relationship mappings of both sides agree. Of those of one kind, one is asked.
  private static func agree(
    _ items: [MappedRelationship], _ others: [MappedRelationship], in step: StepPlan
  ) -> Bool {
    func kinds(_ items: [MappedRelationship]) -> [MappedRelationship] {
      var seen: Set<Kind> = []
      return items.filter { item in
        seen.insert(Kind(leads: step.leadClass(of: item), path: item.relationship.wholePath))
          .inserted
      }
    }
    let others = kinds(others)
    return kinds(items).allSatisfy { item in others.allSatisfy { agree(item, $0, in: step) } }
  }

  /// Whether two relationship mappings give the same links between what their mappings make, whatever the
  /// source has: one follows a relationship of the source, the other its inverse.
  private static func agree(
    _ item: MappedRelationship, _ other: MappedRelationship, in step: StepPlan
  ) -> Bool {
    let leadsForth = step.isCandidate(other.mappingPlan, of: item.relationship)
    let leadsBack = step.isCandidate(item.mappingPlan, of: other.relationship)
    guard leadsForth || leadsBack else { return true }
    guard leadsForth, leadsBack, let path = item.relationship.wholePath,
      let otherPath = other.relationship.wholePath, path.count == otherPath.count
    else { return false }
    if path.isEmpty { return true }
    return path.count == 1 && step.source.inverse(of: path[0]) == otherPath[0]
  }

  // MARK: Check

  /// Checks the links of the assembled store, before those that policies decide.
  ///
  /// - Parameter connection: has the source attached as `source`, and the journal.
  /// - Throws: `RUN-089` with the first link that the mapping of one side does not give.
  /// - Complexity: O(n log n) for n links.
  func check(_ connection: Connection) throws {
    for (side, other) in [(one, other), (other, one)] {
      guard let found = try surplus(of: side, connection) else { continue }
      throw error(side, other, owner: found[0].integer ?? 0, target: found[1].integer ?? 0)
    }
  }

  /// The first link of objects whose mapping lists a side without giving that link.
  ///
  /// What each of the mappings gives is collected on disk: there may be more than SQLite combines in one query.
  private func surplus(of side: Side, _ connection: Connection) throws -> [Value]? {
    let first = side.items[0]
    guard let stored = stored(first),
      let related = step.destinationLayout.entity(
        named: first.relationship.relationship.destinationEntityName)
    else { return nil }
    let (owners, given) = ("passage_owners", "passage_given")
    for (table, columns) in [(owners, "owner"), (given, "owner, target")] {
      try connection.execute("DROP TABLE IF EXISTS temp.\(table)")
      try connection.execute(
        "CREATE TABLE temp.\(table) (\(columns), PRIMARY KEY (\(columns))) WITHOUT ROWID")
    }
    for query in side.items.map({ LinkQuery($0, step: step) }) {
      if let keys = query.ownerKeys {
        try connection.execute("INSERT OR IGNORE INTO temp.\(owners) \(keys)")
      }
      if let pairs = query.sql {
        try connection.execute(
          "INSERT OR IGNORE INTO temp.\(given) SELECT owner, target FROM (\(pairs))")
      }
    }
    // What leads to no object is told elsewhere.
    let found = try connection.rows(
      "SELECT owner, target FROM (\(stored)) WHERE owner IN temp.\(owners) AND target IN "
        + "(SELECT \"Z_PK\" FROM main.\(related.tableName.quotedIdentifier)) "
        + "EXCEPT SELECT owner, target FROM temp.\(given) ORDER BY 1, 2 LIMIT 1")
    for table in [owners, given] { try connection.execute("DROP TABLE temp.\(table)") }
    return found.first
  }

  /// A query for the links of a side that the store has: the keys of both ends.
  private func stored(_ item: MappedRelationship) -> String? {
    let relationship = item.relationship.relationship
    guard let owner = item.mappingPlan.destination else { return nil }
    func pairs(_ table: String, _ owner: String, _ target: String) -> String {
      "SELECT \(owner.quotedIdentifier) AS owner, \(target.quotedIdentifier) AS target "
        + "FROM main.\(table.quotedIdentifier) "
        + "WHERE \(owner.quotedIdentifier) IS NOT NULL AND \(target.quotedIdentifier) IS NOT NULL"
    }
    switch owner.storage(ofRelationship: relationship.name) {
    case .foreignKey(let column, _, _)?:
      let own = pairs(owner.tableName, "Z_PK", column)
      // A link from one object to one is stored on both sides.
      guard let inverse = step.destination.inverse(of: relationship), !inverse.isToMany,
        let target = step.destinationLayout.entity(named: relationship.destinationEntityName),
        case .foreignKey(let back, _, _)? = target.storage(ofRelationship: inverse.name)
      else { return own }
      return own + " UNION ALL " + pairs(target.tableName, back, "Z_PK")
    case .inverseForeignKey(let table, let column, _, _)?: return pairs(table, column, "Z_PK")
    case .joinTable(let table, let this, let other, _)?: return pairs(table.name, this, other)
    case nil: return nil
    }
  }

  private func error(_ side: Side, _ other: Side, owner: Int64, target: Int64) -> MigrationError {
    let entity = side.items[0].mappingPlan.destination?.tableName ?? ""
    let related =
      step.destinationLayout.entity(
        named: side.items[0].relationship.relationship.destinationEntityName)?.tableName ?? ""
    return MigrationError(
      .policyFailed,
      Diagnostic(
        "RUN-089",
        "\(side.described) and \(other.described) are the two sides of one relationship, but give "
          + "different links",
        at: side.location ?? other.location,
        reason: "the first of them is that between key \(owner) in \(entity) and key \(target) in "
          + "\(related): only \(other.described) gives it",
        remedy: "map the side that says what you mean, and give null to the other: a link is "
          + "stored once, for both"))
  }
}

extension BoundRelationship {
  /// The relationships to the source objects, if all at their end are meant; `nil` where some are selected.
  fileprivate var wholePath: [Relationship]? {
    guard let selection else { return path }
    return selection.isWhole ? selection.path : nil
  }
}
