internal import Passage

/// The result of `status`, as text and as JSON.
struct StatusReport {
  let storePath: String
  let metadata: StoreMetadata
  let target: Model
  let project: Project
  /// The options that found the store and its models, for the recommended command.
  let givenArguments: [String]
  /// The store's type, and the one that a run writes; `nil` for Core Data's own layout.
  let types: (store: (any StoreType)?, written: (any StoreType)?)
  /// The most similar known version, if the store is of no known version.
  let nearest: NearestReport?

  init(
    storePath: String, metadata: StoreMetadata, target: Model, project: Project,
    givenArguments: [String], types: (store: (any StoreType)?, written: (any StoreType)?)
  ) {
    self.storePath = storePath
    self.givenArguments = givenArguments
    self.types = types
    self.metadata = metadata
    self.target = target
    self.project = project
    let hashes = metadata.versionHashes
    let isKnown = project.model(withHashes: hashes) != nil
    nearest =
      isKnown
      ? nil
      : project.nearestModel(to: hashes, storePath: storePath).map {
        NearestReport(nearest: $0, storePath: storePath)
      }
  }

  private enum State: String {
    case upToDate
    case needsMigration
    case unknownVersion

    var exitStatus: Int32 {
      switch self {
      case .upToDate: 0
      case .needsMigration: 10
      case .unknownVersion: MigrationError.Kind.sourceModelUnknown.rawValue
      }
    }
  }

  /// - Parameter command: the name of the subcommand.
  func result(command: String) -> CommandResult {
    CommandResult(text: text, json: json(command), exitStatus: state.exitStatus)
  }

  private var compatibility: Compatibility {
    Compatibility(recordedHashes: metadata.versionHashes, model: target)
  }

  private var source: Model? { project.model(withHashes: metadata.versionHashes) }

  /// The names of all models with which the store opens, versions first.
  private var compatibleNames: [String] {
    let versions = Set(project.versionNames)
    let others = project.models.names.filter { !versions.contains($0) }
    let compatible = project.models.names(withHashes: metadata.versionHashes)
    return (project.versionNames + others).filter(compatible.contains)
  }

  private var state: State {
    if compatibility.isCompatible { return .upToDate }
    return source == nil ? .unknownVersion : .needsMigration
  }

  /// The way to the target; `nil` if the history has none.
  private var way: HistoryWay? {
    source.flatMap { HistoryWay(in: project, from: $0, to: target) }
  }

  /// The path to the target and others, as far as a message names them; empty if the store is there.
  private var paths: [History.Path] {
    guard state == .needsMigration, let source else { return [] }
    return project.history.paths(
      from: source.name, to: target.name, limit: StepSearch.shownPaths)
  }

  private func mappingNames(of path: History.Path) -> [String] {
    path.flatMap { $0.mappings.map(\.value) }
  }

  /// The differences as text, one per line: from the store's version to the target, or from the
  /// nearest version to the store.
  private func differences(_ nearestLines: (NearestReport) -> [String]) -> [String] {
    if compatibility.isCompatible { return [] }
    if let source {
      return "\(ModelDifference(from: source, to: target))".split(separator: "\n").map(String.init)
    }
    return nearest.map(nearestLines) ?? []
  }

  // MARK: Text

  private var text: OutputText {
    var lines = [storePath]
    switch state {
    case .upToDate:
      lines += ["  version   \(names)"] + typeLines + ["  needs no migration" + copyWords]
    case .needsMigration:
      lines += ["  version   \(names)"] + typeLines + ["  target    “\(target.name)”"]
      let words = way?.words
      lines.append(
        "  needs migrating: "
          + (words.map(command) ?? "the history has no path to the target"))
      if words == nil {
        lines.append(
          "  try       \(command(["plan"] + ShellText.words("--to", target.name) + ["--infer"]))")
      }
      if paths.count > 1 {
        lines.append(
          "  several ways lead there, \(History.sentence(paths)): run needs --to or --mappings")
      }
    case .unknownVersion:
      lines += [
        "  version   unknown: no known model has its version hashes",
        "  target    “\(target.name)”",
      ]
      lines += nearest?.headLines ?? []
      lines.append(
        "  try       "
          + "\(nearest?.remedy ?? "name the model that the store was written with: --models PATH")")
    }
    lines += LedgerReport(metadata).lines
    lines += project.adoptedHashes.map { "  hash      \($0)" }
    let differences = differences(\.differenceLines)
    if !differences.isEmpty {
      let title = nearest.map { " from “\($0.nearest.model.name)” to the store" } ?? ""
      lines += ["", "  differences\(title)"] + differences.map { "    \($0)" }
    }
    return OutputText(lines: lines)
  }

  private var typeLines: [String] { types.store.map { ["  type      \($0.title)"] } ?? [] }

  /// What a run makes of a store of another type that has the names of the target.
  private var copyWords: String {
    guard let type = types.store else { return "" }
    let written = types.written.map { $0.name == type.name ? "a copy" : $0.title }
    return "; a run makes \(written ?? "a Core Data store") of it: "
      + command(ShellText.words("--to", target.name))
  }

  /// A command that can be pasted, with the options that find the same store.
  private func command(_ words: [String]) -> String {
    ShellText.command(["migrate"] + words + givenArguments)
  }

  private var names: String {
    compatibleNames.map { "“\($0)”" }.joined(separator: ", the same as ")
  }

  // MARK: JSON

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)), ("state", .string(state.rawValue)),
      ("exitStatus", .integer(state.exitStatus)), ("store", .path(storePath)),
      ("storeUUID", .string(metadata.storeUUID)),
      ("storeType", .optional(types.store?.name)),
      ("version", .optional(compatibleNames.first)), ("compatibleWith", .strings(compatibleNames)),
      ("target", .string(target.name)), ("needsMigration", .bool(!compatibility.isCompatible)),
      ("mappings", way.map { .strings($0.mappingNames) } ?? .null),
      ("needsInference", .bool(way?.needsInference ?? false)),
      ("otherWays", .list(paths.dropFirst().map { .strings(mappingNames(of: $0)) })),
      ("differences", .list(differences(\.nearest.lines).map { .string($0) })),
      ("nearest", nearest?.json ?? .null), ("record", LedgerReport(metadata).json),
      ("adoptedHashes", .list(project.adoptedHashes.map { .string("\($0)") })),
    ])
  }
}
