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
  /// - Complexity: O((v + s) · log(v + s)) for v versions and s steps.
  package func inferringPath(from start: String, to end: String) -> [Step]? {
    if let path = path(from: start, to: end) { return path }
    let names = versions.map(\.name.value)
    let joined = Set(steps.map { [$0.from.value, $0.to.value] })
    let inferred = zip(names, names.dropFirst()).filter { !joined.contains([$0, $1]) }
      .map { Step(from: $0, to: $1, mappings: []) }
    let leaving = Dictionary(grouping: steps + inferred, by: \.from.value)
    var costs = [start: ArrivalQueue.Cost(inferred: 0, steps: 0)]
    var arrivals: [String: Step] = [:]
    var pending = ArrivalQueue()
    pending.insert(ArrivalQueue.Arrival(cost: .init(inferred: 0, steps: 0), version: start))
    while let arrival = pending.removeFirst(), arrival.version != end {
      let cost = arrival.cost
      // A cheaper way to the version was found after this one, and has been followed.
      guard costs[arrival.version] == cost else { continue }
      for step in leaving[arrival.version] ?? [] {
        let next = step.to.value
        let reached = ArrivalQueue.Cost(
          inferred: cost.inferred + (step.mappings.isEmpty ? 1 : 0), steps: cost.steps + 1)
        if let known = costs[next], known <= reached { continue }
        costs[next] = reached
        arrivals[next] = step
        pending.insert(ArrivalQueue.Arrival(cost: reached, version: next))
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

  /// Whether another path leads from one version to another that avoids at least one step of the
  /// shortest.
  ///
  /// - Complexity: O(v + s) for v versions and s steps.
  package func hasOtherPath(from start: String, to end: String) -> Bool {
    path(from: start, to: end).map { !avoidableSteps(of: $0, from: start).isEmpty } ?? false
  }

  /// The steps of the shortest path from a version that another path to the same version avoids, in their order.
  ///
  /// A step can be avoided if a detour leads from a version before it to one after it, by steps that
  /// are not of the shortest path.
  ///
  /// - Complexity: O(v + s) for v versions and s steps.
  func avoidableSteps(of path: Path, from start: String) -> [Step] {
    let leaving = Dictionary(grouping: steps, by: \.from.value)
    var places = [start: 0]
    for (place, step) in path.enumerated() { places[step.to.value] = place + 1 }
    var seen: Set<String> = []
    var avoidable: [Step] = []
    // How far along the path the detours lead that begin at one of the versions so far.
    var furthest = 0
    for (place, passed) in path.enumerated() {
      var pending = [passed.from.value]
      while let version = pending.popLast() {
        for step in leaving[version] ?? [] where version != passed.from.value || step != passed {
          guard let reached = places[step.to.value] else {
            if seen.insert(step.to.value).inserted { pending.append(step.to.value) }
            continue
          }
          furthest = max(furthest, reached)
        }
      }
      if furthest > place { avoidable.append(passed) }
    }
    return avoidable
  }
}
