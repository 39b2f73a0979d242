package import PassageValues

/// A function that translated SQL calls. It must be registered on each connection that runs the
/// SQL.
package struct ExpressionFunction: Sendable {
  /// The name in SQL. It begins with `passage_`.
  package var name: String
  /// The number of arguments; -1 for any number.
  package var argumentCount: Int
  /// Whether equal arguments always give an equal result.
  package var isDeterministic: Bool
  /// Computes the result. Its errors are `Diagnostic` values.
  package var evaluate: @Sendable ([Value]) throws -> Value
}
