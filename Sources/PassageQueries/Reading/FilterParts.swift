package import PassageExpressions

/// A filter that is split at its ANDs into the parts that SQL evaluates and the parts that are
/// evaluated in memory, for the objects that match in SQL. Selections and migrations both use it.
package struct FilterParts {
  /// A part of a filter, and where it is evaluated.
  package struct Part {
    package var text: String
    /// Why it is evaluated in memory; `nil` in SQL.
    package var reason: String?

    package init(text: String, reason: String?) {
      self.text = text
      self.reason = reason
    }
  }

  /// What the filter is used for, which determines which parts may be evaluated in SQL.
  package enum Use {
    /// A selection: every part that translates to SQL, which reports an error without the object's
    /// key.
    case selection
    /// A migration object by object: parts that can fail for an object are evaluated in memory, so
    /// that the error is reported with the object, or the object is quarantined.
    case rows
  }

  /// The parts in SQL, to be joined by `AND`.
  package private(set) var inSQL: [SQLFragment] = []
  /// The other parts as one predicate; `nil` when there are none.
  package private(set) var inMemory: BoundPredicate?
  /// Every part, in the filter's order.
  package private(set) var parts: [Part] = []

  /// - Parameters:
  ///   - obstacle: why no part may be evaluated in SQL; `nil` when parts may be.
  ///   - translate: translates a part to SQL.
  package init(
    _ filter: BoundPredicate, for use: Use, obstacle: String?,
    translate: (BoundPredicate) -> Translation
  ) {
    var rest: [BoundPredicate] = []
    for part in filter.conjuncts {
      var reason = obstacle
      if reason == nil, use == .rows, part.canFail {
        reason = "it can fail for an object, and SQL does not report for which"
      }
      if reason == nil {
        switch translate(part) {
        case .sql(let fragment):
          if fits(fragment) {
            inSQL.append(fragment)
          } else {
            reason = "the parts before it fill one statement"
          }
        case .memoryOnly(let what, let why): reason = "\(what): \(why)"
        }
      }
      parts.append(Part(text: part.text, reason: reason))
      if reason != nil { rest.append(part) }
    }
    inMemory = rest.isEmpty ? nil : filter.joining(rest)
  }

  /// Whether a statement with all parts stays within SQLite's limits.
  private func fits(_ fragment: SQLFragment) -> Bool {
    let all = inSQL + [fragment]
    return all.map(\.bindings.count).reduce(0, +) <= SQLTranslator.maximumBindings
      && all.map(\.sql.utf8.count).reduce(0, +) <= SQLTranslator.maximumBytes
  }

  /// Splits a filter over the tables of a store.
  ///
  /// - Parameter query: receives the joins that the key paths in SQL need.
  package init(
    _ filter: BoundPredicate, for use: Use, obstacle: String?, query: inout SourceQuery, now: Double
  ) {
    let tables = query
    var joined = query
    self.init(filter, for: use, obstacle: obstacle) { part in
      SQLTranslator.predicate(
        part, form: .filter, now: now, column: { joined.column($0) },
        related: { tables.related($0, alias: $1) })
    }
    query = joined
  }
}

extension BoundPredicate {
  /// The same predicate with the parts that cannot fail first, so that in either lane it does not
  /// fail for an object that those parts exclude.
  package var safestFirst: BoundPredicate {
    let parts = conjuncts
    guard parts.count > 1 else { return self }
    return joining(parts.filter { !$0.canFail } + parts.filter(\.canFail))
  }
}
