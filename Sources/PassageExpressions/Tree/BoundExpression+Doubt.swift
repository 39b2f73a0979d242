extension BoundExpression {
  /// What of it gives nil for a text that it cannot read: `CAST` to a number, a date or a UUID, by
  /// the name of what it makes.
  package var conversionsToNil: [String] {
    var found: [String] = []
    forEachNode { node in
      guard case .call(let function, let arguments) = node,
        // A constant has been read already.
        !arguments.contains(where: { $0.constantValue != nil })
      else { return }
      let name: String? =
        switch function {
        case .numberFromText: "a number"
        case .dateFromText: "a date"
        case .uuidFromText: "a UUID"
        default: nil
        }
      if let name, !found.contains(name) { found.append(name) }
    }
    return found
  }

  private func forEachNode(_ body: (BoundNode) -> Void) {
    var nodes = [node]
    var conditions: [BoundCondition] = []
    while !nodes.isEmpty || !conditions.isEmpty {
      if let node = nodes.popLast() {
        body(node)
        node.addParts(to: &nodes, &conditions)
      } else if let condition = conditions.popLast() {
        condition.addParts(to: &nodes, &conditions)
      }
    }
  }
}
