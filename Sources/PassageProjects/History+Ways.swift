internal import PassageDiagnostics

extension History {
  /// Steps that follow each other.
  package typealias Path = [Step]

  /// The shortest path from one version to another, and after it others that a call could take.
  ///
  /// Each of the others is the shortest that avoids a step which all before it take. So these are not all
  /// paths there are, but there are several exactly if ``hasOtherPath(from:to:)`` says so.
  ///
  /// - Parameter limit: how many paths are enough.
  /// - Returns: each path once; none when there is none, or when the two versions are the same.
  /// - Complexity: O(`limit` · (v + s)) for v versions and s steps.
  package func paths(from start: String, to end: String, limit: Int) -> [Path] {
    guard let shortest = path(from: start, to: end), !shortest.isEmpty else { return [] }
    var paths = [shortest]
    var avoided: Set<Step> = []
    for step in avoidableSteps(of: shortest, from: start) {
      guard paths.count < limit else { break }
      guard !avoided.contains(step) else { continue }
      var rest = self
      rest.steps.removeAll { $0 == step }
      guard let other = rest.path(from: start, to: end) else { continue }
      paths.append(other)
      avoided.formUnion(Set(shortest).subtracting(other))
    }
    return paths
  }

  /// Paths by their mapping models, as a sentence names them: `by “C”, and by “A”, then “B”`.
  package static func sentence(_ paths: [Path]) -> String {
    paths.map { path in
      let steps = path.map { step in
        step.mappings.isEmpty
          ? "a step without mapping models"
          : step.mappings.map { "“\($0.value)”" }.joined(separator: ", ")
      }
      return "by " + steps.joined(separator: ", then ")
    }.joined(separator: ", and ")
  }
}
