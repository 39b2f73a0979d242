internal import Passage
internal import PassageFiles

/// What a call asks for, with all names resolved.
struct MigrationRequest {
  let project: Project
  let storePath: String
  let destination: MigrationDestination
  /// In the order in which they run; empty if the store is already at its target.
  let mappings: [MappingModel]
  /// The version that `--to` or the history names; `nil` if the mapping models decide.
  let target: Model?
  let options: MigrationOptions

  /// The path the migrated store will have.
  var destinationPath: String {
    switch destination {
    case .file(let path): path
    case .inPlace: storePath
    }
  }

  /// The path that names the work folder. In place, it is the store's own path, not that of a link
  /// to it.
  var workedDestinationPath: String {
    switch destination {
    case .file(let path): path
    case .inPlace: FileSystem().resolved(storePath)
    }
  }

  /// The migration; `nil` if the store is already at its target.
  func migration(policies: PolicyRegistry) -> StoreMigration? {
    guard !mappings.isEmpty else { return nil }
    return StoreMigration(
      storePath: storePath, destination: destination, source: nil, destinationModel: target,
      models: project.models.named(
        mappings.flatMap { [$0.source.value, $0.destination.value] }), mappings: mappings,
      policies: policies, options: options)
  }

  /// The model at the end of the migration; `nil` if a mapping model names an unknown one.
  var reachedModel: Model? {
    target ?? mappings.last.flatMap { project.models[$0.destination.value] }
  }

  /// The default path of the migrated store: `Events.migrated.sqlite` beside `Events.sqlite`.
  static func defaultOutput(for storePath: String) -> String {
    let unit = StoreUnit(path: storePath)
    let name = unit.name
    let folder = unit.pathBeforeName
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return folder + name + ".migrated"
    }
    return folder + name[..<dot] + ".migrated" + name[dot...]
  }
}
