import PassageValues

/// Says bound predicates and expressions in SQL, with the same answers as the evaluation in memory.
///
/// Every leaf is two-valued: `==` is `IS`, an order is `COALESCE(…, 0)`. Values become parameters.
/// The functions it calls are ``ExpressionFunctions/all``.
package enum SQLTranslator {
  /// SQLite's own bound on the parameters of one statement is 32,766
  /// (https://www.sqlite.org/limits.html); the statement around a fragment has some too.
  package static let maximumBindings = 30_000

  /// The most bytes of a fragment; SQLite's own bound on a statement is a million.
  package static let maximumBytes = 500_000

  /// The most texts made by functions that may wait for each other in SQL, where nothing counts their
  /// bytes.
  static let maximumWaitingTexts = 8

  /// What a condition gives where it does not hold.
  package enum Form: Sendable, Hashable {
    /// 1 or 0, never NULL: for use under `NOT` and as a value.
    case value
    /// 1, or else 0 or NULL: for `WHERE` and what is joined to it by `AND` and `OR`. Columns stand
    /// bare beside what they are compared with, so that an index of them can be used
    /// (https://www.sqlite.org/optoverview.html#where_clause_analysis).
    case filter
  }

  /// A condition.
  ///
  /// - Parameters:
  ///   - bound: the predicate.
  ///   - form: where it will be used.
  ///   - now: what `now()` gives, in seconds since 2001-01-01 UTC.
  ///   - column: the SQL of each path's cell, with its joins' aliases; of the primary key for
  ///     ``ResolvedKeyPath/Leaf/object``. It is in the result as it is, several times where the
  ///     cell is used several times, and must not hold parameters.
  ///   - related: the rows of the objects that to-many relationships lead to, under names that begin
  ///     with the one given; `nil` for those that no table holds. Without it, such a predicate stays
  ///     in memory.
  package static func predicate(
    _ bound: BoundPredicate, form: Form = .value, now: Double,
    column: (ResolvedKeyPath) -> String,
    related: ((RelatedObjects, _ alias: String) -> RelatedRows?)? = nil
  ) -> Translation {
    run(bound.relatedObjects, now: now, column: column, related: related) {
      writer throws(NotTranslatable) in
      try writer.condition(bound.condition, form)
    }
  }

  /// An expression's value; parameters as for ``predicate(_:form:now:column:related:)``.
  package static func expression(
    _ bound: BoundExpression, now: Double, column: (ResolvedKeyPath) -> String,
    related: ((RelatedObjects, _ alias: String) -> RelatedRows?)? = nil
  ) -> Translation {
    run(bound.relatedObjects, now: now, column: column, related: related) {
      writer throws(NotTranslatable) in
      try writer.value(bound.node)
    }
  }

  private static func run(
    _ relatedObjects: [RelatedObjects], now: Double, column: (ResolvedKeyPath) -> String,
    related: ((RelatedObjects, _ alias: String) -> RelatedRows?)?,
    _ write: (inout SQLWriter) throws(NotTranslatable) -> Void
  ) -> Translation {
    let rows = relatedObjects.map { related?($0, "r\($0.number)") }
    return withoutActuallyEscaping(column) { column in
      var writer = SQLWriter(now: now, column: column, rows: rows)
      do throws(NotTranslatable) {
        try write(&writer)
        try writer.checkSize()
      } catch {
        return .memoryOnly(part: error.part, reason: error.reason)
      }
      return .sql(writer.fragment)
    }
  }
}

/// The rows of the objects that a to-many relationship leads to, as a part of a statement.
package struct RelatedRows: Sendable, Hashable {
  /// What follows `FROM`: tables with their names and joins, without parameters.
  package var from: String
  /// The column with the key of the object that the relationship starts from.
  package var startKey: String
  /// The column with the key of the related object.
  package var key: String
  /// The columns of ``RelatedObjects/keyPaths``, one for each.
  package var cells: [String]
  /// The columns that give an ordered relationship its order, then the key; ascending.
  package var order: [String]
  /// The same objects, each of them once; `nil` where one relationship is walked, which leads to an
  /// object once anyhow.
  package var once: Once?

  /// The related objects as a set: each step continues from the objects that were reached, however many
  /// ways lead to them.
  package struct Once: Sendable, Hashable {
    /// What follows `FROM`: the related object's table and the joins of its cells.
    package var from: String
    /// The condition that the object is reached, up to the key of the object that the relationship
    /// starts from.
    package var before: String
    /// The rest of the condition.
    package var after: String

    /// Makes rows of names that are quoted where they need it.
    package init(from: String, before: String, after: String) {
      self.from = from
      self.before = before
      self.after = after
    }
  }

  /// Makes rows of names that are quoted where they need it.
  package init(
    from: String, startKey: String, key: String, cells: [String], order: [String],
    once: Once? = nil
  ) {
    self.from = from
    self.startKey = startKey
    self.key = key
    self.cells = cells
    self.order = order
    self.once = once
  }
}

/// Why something cannot be said in SQL.
struct NotTranslatable: Error {
  var part: String
  var reason: String
}
