internal import Passage

extension MigrationRequest {
  /// Finds everything that a call names.
  ///
  /// - Parameters:
  ///   - destination: the destination that the options name; `nil` for one beside the source.
  ///   - options: the options of the engine.
  ///   - mistakes: the mistakes found in the call so far.
  ///   - rollsBack: whether an interrupted cut-over in place is rolled back first; otherwise
  ///     nothing is written.
  /// - Throws: ``MigrationError`` with every mistake: exit status 64 for the call, 65 for a file.
  static func prepare(
    _ arguments: MigrationArguments, destination: MigrationDestination?, options: MigrationOptions,
    mistakes: CallMistakes, rollsBack: Bool = false
  ) throws -> MigrationRequest {
    var mistakes = mistakes
    var options = options
    arguments.companions.apply(to: &options)
    if options.output.type == nil, let path = arguments.output {
      options.output.type = options.storeTypes.type(forDestination: path)?.name
    }
    let reader = ProjectReader(arguments.project.places)
    let project = reader.project(&mistakes)
    let named = mappings(
      named: arguments.mappings?.names, to: arguments.to,
      in: project?.mappingFolder ?? reader.mappingFolder, &mistakes)
    for name in Set((named ?? []).flatMap { [$0.source.value, $0.destination.value] }).sorted() {
      if project?.models[name] == nil, let unreadable = project?.unreadable[name] {
        mistakes.add(inNamedFiles: unreadable)
      }
    }
    var target: Model?
    if let project, let version = arguments.to {
      target = model(of: version, in: project, &mistakes)
    }
    let storePath = arguments.store ?? project?.storePath.map(PathText.normalized)
    if project != nil, storePath == nil {
      mistakes.addUnnamedStore(project)
    }
    try mistakes.throwIfErrors()
    if rollsBack, let storePath { try InterruptedCutOver.rollBack(storePath: storePath) }
    guard let storePath, let project = try project?.adoptingHashes(ofStoreAt: storePath) else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a project was neither read nor refused"))
    }
    let destination = destination ?? .file(defaultOutput(for: storePath))
    if case .file(let path) = destination {
      // The extension selects what is written, also where the name is not given.
      options.output.type =
        options.output.type ?? CommandContext.storeTypes.type(forDestination: path)?.name
      try GivenStores(arguments.project.models).check(destination: path)
    }
    if arguments.to != nil, let name = target?.name { target = project.models[name] ?? target }
    var mappings = named ?? []
    if named == nil {
      let search = StepSearch(
        project: project, version: arguments.to, isInferring: arguments.infer, options: options)
      (mappings, target) = try search.mappings(ofStoreAt: storePath)
      options.isAnsweredByVersion = true
    }
    options.nameOfOtherModel = { project.model(withHashes: $0)?.name }
    return MigrationRequest(
      project: project, storePath: storePath,
      destination: destination, mappings: mappings,
      target: target, options: options)
  }

  /// The mapping models that `--mappings` names; `nil` if it is not given.
  static func mappings(
    named names: [String]?, to version: String?, in folder: MappingFolder,
    _ mistakes: inout CallMistakes
  ) -> [MappingModel]? {
    guard let names else { return nil }
    refuseVersion(version, &mistakes)
    return mappings(named: names, in: folder, &mistakes)
  }

  /// Adds what is wrong with names of mapping models and a version that the call gives, whatever files there
  /// are.
  static func checkNames(
    _ names: [String]?, to version: String?, _ mistakes: inout CallMistakes
  ) {
    guard let names else { return }
    refuseVersion(version, &mistakes)
    _ = areNames(names, &mistakes)
  }

  /// Refuses a version beside names of mapping models.
  private static func refuseVersion(_ version: String?, _ mistakes: inout CallMistakes) {
    guard version != nil else { return }
    mistakes.add(
      Diagnostic(
        "CMD-005", "--mappings and --to are both given",
        reason: "the mapping models themselves say which version they lead to",
        remedy: "give one of the two"))
  }

  private static func areNames(_ names: [String], _ mistakes: inout CallMistakes) -> Bool {
    guard names.contains(where: \.trimmingSpaces.isEmpty) else { return true }
    mistakes.add(
      Diagnostic(
        "CMD-006", "--mappings has an empty name",
        remedy: "separate names with one comma: --mappings StepOne,StepTwo"))
    return false
  }

  /// The mapping models for a list of names or paths; empty if one of them is wrong.
  static func mappings(
    named names: [String], in folder: MappingFolder, _ mistakes: inout CallMistakes
  ) -> [MappingModel] {
    guard areNames(names, &mistakes) else { return [] }
    do {
      return try folder.mappingModels(named: names)
    } catch {
      mistakes.add(inNamedFiles: error)
      return []
    }
  }

  /// The model of a version that the command line names.
  static func model(
    of version: String, in project: Project, _ mistakes: inout CallMistakes
  ) -> Model? {
    if let model = project.models[version] { return model }
    if let unreadable = project.unreadable[version] {
      mistakes.add(inNamedFiles: unreadable)
      return nil
    }
    let known = project.models.names
    mistakes.add(
      Diagnostic(
        "CMD-007", "there is no version “\(version)”",
        remedy: known.isEmpty
          ? "name the folder with history.json (--migrations DIR)"
          : correction(of: version, among: known)))
    return nil
  }
}
