package import PassageDiagnostics

/// The versions a store has had and the mapping models between them: `Migrations/history.json`.
package struct History: Sendable, Hashable {
  /// One version of the model.
  package struct Version: Sendable, Hashable {
    package var name: Located<String>
    /// The model's path, relative to the history's folder.
    package var model: Located<String>
    /// The version hashes of the model when it was released, by entity; `nil` if none are recorded.
    package var hashes: [String: [UInt8]]?

    package init(name: String, model: String) {
      self.name = Located(name)
      self.model = Located(model)
    }
  }

  /// The mapping models that lead from one version to the next: the passes, in order.
  package struct Step: Sendable, Hashable {
    package var from: Located<String>
    package var to: Located<String>
    package var mappings: [Located<String>]

    package init(from: String, to: String, mappings: [String]) {
      self.from = Located(from)
      self.to = Located(to)
      self.mappings = mappings.map { Located($0) }
    }
  }

  /// The store to migrate when none is named, relative to the history's folder.
  package var store: Located<String>?
  /// The versions, oldest first.
  package var versions: [Version]
  package var steps: [Step]
  /// What `migrate check` is told.
  package var check = Check()

  package init(store: String? = nil, versions: [Version], steps: [Step]) {
    self.store = store.map { Located($0) }
    self.versions = versions
    self.steps = steps
  }

  /// The shortest list of steps from one version to another; `nil` when there is none, and empty
  /// when the two are the same.
  ///
  /// - Complexity: O(versions + steps).
  package func path(from start: String, to end: String) -> [Step]? {
    if start == end { return [] }
    let leaving = Dictionary(grouping: steps, by: \.from.value)
    var arrivals: [String: Step] = [:]
    var frontier = [start]
    while !frontier.isEmpty {
      var next: [String] = []
      for version in frontier {
        for step in leaving[version] ?? [] {
          let reached = step.to.value
          guard reached != start, arrivals[reached] == nil else { continue }
          arrivals[reached] = step
          next.append(reached)
        }
      }
      if arrivals[end] != nil { break }
      frontier = next
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
