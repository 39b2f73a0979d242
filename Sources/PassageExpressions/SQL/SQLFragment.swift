package import PassageValues

/// Part of an SQL statement, with the values of its `?` parameters in order.
package struct SQLFragment: Sendable, Hashable {
  /// The SQL text. Values are parameters, never part of it.
  package var sql: String
  /// One value for each parameter, from left to right.
  package var bindings: [Value]

  /// Creates a fragment.
  package init(_ sql: String, _ bindings: [Value] = []) {
    self.sql = sql
    self.bindings = bindings
  }
}

/// The result of a translation.
package enum Translation: Sendable, Hashable {
  /// SQL with the same result as the evaluation in memory.
  case sql(SQLFragment)
  /// There is no translation: the part, in the format language, and the reason. It is evaluated in
  /// memory.
  case memoryOnly(part: String, reason: String)
}
