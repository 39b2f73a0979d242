import PassageValues

/// Translates bound predicates and expressions to SQL with the same results as the evaluation in
/// memory.
///
/// Every condition is true or false: `==` becomes `IS`, an ordering becomes `COALESCE(…, 0)`.
/// Values become parameters. The functions it calls are ``ExpressionFunctions/all``.
package enum SQLTranslator {
  /// The largest number of parameters. SQLite's own limit for one statement is 32,766
  /// (https://www.sqlite.org/limits.html), and the statement around a fragment has some too.
  package static let maximumBindings = 30_000

  /// The largest fragment in bytes. SQLite's own limit for a statement is a million.
  package static let maximumBytes = 500_000

  /// The largest ``SQLFragment/depth``: the statement around a fragment needs some room.
  package static let maximumDepth = 75
  /// The largest ``SQLFragment/junctionCount``. SQLite's own limit for the height of an expression is
  /// 1,000.
  package static let maximumJunctions = 400

  /// The largest number of texts created by functions that may be in memory at the same time in
  /// SQL, where their bytes are not counted.
  static let maximumWaitingTexts = 8

  /// The result of a condition that is not true.
  package enum Form: Sendable, Hashable {
    /// 1 or 0, never NULL: for use under `NOT` and as a value.
    case value
    /// 1, or otherwise 0 or NULL: for `WHERE` and conditions that `AND` and `OR` join. A column is
    /// compared directly, so that an index on it can be used
    /// (https://www.sqlite.org/optoverview.html#where_clause_analysis).
    case filter
  }

  /// Translates a condition.
  ///
  /// - Parameters:
  ///   - bound: the predicate.
  ///   - form: the form of the result, which depends on its use.
  ///   - now: the value of `now()`, in seconds since 2001-01-01 UTC.
  ///   - column: the SQL of each path's cell, with the aliases of its joins; for
  ///     ``ResolvedKeyPath/Leaf/object``, that of the primary key. It is inserted unchanged, once
  ///     for each use of the cell, and must not contain parameters.
  ///   - related: the rows of the objects that to-many relationships lead to, under names that
  ///     begin with the given alias; `nil` for objects that are in no table. Without it, such a
  ///     predicate is evaluated in memory.
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

  /// Translates an expression. Parameters are those of ``predicate(_:form:now:column:related:)``.
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
        try writer.checkDepth()
      } catch {
        return .memoryOnly(part: error.part, reason: error.reason)
      }
      return .sql(writer.fragment)
    }
  }
}

/// The rows of the objects that a to-many relationship leads to, for use in a statement.
package struct RelatedRows: Sendable, Hashable {
  /// The text after `FROM`: tables with their aliases and joins, without parameters.
  package var from: String
  /// The column with the key of the object at which the relationship starts.
  package var startKey: String
  /// The column with the key of the related object.
  package var key: String
  /// The columns of ``RelatedObjects/keyPaths``, one for each.
  package var cells: [String]
  /// The columns by which an ordered relationship is sorted, then the key; ascending.
  package var order: [String]
  /// The same objects without duplicates; `nil` for a single relationship, which has none.
  package var once: Once?

  /// The related objects as a set: each step continues from the set of objects reached so far, so
  /// that several paths to an object count once.
  package struct Once: Sendable, Hashable {
    /// The text after `FROM`: the related object's table and the joins of its cells.
    package var from: String
    /// The condition that the object is reached, up to the key of the object at which the
    /// relationship starts.
    package var before: String
    /// The rest of the condition.
    package var after: String

    /// Creates the rows. Names must be quoted where necessary.
    package init(from: String, before: String, after: String) {
      self.from = from
      self.before = before
      self.after = after
    }
  }

  /// Creates the rows. Names must be quoted where necessary.
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

/// Why something cannot be translated to SQL.
struct NotTranslatable: Error {
  var part: String
  var reason: String
}
