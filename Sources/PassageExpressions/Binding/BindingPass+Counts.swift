import PassageValues

/// A count beside a constant: how many elements there are beyond it does not matter, and they are not
/// counted. So a filter such as `owner.items.@count > 3` looks at four items for each row, not at all of
/// them for each of them.
extension BindingPass {
  /// `collection.@count > 0` asks whether there is an element; other comparisons with a constant count as
  /// far as the constant says.
  ///
  /// - Returns: `nil` where no count is compared with a whole number.
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

  /// A count that distinguishes numbers up to a constant from all larger ones.
  func counted(_ node: BoundNode, upTo constant: Value?) -> BoundNode {
    guard case .count(let collection, nil) = node, case .integer(let bound)? = constant,
      bound < .max
    else { return node }
    return .count(collection, limit: max(bound, 0) + 1)
  }
}

extension Ordering {
  /// What holds with the operands the other way round.
  fileprivate var mirrored: Ordering {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: self
    }
  }
}
