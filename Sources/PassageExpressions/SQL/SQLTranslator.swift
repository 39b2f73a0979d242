import PassageValues

/// Says bound predicates and expressions in SQL, with the same answers as the evaluation in memory.
///
/// Every leaf is two-valued: `==` is `IS`, an order is `COALESCE(…, 0)`. Values become parameters.
/// The functions it calls are ``ExpressionFunctions/all``.
public enum SQLTranslator {
  /// SQLite's own bound on the parameters of one statement is 32,766
  /// (https://www.sqlite.org/limits.html); the statement around a fragment has some too.
  public static let maximumBindings = 30_000

  /// A condition that is 1 or 0, never NULL.
  ///
  /// - Parameters:
  ///   - bound: the predicate.
  ///   - now: what `now()` gives, in seconds since 2001-01-01 UTC.
  ///   - column: the SQL of each path's cell, with its joins' aliases; of the primary key for
  ///     ``ResolvedKeyPath/Leaf/object``. It stands in the result as it is, several times where the
  ///     cell is used several times, and must not hold parameters.
  public static func predicate(
    _ bound: BoundPredicate, now: Double, column: (ResolvedKeyPath) -> String
  ) -> Translation {
    run(now: now, column: column) { writer throws(NotTranslatable) in
      try writer.condition(bound.condition)
    }
  }

  /// An expression's value; parameters as for ``predicate(_:now:column:)``.
  public static func expression(
    _ bound: BoundExpression, now: Double, column: (ResolvedKeyPath) -> String
  ) -> Translation {
    run(now: now, column: column) { writer throws(NotTranslatable) in
      try writer.value(bound.node)
    }
  }

  private static func run(
    now: Double, column: (ResolvedKeyPath) -> String,
    _ write: (inout SQLWriter) throws(NotTranslatable) -> Void
  ) -> Translation {
    withoutActuallyEscaping(column) { column in
      var writer = SQLWriter(now: now, column: column)
      do throws(NotTranslatable) {
        try write(&writer)
      } catch {
        return .memoryOnly(part: error.part, reason: error.reason)
      }
      guard writer.fragment.bindings.count <= maximumBindings else {
        return .memoryOnly(
          part: "{…}",
          reason:
            "it has \(writer.fragment.bindings.count) constants, more than one statement takes")
      }
      return .sql(writer.fragment)
    }
  }
}

/// Why something cannot be said in SQL.
struct NotTranslatable: Error {
  var part: String
  var reason: String
}
