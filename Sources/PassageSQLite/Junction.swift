/// An operator of SQL that joins any number of conditions.
package enum Junction: String, Sendable {
  case and = "AND"
  case or = "OR"

  /// The most conditions that are joined without parentheses.
  private static let maximumInLine = 100

  /// The conditions, joined. Each is in parentheses already, or binds at least as strongly as the operator.
  ///
  /// Each operator in a line makes the tree of the expression one level higher, and its height is limited
  /// (`SQLITE_LIMIT_EXPR_DEPTH`, https://www.sqlite.org/limits.html). Many conditions are therefore joined in
  /// groups, and these in groups again. SQLite looks for indexes behind parentheses too.
  ///
  /// - Parameter conditions: at least one.
  /// - Complexity: O(n) for n conditions.
  package func joined(_ conditions: [String]) -> String {
    let separator = " \(rawValue) "
    var parts = conditions
    while parts.count > Self.maximumInLine {
      let all = parts
      parts = stride(from: 0, to: all.count, by: Self.maximumInLine).map { start in
        let group = all[start..<min(start + Self.maximumInLine, all.count)]
        return "(\(group.joined(separator: separator)))"
      }
    }
    return parts.joined(separator: separator)
  }
}
