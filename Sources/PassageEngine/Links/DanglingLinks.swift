internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Counts the links of the source that lead to no object and cannot be kept, so that none is
/// dropped silently.
///
/// A link whose key is copied unchanged stays as it was. Where several mappings have keys in the related
/// table, one above the largest could end up at an object of another mapping, so such keys become empty. A link
/// that is looked up finds no object. A pair of a join table is no link if either side is not a
/// number.
///
/// A sweep by pages tells whether all links of a relationship lead to an object that was made, or have
/// keys that can be moved. Only if it has found others are they counted, after the passes.
final class DanglingLinks {
  private let step: StepPlan
  private let links: StepLinks
  /// The results of the queries so far. Both sides of a relationship may have the same.
  private var counted: [String: Int64] = [:]
  private var deferred: [(relationship: BoundRelationship, mappingPlan: MappingPlan)] = []
  private var deferredPairs: [JoinedLink] = []

  init(step: StepPlan, links: StepLinks) {
    self.step = step
    self.links = links
  }

  /// Counts before the passes what no sweep tells.
  ///
  /// - Returns: a warning `RUN-024` for each relationship that has such links.
  /// - Complexity: O(n) for a relationship whose keys get an offset in SQL; O(n) look-ups for one that
  ///   is looked up anyway.
  func warnings(_ connection: @autoclosure () throws -> Connection) throws -> Diagnostics {
    var warnings = Diagnostics()
    for mappingPlan in step.mappingPlans {
      for relationship in mappingPlan.bound.relationships {
        let swept = links.swept[mappingPlan.index].first { $0.relationship == relationship }
        let joined = links.joined.first {
          $0.mappingPlan.index == mappingPlan.index && $0.relationship == relationship
        }
        if let joined {
          deferredPairs.append(joined)
        } else if mappingPlan.pageObstacle == nil,
          swept != nil || MovedLink(relationship, of: mappingPlan, step: step) != nil
        {
          deferred.append((relationship, mappingPlan))
        } else {
          try count(relationship, of: mappingPlan, isByTable: false, connection(), &warnings)
        }
      }
    }
    return warnings
  }

  /// Whether links are left to count after the passes.
  var isAnyDeferred: Bool { !deferred.isEmpty || !deferredPairs.isEmpty }

  /// Counts the other links after the passes.
  ///
  /// - Parameters:
  ///   - isMatched: whether all links of a relationship led to an object.
  ///   - isJoined: whether all pairs of one did.
  /// - Complexity: O(n) look-ups for a relationship some of whose links led to none.
  func deferredWarnings(
    _ connection: @autoclosure () throws -> Connection,
    isMatched: (BoundRelationship, MappingPlan) throws -> Bool,
    isJoined: (JoinedLink) throws -> Bool
  ) throws -> Diagnostics {
    var warnings = Diagnostics()
    // The sweeps have read the tables, with which the indexes of a damaged store may not agree.
    for link in deferred where try !isMatched(link.relationship, link.mappingPlan) {
      try count(link.relationship, of: link.mappingPlan, isByTable: true, connection(), &warnings)
    }
    for link in deferredPairs where try !isJoined(link) {
      try count(link.relationship, of: link.mappingPlan, isByTable: true, connection(), &warnings)
    }
    return warnings
  }

  /// - Parameter isByTable: whether no index is used for the links.
  private func count(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan, isByTable: Bool,
    _ connection: Connection, _ warnings: inout Diagnostics
  ) throws {
    guard let source = mappingPlan.source, mappingPlan.elements == nil,
      relationship.selection == nil
    else { return }
    var count: Int64 = 0
    var isSound = true
    for query in queries(relationship, of: mappingPlan, source, isByTable: isByTable) {
      let name = "\(query.sql) \(query.parameters)"
      if let known = counted[name] {
        isSound = isSound && known == 0
        continue
      }
      let found = try connection.integer(query.sql, query.parameters)
      counted[name] = found
      count += found
      isSound = isSound && found == 0
    }
    if isSound { links.noteSound(relationship, of: mappingPlan) }
    guard count > 0, let name = relationship.path.first?.name else { return }
    warnings.append(
      Diagnostic(
        "RUN-024",
        "\(count) link\(count == 1 ? "" : "s") of “\(source.name).\(name)” "
          + "lead\(count == 1 ? "s" : "") to no object of the store",
        severity: .warning, reason: "the source refers to keys that no object has",
        remedy: "look for damage in the source; these links are left out of the migrated "
          + "store"))
  }

  private enum Way {
    case kept
    case shifted
    /// Pairs of a join table. The query counts those that are left out.
    case pairs(String)
    case lookedUp
  }

  /// How the plan migrates the links of one relationship mapping.
  private func way(_ relationship: BoundRelationship, of mappingPlan: MappingPlan) -> Way {
    if step.foreignKeyRule(of: mappingPlan, relationship) != nil {
      let isShifted = step.candidates(relationship).contains {
        $0.keyOffset != 0 || step.keyspace.isShared($0.destination?.tableName ?? "")
      }
      return isShifted ? .shifted : .kept
    }
    if let rule = JoinTableRule(relationship, of: mappingPlan, step: step) {
      return .pairs(rule.countOfExcluded(inSchema: "main"))
    }
    // A link that the other side writes is counted there.
    let isLookedUp = links.plan.lookups.contains {
      $0.mappingPlan.index == mappingPlan.index
        && $0.relationship.relationship.name == relationship.relationship.name
    }
    return isLookedUp ? .lookedUp : .kept
  }

  private typealias Query = (sql: String, parameters: [Value])

  /// The queries that count the links of one relationship mapping that will be left out; empty when
  /// all links are kept.
  private func queries(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan, _ source: EntityLayout,
    isByTable: Bool
  ) -> [Query] {
    guard let first = relationship.path.first,
      let stored = LinkRows(ofRelationship: first.name, of: source),
      let related = step.sourceLayout.entity(named: first.destinationEntityName)
    else { return [] }
    let isThere = "SELECT 1 FROM \(source.tableName.quotedIdentifier) AS o WHERE o.\"Z_PK\" = "
    switch way(relationship, of: mappingPlan) {
    case .kept: return []
    case .shifted:
      let largest = step.extent.keys[related.tableName]?.largest ?? 0
      return [
        (
          "SELECT count(*) FROM \(stored.table.quotedIdentifier) NOT INDEXED "
            + "WHERE \(stored.related.quotedIdentifier) > ? AND \(source.isOwn(nil))",
          [.integer(largest)]
        )
      ]
    case .pairs(let count): return [(count, [])]
    case .lookedUp: break
    }
    let links =
      "SELECT count(*) FROM \(stored.table.quotedIdentifier) AS l"
      + "\(isByTable ? " NOT INDEXED" : "") WHERE "
    let owner = "l.\(stored.owner.quotedIdentifier)"
    let target = "l.\(stored.related.quotedIdentifier)"
    let leadsNowhere =
      "NOT EXISTS (SELECT 1 FROM \(related.tableName.quotedIdentifier) AS r "
      + "WHERE r.\"Z_PK\" = \(target))"
    switch stored.row {
    case .owner:
      let dangles = "\(target) IS NOT NULL AND \(leadsNowhere)"
      // If all rows of the table belong to the entity, Core Data's index on the key is enough, and
      // it returns the keys in the order of the related rows.
      return [(links + "\(source.isOwn("l")) AND " + dangles, [])]
    case .related:
      return [(links + "\(owner) IS NOT NULL AND NOT EXISTS (\(isThere)\(owner))", [])]
    case .pair:
      return [
        (
          links + "EXISTS (\(isThere)\(owner) AND \(source.isOwn("o"))) AND \(leadsNowhere)", []
        ),
        (links + "NOT EXISTS (\(isThere)\(owner))", []),
      ]
    }
  }
}
