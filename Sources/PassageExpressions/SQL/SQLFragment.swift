package import PassageValues

/// Part of an SQL statement, with the values of its `?` parameters in order.
package struct SQLFragment: Sendable, Hashable {
  /// The text; values are parameters, never part of it.
  package var sql: String
  /// One value for each parameter, from left to right.
  package var bindings: [Value]

  /// Makes a fragment.
  package init(_ sql: String, _ bindings: [Value] = []) {
    self.sql = sql
    self.bindings = bindings
  }
}

/// What became of a translation.
package enum Translation: Sendable, Hashable {
  /// SQL that gives what the evaluation in memory gives.
  case sql(SQLFragment)
  /// SQL cannot say it: the part, in the format language's words, and why. It is evaluated in
  /// memory.
  case memoryOnly(part: String, reason: String)
}
