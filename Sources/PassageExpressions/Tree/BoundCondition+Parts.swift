extension BoundCondition {
  /// Adds the cells of the object under test that are read.
  func collectCells(_ cells: inout Set<ResolvedKeyPath>) {
    _ = holdsThroughout(
      { node in
        if case .cell(let path) = node { cells.insert(path) }
        return true
      }, { _ in true })
  }

  /// Whether a function is called that can fail for an object.
  var canFail: Bool {
    !holdsThroughout(
      { node in
        switch node {
        case .call(let function, _): !function.canFail
        case .function, .policy: false
        default: true
        }
      },
      { condition in
        switch condition {
        case .text(let operation, _, _), .textDiffers(let operation, _, _):
          !operation.function.canFail
        default: true
        }
      })
  }

  /// Whether something is true for every node and every condition of the tree. Stops at the first
  /// for which it is false.
  private func holdsThroughout(
    _ isTrueOfNode: (BoundNode) -> Bool, _ isTrueOfCondition: (BoundCondition) -> Bool
  ) -> Bool {
    var nodes: [BoundNode] = []
    var conditions = [self]
    while true {
      if let node = nodes.popLast() {
        guard isTrueOfNode(node) else { return false }
        node.addParts(to: &nodes, &conditions)
      } else if let condition = conditions.popLast() {
        guard isTrueOfCondition(condition) else { return false }
        condition.addParts(to: &nodes, &conditions)
      } else {
        return true
      }
    }
  }
}
