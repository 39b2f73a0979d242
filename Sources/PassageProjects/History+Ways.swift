internal import PassageDiagnostics

extension History {
  /// Steps that follow each other.
  package typealias Path = [Step]

  /// The shortest path from one version to another, and after it others that a call could take.
  ///
  /// For each step of the shortest path, the others have the shortest that avoids it. So these are not all
  /// paths there are, but there are several exactly if ``hasOtherPath(from:to:)`` says so.
  ///
  /// - Parameter limit: how many paths are enough.
  /// - Returns: each path once; none when there is none, or when the two versions are the same.
  /// - Complexity: O(p · (v + s)) for v versions, s steps and p steps of the shortest path.
  package func paths(from start: String, to end: String, limit: Int) -> [Path] {
    guard let shortest = path(from: start, to: end), !shortest.isEmpty else { return [] }
    var paths = [shortest]
    guard hasOtherPath(from: start, to: end) else { return paths }
    for passed in shortest where paths.count < limit {
      var rest = self
      rest.steps.removeAll { $0 == passed }
      if let other = rest.path(from: start, to: end), !paths.contains(other) {
        paths.append(other)
      }
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
