internal import PassageDiagnostics

extension History {
  /// The steps from one version to another if mapping models may be inferred: the steps of the
  /// history if they lead there, otherwise the path with the fewest inferred steps.
  ///
  /// An inferred step leads from a version to the next newer one and names no mapping models, like
  /// a step that the history itself leaves to inference.
  ///
  /// - Returns: `nil` when there is no path, because the destination is older or not in the
  ///   history.
  /// - Complexity: O(v · (v + s)) for v versions and s steps.
  package func inferringPath(from start: String, to end: String) -> [Step]? {
    if let path = path(from: start, to: end) { return path }
    let names = versions.map(\.name.value)
    let joined = Set(steps.map { [$0.from.value, $0.to.value] })
    let inferred = zip(names, names.dropFirst()).filter { !joined.contains([$0, $1]) }
      .map { Step(from: $0, to: $1, mappings: []) }
    // The cost of reaching a version: first the number of inferred steps, then of all steps.
    var costs: [String: (inferred: Int, steps: Int)] = [start: (0, 0)]
    var arrivals: [String: Step] = [:]
    var pending: Set = [start]
    func cheapest() -> String? {
      pending.min { a, b in
        guard let x = costs[a], let y = costs[b] else { return a < b }
        return (x.inferred, x.steps, a) < (y.inferred, y.steps, b)
      }
    }
    while let version = cheapest(), version != end, let cost = costs[version] {
      pending.remove(version)
      for step in steps + inferred where step.from.value == version {
        let next = step.to.value
        let reached = (
          inferred: cost.inferred + (step.mappings.isEmpty ? 1 : 0), steps: cost.steps + 1
        )
        if let known = costs[next], known <= reached { continue }
        costs[next] = reached
        arrivals[next] = step
        pending.insert(next)
      }
    }
    var path: [Step] = []
    var version = end
    while version != start {
      guard let step = arrivals[version] else { return nil }
      path.append(step)
      version = step.from.value
    }
    return path.reversed()
  }
}
