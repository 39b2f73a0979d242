extension BoundNode {
  /// The number of nodes of the tree, or a number above `limit`.
  func size(limit: Int) -> Int {
    var pending: [BoundNode] = [self]
    var conditions: [BoundCondition] = []
    var count = 0
    while count <= limit {
      if let node = pending.popLast() {
        count += 1
        node.addParts(to: &pending, &conditions)
      } else if let condition = conditions.popLast() {
        count += 1
        condition.addParts(to: &pending, &conditions)
      } else {
        break
      }
    }
    return count
  }

  func addParts(to nodes: inout [BoundNode], _ conditions: inout [BoundCondition]) {
    switch self {
    case .constant, .cell, .key, .now, .element: break
    case .arithmetic(_, let left, let right, _): nodes += [left, right]
    case .call(_, let arguments), .function(_, let arguments): nodes += arguments
    case .lookup(_, let key): nodes.append(key)
    case .conditional(let condition, let then, let otherwise):
      conditions.append(condition)
      nodes += [then, otherwise]
    case .policy(_, let arguments):
      for case .value(let node) in arguments { nodes.append(node) }
    case .count(let collection, _), .aggregate(_, let collection):
      collection.addParts(to: &nodes, &conditions)
    case .item(let collection, let position):
      collection.addParts(to: &nodes, &conditions)
      if case .at(let node) = position { nodes.append(node) }
    }
  }
}

extension BoundCondition {
  func addParts(
    to nodes: inout [BoundNode], _ conditions: inout [BoundCondition]
  ) {
    switch self {
    case .truth: break
    case .and(let parts), .or(let parts): conditions += parts
    case .not(let operand): conditions.append(operand)
    case .equal(let a, let b), .ordered(_, let a, let b), .text(_, let a, let b),
      .textDiffers(_, let a, let b):
      nodes += [a, b]
    case .between(let a, let b, let c), .outside(let a, let b, let c): nodes += [a, b, c]
    case .isIn(let value, let elements), .member(let value, let elements, _):
      nodes.append(value)
      nodes += elements
    case .exists(let collection): collection.addParts(to: &nodes, &conditions)
    }
  }
}

extension BoundCollection {
  fileprivate func addParts(
    to nodes: inout [BoundNode], _ conditions: inout [BoundCondition]
  ) {
    switch base {
    case .related(let start, _): nodes.append(start)
    case .list(let elements), .function(_, let elements): nodes += elements
    case .union(let left, let right):
      left.addParts(to: &nodes, &conditions)
      right.addParts(to: &nodes, &conditions)
    case .distinct(let collection): collection.addParts(to: &nodes, &conditions)
    }
    nodes.append(value)
    if let condition { conditions.append(condition) }
  }
}
