internal import Passage
internal import PassagePlatform

extension Conversion {
  /// The files to write, each with its state: models, mapping models, the history, their schemas.
  ///
  /// - Parameter isForced: whether existing files that differ are replaced.
  mutating func files(isForced: Bool, _ mistakes: inout CallMistakes) -> [ConvertedFile] {
    var files: [ConvertedFile] = []
    for model in models {
      guard let path = modelPath(of: model, &mistakes) else { continue }
      files.append(
        ConvertedFile(
          path: "\(folder)/\(Self.migrations)/\(path)", kind: .model, name: model.name,
          contents: ModelDocument.encode(model, schema: EditorSchema.model.reference)))
    }
    for read in mappings {
      guard let name = ProjectFileName.name(read.mapping.name, &mistakes) else { continue }
      files.append(
        ConvertedFile(
          path: "\(folder)/\(Self.mappings)/\(name).json", kind: .mappingModel,
          name: read.mapping.name,
          contents: MappingDocument.encode(read.mapping, schema: EditorSchema.mapping.reference)))
    }
    ProjectFileName.checkDifferent(files, &mistakes)
    files = files.map { $0.judged(isForced: isForced, &mistakes) }
    if let history = historyFile(isForced: isForced) { files.append(history) }
    return files + schemaFiles(for: files, isForced: isForced)
  }

  /// The schemas that the files name.
  private func schemaFiles(for files: [ConvertedFile], isForced: Bool) -> [ConvertedFile] {
    let kinds = Set(files.map(\.kind))
    var schemas: [EditorSchema] = []
    if kinds.contains(.mappingModel) { schemas.append(.mapping) }
    if kinds.contains(.model) { schemas.append(.model) }
    if kinds.contains(.history) { schemas.append(.history) }
    return schemas.map {
      SchemaFiles.file($0, in: "\(folder)/\($0.folder)", isForced: isForced)
    }
  }

  /// The path of a version's model, relative to the folder of the history: from the history, or
  /// made from the model's name.
  private func modelPath(of model: Model, _ mistakes: inout CallMistakes) -> String? {
    if let version = history.versions.first(where: { $0.name.value == model.name }),
      version.model.value.hasSuffix(".json"), !version.model.value.hasPrefix("/")
    {
      return version.model.value
    }
    return ProjectFileName.model(model.name, &mistakes)
  }

  // MARK: History

  /// The history with the new versions and steps; `nil` if there are none.
  private mutating func historyFile(isForced: Bool) -> ConvertedFile? {
    var history = history
    var added: [String] = []
    for model in models where !history.versions.contains(where: { $0.name.value == model.name }) {
      var unused = CallMistakes()
      guard let path = modelPath(of: model, &unused) else { continue }
      history.versions.append(History.Version(name: model.name, model: path))
      added.append("the version “\(model.name)”")
    }
    for mapping in mappings.map(\.mapping) where mapping.source != mapping.destination {
      let ends = "“\(mapping.source.value)” to “\(mapping.destination.value)”"
      guard
        let position = history.steps.firstIndex(where: {
          $0.from == mapping.source && $0.to == mapping.destination
        })
      else {
        history.steps.append(
          History.Step(
            from: mapping.source.value, to: mapping.destination.value, mappings: [mapping.name]))
        added.append("the step from \(ends)")
        continue
      }
      guard !history.steps[position].mappings.contains(Located(mapping.name)) else { continue }
      history.steps[position].mappings.append(Located(mapping.name))
      added.append("“\(mapping.name)” in the step from \(ends)")
      noteSeveralPasses(history.steps[position], ends: ends)
    }
    guard !added.isEmpty else { return nil }
    var file = ConvertedFile(
      path: "\(folder)/\(Self.migrations)/history.json", kind: .history, name: "history",
      contents: "")
    file.contents = HistoryDocument.encode(history, schema: EditorSchema.history.reference)
    if file.isSame != nil, !isForced {
      file.state = .kept
      noteMissing(added, in: file.path)
    }
    return file
  }

  private mutating func noteSeveralPasses(_ step: History.Step, ends: String) {
    let names = step.mappings.map { "“\($0.value)”" }.joined(separator: ", ")
    note(
      Diagnostic(
        "CMD-033", "several mapping models lead from \(ends): \(names)", severity: .warning,
        reason: "they are passes of one step, and an object that two of them migrate becomes two "
          + "objects",
        remedy: "remove from the history those that do not belong together"))
  }

  private mutating func noteMissing(_ added: [String], in path: String) {
    note(
      Diagnostic(
        "CMD-036", "the history is not changed", severity: .warning,
        at: SourceLocation(file: path), reason: "it lacks \(added.joined(separator: ", "))",
        remedy: "add what it lacks, or let --force add it; existing entries are kept"))
  }
}
