import PassageValues

/// The meaning of comparisons with nil.
package enum NullSemantics: String, Sendable, Hashable, CaseIterable {
  /// As for an object in memory: every condition is true or false, nil equals nil, and `x != 5` is
  /// true if x is nil.
  case inMemory
  /// As in Core Data's SQL: a comparison with a value that is nil is neither true nor false, and
  /// neither is its negation. `x == nil` and `x != nil` work as written.
  case coreDataSQL
}

extension BindingPass {
  /// The condition with two possible results, in a place where an unknown result counts as false.
  func settled(_ condition: BoundCondition) -> BoundCondition {
    switch scope.nullSemantics {
    case .inMemory: condition
    case .coreDataSQL: condition.decided(true)
    }
  }
}

extension BoundCondition {
  /// A condition with two possible results that is true if this one, with SQL's three results
  /// (https://www.sqlite.org/lang_expr.html#booleanexpr), is `wanted`.
  ///
  /// No operand is written twice here, so the tree does not grow.
  fileprivate func decided(_ wanted: Bool) -> BoundCondition {
    switch self {
    case .truth(let value): return .truth(value == wanted)
    case .and(let parts):
      let parts = parts.map { $0.decided(wanted) }
      return wanted ? .and(parts) : .or(parts)
    case .or(let parts):
      let parts = parts.map { $0.decided(wanted) }
      return wanted ? .or(parts) : .and(parts)
    case .not(let operand): return operand.decided(!wanted)
    case .equal(let left, let right):
      if left.isNullConstant || right.isNullConstant { return wanted ? self : .not(self) }
      return .ordered(wanted ? .equal : .notEqual, left, right)
    case .ordered(let ordering, let left, let right):
      return .ordered(wanted ? ordering : ordering.negation, left, right)
    case .between(let value, let lower, let upper):
      return wanted ? self : .outside(value, lower, upper)
    case .isIn(let value, let elements): return .member(value, elements, isNegated: !wanted)
    case .text(let operation, let value, let pattern):
      return wanted ? self : .textDiffers(operation, value, pattern)
    case .exists, .outside, .member, .textDiffers: return wanted ? self : .not(self)
    }
  }
}

extension BoundNode {
  fileprivate var isNullConstant: Bool { constantValue?.isNull ?? false }
}
