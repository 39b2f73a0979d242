public import PassageValues

/// Part of an SQL statement, with the values of its `?` parameters in order.
public struct SQLFragment: Sendable, Hashable {
  /// The text; values are parameters, never part of it.
  public var sql: String
  /// One value for each parameter, from left to right.
  public var bindings: [Value]

  /// Makes a fragment.
  public init(_ sql: String, _ bindings: [Value] = []) {
    self.sql = sql
    self.bindings = bindings
  }
}

/// What became of a translation.
public enum Translation: Sendable, Hashable {
  /// SQL that gives what the evaluation in memory gives.
  case sql(SQLFragment)
  /// SQL cannot say it: the part, in the format language's words, and why. It is evaluated in
  /// memory.
  case memoryOnly(part: String, reason: String)
}
