package import PassageExpressions

/// A filter taken apart at its ANDs: what SQL answers, and what is evaluated in memory for the objects
/// that SQL lets through. Selections and migrations ask by it alike.
package struct FilterParts {
  /// A part of a filter, and where it is carried out.
  package struct Part {
    package var text: String
    /// Why it is evaluated in memory; `nil` in SQL.
    package var reason: String?

    package init(text: String, reason: String?) {
      self.text = text
      self.reason = reason
    }
  }

  /// Who asks: what may be said in SQL differs.
  package enum Use {
    /// A selection: everything that can be said. A failure is told without its object.
    case selection
    /// A migration object by object: what can fail for an object stays in memory, where the failure
    /// is reported with its object, or the object quarantined.
    case rows
  }

  /// One for each part in SQL, to be joined by `AND`.
  package private(set) var inSQL: [SQLFragment] = []
  /// The other parts; `nil` when there are none.
  package private(set) var inMemory: BoundPredicate?
  /// Every part, in the filter's order.
  package private(set) var parts: [Part] = []

  /// - Parameters:
  ///   - obstacle: why nothing is said in SQL; `nil` when that is possible.
  ///   - translate: says a part in SQL.
  package init(
    _ filter: BoundPredicate, for use: Use, obstacle: String?,
    translate: (BoundPredicate) -> Translation
  ) {
    var rest: [BoundPredicate] = []
    for part in filter.conjuncts {
      var reason = obstacle
      if reason == nil, use == .rows, part.canFail {
        reason = "it can fail for an object, and SQL does not tell for which"
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

  /// Whether the statement of all parts stays within the bounds of one.
  private func fits(_ fragment: SQLFragment) -> Bool {
    let all = inSQL + [fragment]
    return all.map(\.bindings.count).reduce(0, +) <= SQLTranslator.maximumBindings
      && all.map(\.sql.utf8.count).reduce(0, +) <= SQLTranslator.maximumBytes
  }

  /// The parts of a filter over the tables of a store.
  ///
  /// - Parameter query: gains the joins that the key paths in SQL need.
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
  /// The same predicate with the parts that cannot fail first, so that it fails for no object that
  /// they leave out, whichever lane asks.
  package var safestFirst: BoundPredicate {
    let parts = conjuncts
    guard parts.count > 1 else { return self }
    return joining(parts.filter { !$0.canFail } + parts.filter(\.canFail))
  }
}
