internal import PassageDiagnostics
internal import PassageModels

/// How a model differs from the one that a mapping model was made for.
///
/// Core Data finds a mapping model by version hashes, and Xcode's compiler takes these from the
/// copy of the model inside the mapping model. After the model is changed, Core Data no longer
/// finds its mapping model. Apps have lost data that way.
struct StaleMapping {
  private static let maximumLines = 20

  private let modelName: String
  private let lines: [String]

  /// - Returns: `nil` if both have the same version hashes.
  init?(embedded: ReadModel, given: Model) {
    guard embedded.model.versionHashes != given.versionHashes else { return nil }
    modelName = given.name
    let difference = ModelDifference(from: embedded.model, to: given)
    lines =
      difference.onlyInSource.map { "\($0) is only in the mapping model" }
      + difference.onlyInDestination.map { "\($0) is only in “\(given.name)”" }
      + difference.changed.flatMap { entity in
        entity.changes.filter(\.changesVersionHash).map { "\(entity.name): \($0)" }
      }
      // Something that was not understood may be the cause of the different hash.
      + embedded.remarks.all.filter { $0.code == "MOD-105" }.map(\.message)
  }

  /// - Parameter recorded: version hashes of a compiled mapping model, by entity name.
  /// - Returns: `nil` if the model has all of them.
  init?(recorded: [String: [UInt8]], given: Model) {
    let hashes = given.versionHashes
    let changed = recorded.filter { hashes[$0.key] != $0.value }.keys.sorted()
    guard !changed.isEmpty else { return nil }
    modelName = given.name
    lines = changed.map { name in
      hashes[name] == nil
        ? "\(name) is not in “\(given.name)”" : "\(name) has another version hash"
    }
  }

  func diagnostic(at place: SourceLocation) -> Diagnostic {
    var shown = lines.prefix(Self.maximumLines).joined(separator: "; ")
    if lines.count > Self.maximumLines {
      shown += "; and \(lines.count - Self.maximumLines) more"
    }
    return Diagnostic(
      "IMP-022", "“\(modelName)” differs from the model that the mapping model was made for",
      severity: .warning, at: place,
      reason: shown.isEmpty ? "the version hashes differ" : shown,
      remedy: "give the models it was made for, or check what is mapped: Core Data would not use "
        + "this mapping model with “\(modelName)”")
  }
}
