extension BoundExpression {
  /// The object's cells from which the value is made, in the order of ``keyPaths``, without cells
  /// that only conditions read and without those of related objects.
  package var valueCells: [ResolvedKeyPath] {
    var cells: Set<ResolvedKeyPath> = []
    var pending = [node]
    while let node = pending.popLast() {
      switch node {
      case .cell(let path): cells.insert(path)
      case .constant, .key, .now, .element, .count, .aggregate, .item: break
      case .arithmetic(_, let left, let right, _): pending += [left, right]
      case .call(_, let arguments), .function(_, let arguments): pending += arguments
      case .lookup(_, let key): pending.append(key)
      case .conditional(_, let then, let otherwise): pending += [then, otherwise]
      case .policy(_, let arguments):
        for case .value(let argument) in arguments { pending.append(argument) }
      }
    }
    return keyPaths.filter(cells.contains)
  }

  /// Whether a policy's function receives the object itself or an object of the engine, so that it
  /// may read any value.
  package var handsObjectOver: Bool {
    var nodes = [node]
    var conditions: [BoundCondition] = []
    while !nodes.isEmpty || !conditions.isEmpty {
      if let node = nodes.popLast() {
        if case .policy(_, let arguments) = node,
          arguments.contains(where: { if case .value = $0 { false } else { true } })
        {
          return true
        }
        node.addParts(to: &nodes, &conditions)
      } else if let condition = conditions.popLast() {
        condition.addParts(to: &nodes, &conditions)
      }
    }
    return false
  }
}
