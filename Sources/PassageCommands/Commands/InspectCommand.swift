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
    switch try InspectedFile(path: path, models: { knownModels }) {
    case .store:
      return StoreReport(try describe()).result(command: Self.name)
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

  private func describe() throws -> StoreReport.Facts {
    let store = try StoreFile.open(path: path)
    let description = try store.describe()
    let (model, source, remarks) = try model(of: description.versionHashes)
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
      description: description, metadata: store.metadata, model: model, modelSource: source,
      remarks: remarks, counts: counts, layoutError: layoutError)
  }

  /// The known model with exactly these hashes, or the model archived in the store, or a guess. If
  /// the project cannot be read, no model is known; that is an error only if it was named.
  private func model(
    of hashes: [String: [UInt8]]
  ) throws -> (model: Model?, source: StoreReport.ModelSource, remarks: [String]) {
    var mistakes = CallMistakes(diskState: nil)
    let known = try ProjectReader(project.places).project(&mistakes)?.adoptingHashes(
      ofStoreAt: path)
    let isNamed = project.migrations != nil || !project.models.isEmpty
    if isNamed { try mistakes.throwIfErrors() }
    if let model = known?.model(withHashes: hashes) {
      return (model, .known, (known?.adoptedHashes ?? []).map { "\($0)" })
    }
    do throws(Diagnostics) {
      let own = try ModelFile.load(path: path)
      let remarks = own.remarks.all.filter { $0.code != "MOD-127" && $0.code != "MOD-024" }
        .map { remark in remark.reason.map { "\(remark.message): \($0)" } ?? remark.message }
      return (own.model, own.isGuessed ? .guessed : .kept, remarks)
    } catch {
      return (nil, .none, error.all.map { "\($0.code): \($0.message)" })
    }
  }

  /// The models of the project and the other named ones; empty if they cannot be read.
  private var knownModels: [Model] {
    var mistakes = CallMistakes(diskState: nil)
    return ProjectReader(project.places).project(&mistakes).map { Array($0.models.values) } ?? []
  }
}
