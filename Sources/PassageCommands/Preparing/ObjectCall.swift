internal import Foundation
internal import Passage

/// What a call of `explain` asks about one object.
struct ObjectCall {
  var store: String?
  /// The store from before the migration; `nil` to look forward.
  var source: String?
  var entity: String
  var key: Int64
  var mappings: NameList?
  var version: String?
  var isInferring: Bool
  var places: ProjectPlaces

  /// What is told about the object: what it becomes, or of what it was made and what becomes of that.
  struct Answer {
    var origin: ObjectOrigin?
    var ways: [ObjectWay]
  }

  /// - Throws: ``MigrationError`` and `Diagnostics` with every mistake in the call and its files.
  func answer() throws -> Answer {
    var mistakes = CallMistakes(diskState: nil)
    let project = ProjectReader(places).project(&mistakes)
    if mappings != nil, version != nil {
      mistakes.add(
        Diagnostic(
          "CMD-005", "--mappings and --to are both given",
          reason: "the mapping models themselves say which version they lead to",
          remedy: "give one of the two"))
    }
    let named = mappings.flatMap { list in
      project.map {
        MigrationRequest.mappings(named: list.names, in: $0.mappingFolder, &mistakes)
      }
    }
    let path = store ?? project?.storePath.map(PathText.normalized)
    if project != nil, path == nil {
      mistakes.addUnnamedStore(project)
    }
    try mistakes.throwIfErrors()
    guard let path, let project else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a project was neither read nor refused"))
    }
    let read = source ?? path
    for file in [read, path] { try checkType(ofFileAt: file) }
    let steps = try self.steps(named, project.adoptingHashes(ofStoreAt: read), reading: read)
    let opened = try StoreFile.open(path: read)
    try check(opened, steps[0].source, "the first of the mapping models starts there")
    let explanation = try WayExplanation(
      steps, store: opened, policies: CommandContext.policies,
      now: Date().timeIntervalSinceReferenceDate)
    guard source != nil else {
      return Answer(ways: [try explanation.way(ofEntity: entity, key: key)])
    }
    let made = try StoreFile.open(path: path)
    if steps.count == 1 {
      try check(made, steps[0].destination, "the mapping models lead there from the source")
    }
    let origin = try explanation.origin(ofEntity: entity, key: key, in: made)
    return Answer(
      origin: origin,
      ways: try origin.candidates.compactMap { candidate in
        try candidate.sourceKey.map {
          try explanation.way(ofEntity: candidate.sourceEntity, key: $0)
        }
      })
  }

  /// Refuses a store of another type: what becomes of an object is read in Core Data's layout.
  private func checkType(ofFileAt path: String) throws(MigrationError) {
    guard let type = CommandContext.storeTypes.type(ofFileAt: path) else { return }
    throw MigrationError(
      Diagnostic(
        "CMD-099", "explain tells of objects of Core Data stores only",
        at: SourceLocation(file: path), reason: "it is \(type.title)",
        remedy: "its objects are shown by: migrate select --store \(ShellText.word(path)) "
          + "--entity \(ShellText.word(entity))"))
  }

  private func steps(
    _ named: [MappingModel]?, _ project: Project, reading path: String
  ) throws -> [PlannedStep] {
    var mappings = named ?? []
    if named == nil {
      let search = StepSearch(
        project: project, version: version, isInferring: isInferring, options: MigrationOptions())
      mappings = try search.mappings(ofStoreAt: path).0
    }
    guard !mappings.isEmpty else {
      throw MigrationError(
        Diagnostic(
          "CMD-077", "the store needs no migration, so nothing becomes of its objects",
          at: SourceLocation(file: path),
          remedy: "to see where an object comes from, name the store from before the migration: "
            + "--source FILE"))
    }
    let policies = CommandContext.policies
    let (signatures, found) = policies.signatures(for: mappings.flatMap(\.entityMappings))
    try found.throwIfErrors()
    return try Planner.plan(
      mappings,
      models: project.models.named(mappings.flatMap { [$0.source.value, $0.destination.value] }),
      policies: signatures, functions: policies.functions
    ).steps
  }

  private func check(_ store: OpenStore, _ model: Model, _ reason: String) throws {
    guard
      !Compatibility(recordedHashes: store.metadata.versionHashes, model: model).isCompatible
    else { return }
    throw MigrationError(
      Diagnostic(
        "CMD-078", "the store does not have the version “\(model.name)”",
        at: SourceLocation(file: store.unit.path), reason: reason,
        remedy: "migrate status --store \(ShellText.word(store.unit.path)) tells its version"))
  }
}
