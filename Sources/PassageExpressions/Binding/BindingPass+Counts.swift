import PassageValues

/// A count that is compared with a constant stops as soon as the result is known. A filter such as
/// `owner.items.@count > 3` reads at most four items for each row, not all of them.
/// them for each of them.
extension BindingPass {
  /// `collection.@count > 0` becomes a test whether there is an element. Other comparisons with a
  /// constant count only as far as the constant requires.
  ///
  /// - Returns: `nil` unless a count is compared with an integer.
  func counted(_ ordering: Ordering, _ left: Operand, _ right: Operand) -> BoundCondition? {
    if case .count = right.node, left.constant != nil {
      return counted(ordering.mirrored, right, left)
    }
    guard case .count(let collection, nil) = left.node,
      case .constant(.integer(let bound)) = right.node
    else { return nil }
    switch (ordering, bound) {
    case (.greater, 0), (.greaterOrEqual, 1): return .exists(collection)
    case (.equal, 0), (.lessOrEqual, 0), (.less, 1): return .not(.exists(collection))
    default:
      let count = counted(left.node, upTo: right.constant)
      return ordering == .equal
        ? .equal(count, right.node) : .ordered(ordering, count, right.node)
    }
  }

  /// A count that is exact up to a constant, and larger than the constant otherwise.
  func counted(_ node: BoundNode, upTo constant: Value?) -> BoundNode {
    guard case .count(let collection, nil) = node, case .integer(let bound)? = constant,
      bound < .max
    else { return node }
    return .count(collection, limit: max(bound, 0) + 1)
  }
}

extension Ordering {
  /// The ordering with the sides exchanged.
  var mirrored: Ordering {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: self
    }
  }
}
