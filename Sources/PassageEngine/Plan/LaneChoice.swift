internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries

/// Chooses the lane of each entity mapping.
package struct LaneChoice: Sendable, Hashable {
  /// Whether every mapping runs object by object, as in tests that compare the lanes.
  package var isForcedToRows: Bool
  /// Why SQLite compares the source's values otherwise than the engine does in memory; `nil` when it
  /// compares alike.
  package var comparisonObstacle: String?

  /// The names of the source's join tables that may hold keys as texts: their pairs are looked up.
  package var unnumberedJoins: Set<String>
  /// Whether objects may be made page by page.
  package var usesPages: Bool
  /// Whether pages are used even where they are not worth it, as in tests that compare the lanes.
  package var isForcedToPages: Bool

  package init(
    isForcedToRows: Bool = false, comparisonObstacle: String? = nil,
    unnumberedJoins: Set<String> = [], usesPages: Bool = false, isForcedToPages: Bool = false
  ) {
    self.unnumberedJoins = unnumberedJoins
    self.isForcedToPages = isForcedToPages
    self.isForcedToRows = isForcedToRows
    self.comparisonObstacle = comparisonObstacle
    self.usesPages = usesPages && !isForcedToRows && comparisonObstacle == nil
  }

  /// Why no part of a filter is evaluated in SQL; `nil` where SQL and memory give the same result.
  package var filterObstacle: String? {
    if isForcedToRows { return "it was requested" }
    return comparisonObstacle
  }

  /// The parts of a mapping's filter and where each is evaluated; empty without a filter.
  ///
  /// - Parameter isByPages: whether its objects are made page by page.
  func filterParts(of bound: BoundEntityMapping, isByPages: Bool) -> [FilterParts.Part] {
    guard let filter = bound.filter else { return [] }
    if isByPages {
      return filter.conjuncts.map {
        FilterParts.Part(text: $0.text, reason: "the objects are read page by page")
      }
    }
    if lane(of: bound) == .set {
      return filter.conjuncts.map { FilterParts.Part(text: $0.text, reason: nil) }
    }
    return FilterParts(
      filter, for: .rows, obstacle: filterObstacle, translate: Self.tableless
    ).parts
  }

  func lane(of bound: BoundEntityMapping) -> MappingPlan.Lane {
    if let policy = bound.mapping.policy {
      return .row(reason: "policy \(policy.name.value)")
    }
    if !bound.addedObjects.isEmpty { return .row(reason: "it makes the objects of a list") }
    if bound.source == nil { return .row(reason: "it has no source entity") }
    if isForcedToRows { return .row(reason: "it was requested") }
    if let comparisonObstacle,
      bound.merge != nil || bound.elements != nil || bound.filter != nil
        || bound.attributes.contains(where: { $0.isComputed })
    {
      return .row(reason: comparisonObstacle)
    }
    return Self.obstacle(to: bound).map { .row(reason: $0) } ?? .set
  }

  // MARK: What has no form in SQL

  /// Translates a filter to SQL over placeholder tables, to find out whether that is possible.
  private static func tableless(_ filter: BoundPredicate) -> Translation {
    SQLTranslator.predicate(filter, now: 0, column: { _ in "NULL" }, related: related)
  }

  /// A placeholder: every relationship that is not transient has a table, and its name does not
  /// matter here.
  private static func related(_ related: RelatedObjects, _ alias: String) -> RelatedRows? {
    RelatedRows(
      from: alias, startKey: "NULL", key: "NULL", cells: related.keyPaths.map { _ in "NULL" },
      order: ["NULL"])
  }

  /// The largest depth of what is translated over placeholders.
  private static let largestDepth = SQLTranslator.maximumDepth - 15

  /// Why an entity mapping cannot run in SQL; `nil` when it can.
  private static func obstacle(to bound: BoundEntityMapping) -> String? {
    func reason(_ what: String, _ translation: Translation) -> String? {
      switch translation {
      case .memoryOnly(let part, let reason): return "\(what): \(part) \(reason)"
      // With the tables in place of their placeholders it gets deeper.
      case .sql(let fragment) where fragment.sql.utf8.count > 150 && fragment.depth > largestDepth:
        return "\(what): in SQL it is nested deeper than a statement may be"
      case .sql: return nil
      }
    }
    if let filter = bound.filter,
      let reason = reason(
        "the filter",
        tableless(filter))
    {
      return reason
    }
    if let merge = bound.merge,
      let reason = reason(
        "mergeBy",
        SQLTranslator.expression(
          merge.value, now: 0, column: { _ in "NULL" }, related: related))
    {
      return reason
    }
    for attribute in bound.attributes {
      for expression in [attribute.value, attribute.fallback].compactMap(\.self) {
        if let reason = reason(
          attribute.attribute.name,
          SQLTranslator.expression(
            expression, now: 0, column: { _ in "NULL" }, related: related))
        {
          return reason
        }
      }
    }
    return nil
  }
}

extension BoundAttribute {
  /// Whether the value is more than a copied cell or a constant.
  fileprivate var isComputed: Bool {
    [value, fallback].compactMap(\.self).contains {
      $0.copiedCell == nil && $0.constantValue == nil
    }
  }
}
