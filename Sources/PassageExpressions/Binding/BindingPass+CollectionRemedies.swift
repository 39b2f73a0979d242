/// Remedies for a collection in a place that requires one value.
extension BindingPass {
  /// - Parameter collection: the expression that means the collection.
  func remedy(forCollection collection: ValueExpression) -> String? {
    guard canTry else { return nil }
    let count = Self.count(of: collection)
    guard let compared else {
      return boundType(of: count) == nil ? nil : "“\(count)” is the number of its elements"
    }
    if compared.modifier == .direct, compared.left == collection {
      return remedy(forLeft: compared)
    }
    if compared.right == collection { return remedy(forRight: compared) }
    return "test each element as $x in SUBQUERY(\(collection), $x, …).@count > 0"
      + (boundType(of: count) == nil ? "" : ", or take one value, such as \(count)")
  }

  private func remedy(forLeft comparison: Comparison) -> String? {
    if comparison.operator == .in {
      guard case .aggregate = comparison.right else { return remedy(forBoth: comparison) }
    }
    var quantified = comparison
    quantified.modifier = .any
    var counted = comparison
    counted.left = Self.count(of: comparison.left)
    let quantifiers = "write ANY, ALL or NONE before the comparison"
    return switch (canBind(.comparison(quantified)), canBind(.comparison(counted))) {
    case (true, true): "\(quantifiers), or compare \(counted.left)"
    case (true, false): quantifiers
    case (false, true): "write \(counted.left) for the number of its elements"
    case (false, false): remedy(forBoth: comparison)
    }
  }

  private func remedy(forRight comparison: Comparison) -> String? {
    guard comparison.modifier == .direct else { return remedy(forBoth: comparison) }
    let turned = comparison.withCollectionFirst.flatMap { canBind($0) ? $0 : nil }
    var counted = comparison
    counted.right = Self.count(of: comparison.right)
    return switch (turned, canBind(.comparison(counted))) {
    case (let turned?, true): "write \(turned), or compare \(counted.right)"
    case (let turned?, false): "write \(turned)"
    case (nil, true): "write \(counted.right) for the number of its elements"
    case (nil, false): remedy(forBoth: comparison)
    }
  }

  /// ANY stands on the left only. A collection on the other side needs SUBQUERY.
  private func remedy(forBoth comparison: Comparison) -> String? {
    guard comparison.modifier == .direct || comparison.modifier == .any else { return nil }
    let names = ["x", "y", "z"]
    guard let name = names.first(where: { variables[$0] == nil && scope.variables[$0] == nil })
    else { return nil }
    var inner = comparison
    var outer = comparison.right
    if comparison.operator == .in {
      outer = comparison.left
      inner.left = .variable(name)
    } else {
      inner.right = .variable(name)
      inner.modifier = .any
    }
    let predicate = ObjectPredicate.hasElement(outer, name, inner)
    return canBind(predicate) ? "write \(predicate) for any element of each" : nil
  }

  /// `collection.@count`.
  private static func count(of collection: ValueExpression) -> ValueExpression {
    .keyPath(collection, [.collectionOperator("count")])
  }
}
