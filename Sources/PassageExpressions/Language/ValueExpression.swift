/// A value expression: what NSExpression's format language can say, as a tree.
///
/// Arithmetic, bitwise operators and `CAST` are functions, as they are for NSExpression: `a + b` and
/// `add:to:(a, b)` are one tree. ``description`` prints a tree so that it parses back to itself.
package indirect enum ValueExpression: Sendable, Hashable {
  /// A literal.
  case constant(Constant, at: SourcePosition = .none)
  /// `SELF`: the object under test.
  case selfObject(at: SourcePosition = .none)
  /// `$name`.
  case variable(String, at: SourcePosition = .none)
  /// A value that is supplied later: the conversion without its sign, `@` for `%@`, `ld` for `%ld`.
  case placeholder(String, at: SourcePosition = .none)
  /// `a.b.c`, from the object under test when there is no operand. `SELF.a` is `a`.
  case keyPath(ValueExpression?, [KeyPathComponent], at: SourcePosition = .none)
  /// A predefined function (`sum:(…)`, an operator) when there is no target, otherwise
  /// `FUNCTION(target, "selector:", …)`. The selector has one colon for each argument it names;
  /// a predefined function called without colons has them added.
  case function(
    target: ValueExpression?, selector: String, arguments: [ValueExpression],
    at: SourcePosition = .none)
  /// `{a, b}`.
  case aggregate([ValueExpression], at: SourcePosition = .none)
  /// `TERNARY(predicate, a, b)`.
  case conditional(
    ObjectPredicate, then: ValueExpression, otherwise: ValueExpression, at: SourcePosition = .none)
  /// `SUBQUERY(collection, $variable, predicate)`.
  case subquery(ValueExpression, variable: String, ObjectPredicate, at: SourcePosition = .none)
  /// `FETCH(request, context, countOnly)`.
  case fetch(ValueExpression, context: ValueExpression, countOnly: Bool, at: SourcePosition = .none)
  /// `a UNION b`, `a INTERSECT b`, `a MINUS b`.
  case set(SetOperator, ValueExpression, ValueExpression, at: SourcePosition = .none)
  /// `a[…]`.
  case element(ValueExpression, ElementIndex, at: SourcePosition = .none)
  /// `$name := value`.
  case assignment(String, ValueExpression, at: SourcePosition = .none)
}

/// An operator between two collections.
package enum SetOperator: String, Sendable, Hashable, CaseIterable {
  /// What is in either.
  case union = "UNION"
  /// What is in both.
  case intersect = "INTERSECT"
  /// What is in the left one only.
  case minus = "MINUS"
}

/// What is between the brackets of `a[…]`.
package enum ElementIndex: Sendable, Hashable {
  /// The first element.
  case first
  /// The last element.
  case last
  /// The number of elements.
  case size
  /// The element at a position counted from 0, or for a key.
  case at(ValueExpression)
}

extension ValueExpression {
  /// Where the expression begins in its text.
  package var position: SourcePosition {
    switch self {
    case .constant(_, let position), .selfObject(let position), .variable(_, let position),
      .placeholder(_, let position), .keyPath(_, _, let position),
      .function(_, _, _, let position), .aggregate(_, let position),
      .conditional(_, _, _, let position), .subquery(_, _, _, let position),
      .fetch(_, _, _, let position), .set(_, _, _, let position),
      .element(_, _, let position), .assignment(_, _, let position):
      position
    }
  }

  /// A key path of plain names, from the object under test or from `operand`.
  package static func path(_ operand: ValueExpression? = nil, _ names: String...) -> ValueExpression
  {
    .keyPath(operand, names.map { .name($0) })
  }
}
