internal import Passage
internal import PassagePlatform

/// A project that is to be made of models: a history, a mapping model for each step from one version
/// to the next, and, if that is asked for, a package of Swift code.
struct NewProject {
  /// A step from a version to the next.
  struct Step {
    /// The path of its mapping model.
    let path: String
    var mapping: MappingModel
    var marks: [DraftMark] { mapping.draftMarks }
  }

  /// The folder that will contain `Migrations/` and `Mappings/`.
  let folder: String
  /// Whether the history names the models where they are.
  let isReferencing: Bool
  private(set) var versions = ReadVersions()
  private(set) var steps: [Step] = []
  private(set) var notes = Diagnostics()

  private var migrations: String { "\(folder)/\(ProjectArguments.defaultMigrations)" }
  private var mappings: String { "\(folder)/\(ProjectArguments.defaultMappings)" }

  /// - Parameters:
  ///   - folder: the project's folder; it need not exist.
  ///   - paths: the models, oldest first; a bundle gives all of its versions.
  init(
    in folder: String, modelsAt paths: [String], isReferencing: Bool,
    _ mistakes: inout CallMistakes
  ) {
    self.folder = folder
    self.isReferencing = isReferencing
    for path in paths { versions.read(at: path, isWritten: !isReferencing, &notes, &mistakes) }
    for (source, destination) in zip(versions.models, versions.models.dropFirst()) {
      let name = "\(source.name) to \(destination.name)"
      guard let file = ProjectFileName.name(name, &mistakes) else { continue }
      // A draft without marks is what would be inferred.
      var mapping = InferredMapping.draft(from: source, to: destination)
      mapping.name = name
      notes.append(contentsOf: mapping.remarks)
      steps.append(
        Step(path: PathText.normalized("\(mappings)/\(file).json"), mapping: mapping))
    }
  }

  /// Lets an entity mapping of a step call a policy.
  mutating func name(_ policy: NewPolicy) {
    steps[policy.step].mapping = policy.named(in: steps[policy.step].mapping)
  }

  /// How files in the folder of the history name a file of the call.
  private func path(fromHistory path: String) -> String {
    PathText.path(path, fromFolder: migrations)
  }

  /// The model's path as the history names it; `nil`, with a mistake, if it cannot be one.
  private func modelPath(_ position: Int, _ mistakes: inout CallMistakes) -> String? {
    isReferencing
      ? path(fromHistory: versions.places[position])
      : ProjectFileName.model(versions.models[position].name, &mistakes)
  }

  /// The history's paths of the models, by version.
  func modelPaths(_ mistakes: inout CallMistakes) -> [String: String] {
    var paths: [String: String] = [:]
    for (position, model) in versions.models.enumerated() {
      paths[model.name] = modelPath(position, &mistakes)
    }
    return paths
  }

  /// The files, each with its state: models, mapping models, the history, their schemas, and those of
  /// a package.
  ///
  /// - Parameters:
  ///   - store: the store that the history names; `nil` for none.
  ///   - isForced: whether existing files that differ are replaced.
  func files(
    store: String?, sources: [ConvertedFile], isForced: Bool, _ mistakes: inout CallMistakes
  ) -> [ConvertedFile] {
    var history = History(
      store: store.map(path(fromHistory:)), versions: [],
      steps: steps.map {
        History.Step(
          from: $0.mapping.source.value, to: $0.mapping.destination.value,
          mappings: [$0.mapping.name])
      })
    var files: [ConvertedFile] = []
    let paths = modelPaths(&mistakes)
    for model in versions.models {
      guard let path = paths[model.name] else { continue }
      history.versions.append(History.Version(name: model.name, model: path))
      guard !isReferencing else { continue }
      files.append(
        ConvertedFile(
          path: "\(migrations)/\(path)", kind: .model, name: model.name,
          contents: ModelDocument.encode(model, schema: EditorSchema.model.reference)))
    }
    files += steps.map {
      ConvertedFile(
        path: $0.path, kind: .mappingModel, name: $0.mapping.name,
        contents: MappingDocument.encode($0.mapping, schema: EditorSchema.mapping.reference))
    }
    files.append(
      ConvertedFile(
        path: "\(migrations)/history.json", kind: .history, name: "history",
        contents: HistoryDocument.encode(history, schema: EditorSchema.history.reference)))
    files += sources
    ProjectFileName.checkDifferent(files, &mistakes)
    let judged = files.map { file in
      var file = file
      file.path = PathText.normalized(file.path)
      return file.judged(isForced: isForced, &mistakes)
    }
    return judged + schemas(isForced: isForced)
  }

  /// The schemas that the files name.
  private func schemas(isForced: Bool) -> [ConvertedFile] {
    var schemas: [EditorSchema] = [.history]
    if !isReferencing { schemas.insert(.model, at: 0) }
    if !steps.isEmpty { schemas.insert(.mapping, at: 0) }
    return schemas.map {
      SchemaFiles.file($0, in: PathText.normalized("\(folder)/\($0.folder)"), isForced: isForced)
    }
  }
}
