internal import Passage

/// The way of a history from one version to another, as the options that name it for `run`.
struct HistoryWay {
  let steps: History.Path
  private let target: String

  /// - Returns: `nil` if the history has no path.
  init?(in project: Project, from source: Model, to target: Model) {
    guard let steps = project.history.path(from: source.name, to: target.name) else { return nil }
    self.steps = steps
    self.target = target.name
  }

  /// The mapping models of each step, in order.
  var mappingNames: [String] { steps.flatMap { $0.mappings.map(\.value) } }

  /// Whether a step names no mapping models, so that a run must be allowed to infer one.
  var needsInference: Bool { steps.contains { $0.mappings.isEmpty } }

  /// The options that name the way. `--mappings` cannot name a mapping model with a comma, nor a step that is
  /// inferred.
  var words: [String] {
    if needsInference { return ShellText.words("--to", target) + ["--infer"] }
    return mappingNames.contains { $0.contains(",") }
      ? ShellText.words("--to", target)
      : ShellText.words("--mappings", mappingNames.joined(separator: ","))
  }
}
