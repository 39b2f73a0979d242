extension ModelDifference: CustomStringConvertible {
  /// One line for each difference, beginning with the entity, or one line that says that there is
  /// none.
  package var description: String {
    if isEmpty { return "“\(fromName)” and “\(toName)” have the same shape" }
    let removed = onlyInSource.map { "\($0): only in “\(fromName)”" }
    let added = onlyInDestination.map { "\($0): only in “\(toName)”" }
    return (removed + added + changed.map(\.description)).joined(separator: "\n")
  }
}

extension EntityDifference: CustomStringConvertible {
  /// One line for each change: `Event: the attribute "seconds" is added`.
  package var description: String {
    changes.map { "\(name): \($0)" }.joined(separator: "\n")
  }
}

extension ModelChange: CustomStringConvertible {
  /// One sentence without a full stop.
  package var description: String {
    switch self {
    case .entityRenamed(let from, _): "renamed from “\(from)”"
    case .entityTrait(let trait): "\(trait)"
    case .added(let kind, let name, _): "the \(kind.rawValue) “\(name)” is added"
    case .removed(let kind, let name, _): "the \(kind.rawValue) “\(name)” is removed"
    case .renamed(let kind, let from, let to):
      "the \(kind.rawValue) “\(from)” is renamed to “\(to)”"
    case .trait(let kind, let name, let trait): "the \(kind.rawValue) “\(name)”: \(trait)"
    }
  }
}

extension ModelTrait: CustomStringConvertible {
  /// `type date → string`, `parent none → Message`.
  package var description: String {
    if from == nil && to == nil { return "\(name) changed" }
    return "\(name) \(from ?? "none") → \(to ?? "none")"
  }
}
