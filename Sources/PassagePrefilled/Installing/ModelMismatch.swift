internal import PassageDiagnostics
internal import PassageEngine
internal import PassageModels
internal import PassageProjects
internal import PassageStores

/// Describes a pre-filled store whose model is not the requested one.
struct ModelMismatch {
  let metadata: StoreMetadata
  /// A store with the same contents, for the model that it contains.
  let storePath: String
  /// The path of the pre-filled store, for messages.
  let sourcePath: String
  let target: Model
  let models: [String: Model]

  private var known: Model? {
    models.keys.sorted().compactMap { models[$0] }
      .first { $0.versionHashes == metadata.versionHashes }
  }

  /// The differences, one per line.
  private var differences: String {
    if let known { return "\(ModelDifference(from: known, to: target))" }
    let compatibility = Compatibility(recordedHashes: metadata.versionHashes, model: target)
    let others = models.keys.sorted().compactMap { models[$0] }.filter { $0.name != target.name }
    let nearest = NearestModel(
      to: metadata.versionHashes, storePath: storePath, models: [target] + others, newest: nil)
    return ([compatibility.description] + (nearest.map { [$0.summary] } ?? []))
      .joined(separator: "\n")
  }

  /// The refusal of a store that may not be migrated: exit status 10 if its version is known,
  /// otherwise 20.
  var refusal: MigrationError {
    if let known {
      return MigrationError(
        .migrationNeeded,
        Diagnostic(
          "INS-010",
          "the pre-filled store has the version “\(known.name)”, but the app's model is "
            + "“\(target.name)”",
          at: SourceLocation(file: sourcePath), reason: differences,
          remedy:
            "bundle a store of “\(target.name)”, or let the installation migrate it: name the "
            + "mapping models (--mappings) or the version (--to)"))
    }
    return MigrationError(
      .sourceModelUnknown,
      Diagnostic(
        "INS-011",
        "the version of the pre-filled store is not known, and the app's model is “\(target.name)”",
        at: SourceLocation(file: sourcePath), reason: differences,
        remedy: "bundle a store of “\(target.name)”, or name the model the store was written with "
          + "(--models PATH)"))
  }

  /// The differences, as a note beside another refusal.
  var note: Diagnostic {
    Diagnostic(
      "INS-012", "the pre-filled store differs from “\(target.name)”", severity: .note,
      at: SourceLocation(file: sourcePath), reason: differences)
  }
}
