package import PassageValues

/// A function that translated SQL calls, to be registered on each connection that runs it.
package struct ExpressionFunction: Sendable {
  /// The name in SQL; begins with `passage_`.
  package var name: String
  /// The number of arguments; -1 for any number.
  package var argumentCount: Int
  /// Whether equal arguments always give an equal result.
  package var isDeterministic: Bool
  /// Computes the result; what it throws is a `Diagnostic`.
  package var evaluate: @Sendable ([Value]) throws -> Value
}
