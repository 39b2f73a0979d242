internal import PassageFiles
internal import Passage

/// What a call asks for, with every name in it found.
struct MigrationRequest {
  let project: Project
  let storePath: String
  let destination: MigrationDestination
  /// In the order they run; empty when the store is at its target already.
  let mappings: [MappingModel]
  /// The version that `--to` or the history asks for; `nil` when the mapping models decide.
  let target: Model?
  let options: MigrationOptions

  /// The path the migrated store will have.
  var destinationPath: String {
    switch destination {
    case .file(let path): path
    case .inPlace: storePath
    }
  }

  /// The path after which the work folder is named: in place, the store's own and not that of a
  /// link to it.
  var workedDestinationPath: String {
    switch destination {
    case .file(let path): path
    case .inPlace: FileSystem().resolved(storePath)
    }
  }

  /// The migration; `nil` when the store is at its target already.
  func migration(policies: PolicyRegistry) -> StoreMigration? {
    guard !mappings.isEmpty else { return nil }
    return StoreMigration(
      storePath: storePath, destination: destination, source: nil, destinationModel: target,
      models: project.models, mappings: mappings, policies: policies, options: options)
  }

  /// The model the migration leads to; `nil` when a mapping model names one that is not known.
  var reachedModel: Model? {
    target ?? mappings.last.flatMap { project.models[$0.destination.value] }
  }

  /// Whether the source itself is at the version to reach.
  var isSourceAtTarget: Bool {
    guard let reachedModel, let metadata = try? StoreMetadata.read(path: storePath) else {
      return false
    }
    return Compatibility(recordedHashes: metadata.versionHashes, model: reachedModel).isCompatible
  }

  /// Where a migrated store goes when nobody says: `Events.migrated.sqlite` beside `Events.sqlite`.
  static func defaultOutput(for storePath: String) -> String {
    let unit = StoreUnit(path: storePath)
    let name = unit.name
    let folder = storePath.contains("/") ? String(storePath.dropLast(name.count)) : ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return folder + name + ".migrated"
    }
    return folder + name[..<dot] + ".migrated" + name[dot...]
  }
}
