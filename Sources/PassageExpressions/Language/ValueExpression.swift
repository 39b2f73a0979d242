/// A value expression in the form of a tree, for everything that NSExpression's format language can
/// express.
///
/// Arithmetic, bitwise operators and `CAST` are functions, as in NSExpression: `a + b` and
/// `add:to:(a, b)` are the same tree. ``description`` prints a tree so that parsing gives it back.
package indirect enum ValueExpression: Sendable, Hashable {
  /// A literal.
  case constant(Constant, at: SourcePosition = .none)
  /// `SELF`: the object under test.
  case selfObject(at: SourcePosition = .none)
  /// `$name`.
  case variable(String, at: SourcePosition = .none)
  /// A value that is supplied later: the conversion without the percent sign, `@` for `%@`, `ld`
  /// for `%ld`.
  case placeholder(String, at: SourcePosition = .none)
  /// `a.b.c`. Without an operand it starts from the object under test. `SELF.a` is `a`.
  case keyPath(ValueExpression?, [KeyPathComponent], at: SourcePosition = .none)
  /// Without a target, a predefined function (`sum:(…)`, an operator); otherwise
  /// `FUNCTION(target, "selector:", …)`. The selector has one colon for each argument; if a
  /// predefined function is called without colons, they are added.
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
  /// The elements of both.
  case union = "UNION"
  /// The elements that are in both.
  case intersect = "INTERSECT"
  /// The elements that are only in the left one.
  case minus = "MINUS"
}

/// The index in the brackets of `a[…]`.
package enum ElementIndex: Sendable, Hashable {
  /// The first element.
  case first
  /// The last element.
  case last
  /// The number of elements.
  case size
  /// The element at a position from 0, or for a key.
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
