internal import ArgumentParser
internal import Passage

/// `migrate inspect`: describes a store, a model or a mapping model.
struct InspectCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Describes a store, a model or a mapping model.",
    discussion: """
      A store is described with the model it was written with where that is found: in the history \
      and among --models. Where it is not, its metadata alone is shown.
      """)

  @Argument(
    help: ArgumentHelp(
      "A store, .xcdatamodel, .xcdatamodeld (or PATH:VERSION), .mom, .momd, .xcmappingmodel, .cdm, "
        + "or this project's JSON."),
    completion: .file())
  var path: String

  @OptionGroup(title: "Project") var project: ProjectArguments

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    switch try InspectedFile(path: path, models: { knownModels }) {
    case .store:
      return StoreReport(try describe()).result
    case .mapping(let mapping, let notes):
      return MappingReport(mapping, notes: notes, path: path).result
    case .model(let read):
      return ModelReport(read, path: path).result
    }
  }

  private func describe() throws -> StoreReport.Facts {
    let store = try StoreFile.open(path: path)
    let description = try store.describe()
    let model = try knownModel(of: description.versionHashes)
    var counts: [String: Int64]?
    var layoutError: String?
    if let model {
      do throws(StoreError) {
        counts = try store.objectCounts(store.layout(of: model)).byEntity
      } catch {
        guard error.kind == .layoutMismatch else { throw error }
        layoutError = error.diagnostic.reason ?? error.diagnostic.message
      }
    }
    return StoreReport.Facts(
      description: description, metadata: store.metadata, model: model, counts: counts,
      layoutError: layoutError)
  }

  /// The known model with exactly these hashes, or the one the store keeps inside; a project that
  /// cannot be read knows none, unless it was named.
  private func knownModel(of hashes: [String: [UInt8]]) throws -> Model? {
    var mistakes = Mistakes(diskState: nil)
    let known = ProjectReader(project).project(&mistakes)
    let isNamed = project.migrations != nil || !project.models.isEmpty
    if isNamed { try mistakes.throwIfErrors() }
    if let model = known?.model(withHashes: hashes) { return model }
    // A model guessed from tables has other hashes, and would describe objects wrongly.
    guard let kept = try? ModelFile.read(path: path), kept.versionHashes == hashes else {
      return nil
    }
    return kept
  }

  /// The models of the project and those named besides; none when they cannot be read.
  private var knownModels: [Model] {
    var mistakes = Mistakes(diskState: nil)
    return ProjectReader(project).project(&mistakes).map { Array($0.models.values) } ?? []
  }
}
