extension ObjectPredicate {
  /// `SUBQUERY(collection, $name, comparison).@count > 0`.
  static func hasElement(
    _ collection: ValueExpression, _ name: String, _ comparison: Comparison
  ) -> ObjectPredicate {
    let elements = ValueExpression.subquery(
      collection, variable: name, .comparison(comparison))
    return .comparison(
      Comparison(
        .keyPath(elements, [.collectionOperator("count")]), .greater, .constant(.integer(0))))
  }
}

extension Comparison {
  /// The condition that the comparison holds for any element of the collection on its right; `nil` if
  /// it cannot be written without SUBQUERY.
  var withCollectionFirst: ObjectPredicate? {
    switch self.operator {
    case .equal: .comparison(Comparison(left, .in, right, options: options))
    case .notEqual: .not(.comparison(Comparison(left, .in, right, options: options)))
    default:
      self.operator.mirrored.map {
        ObjectPredicate.comparison(
          Comparison(right, $0, left, options: options, modifier: .any))
      }
    }
  }
}

extension ComparisonOperator {
  /// The operator with the sides exchanged; `nil` if there is none.
  var mirrored: ComparisonOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}
