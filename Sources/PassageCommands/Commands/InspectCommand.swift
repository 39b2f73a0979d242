internal import ArgumentParser
internal import Passage

/// `migrate inspect`: describes a store, a model or a mapping model.
struct InspectCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Describes a store, a model or a mapping model.",
    discussion: """
      A store is described with the model it was written with: a version of the history or of \
      --models with the same version hashes, otherwise the model that Core Data saved in it, \
      otherwise one guessed from its tables. The result says which.
      """)

  @Argument(
    help: ArgumentHelp(
      "A store, .xcdatamodel, .xcdatamodeld (or PATH:VERSION), .mom, .momd (in the same way), "
        + ".xcmappingmodel, .cdm, or this project's JSON."),
    completion: .file(),
    transform: PathText.normalized)
  var path: String

  @OptionGroup(title: "Project") var project: ProjectArguments

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    let store = InspectedStore(path: path, places: project.places)
    switch try InspectedFile(path: path, models: { store.knownModels }) {
    case .store:
      return StoreReport(try store.facts()).result(command: Self.name)
    case .mapping(let mapping, let notes):
      return MappingReport(mapping, notes: notes, path: path).result(command: Self.name)
    case .model(let read):
      return ModelReport(read, path: path, versions: versions).result(command: Self.name)
    }
  }

  /// The versions of a bundle; `nil` for a file with one model, and if the path names a version.
  private var versions: ModelVersions? {
    guard let versions = try? ModelFile.list(path: path), versions.names.count > 1 else {
      return nil
    }
    return versions
  }
}
