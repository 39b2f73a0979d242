public import PassageDiagnostics

/// The versions a store has had and the mapping models that join them: `Migrations/history.json`.
public struct History: Sendable, Hashable {
  /// One version of the model.
  public struct Version: Sendable, Hashable {
    public var name: Located<String>
    /// The model's path, relative to the history's folder.
    public var model: Located<String>

    public init(name: String, model: String) {
      self.name = Located(name)
      self.model = Located(model)
    }
  }

  /// How one version becomes another: the passes, in order.
  public struct Step: Sendable, Hashable {
    public var from: Located<String>
    public var to: Located<String>
    public var mappings: [Located<String>]

    public init(from: String, to: String, mappings: [String]) {
      self.from = Located(from)
      self.to = Located(to)
      self.mappings = mappings.map { Located($0) }
    }
  }

  /// The store to migrate when none is named, relative to the history's folder.
  public var store: Located<String>?
  /// Oldest first.
  public var versions: [Version]
  public var steps: [Step]

  public init(store: String? = nil, versions: [Version], steps: [Step]) {
    self.store = store.map { Located($0) }
    self.versions = versions
    self.steps = steps
  }

  /// The shortest list of steps from one version to another; `nil` when there is none, and the
  /// empty list when the two are the same.
  ///
  /// - Complexity: O(versions + steps).
  public func path(from start: String, to end: String) -> [Step]? {
    if start == end { return [] }
    var arrivals: [String: Step] = [:]
    var frontier = [start]
    while !frontier.isEmpty {
      var next: [String] = []
      for version in frontier {
        for step in steps where step.from.value == version {
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
