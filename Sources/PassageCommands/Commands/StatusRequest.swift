internal import Passage

/// What `migrate status` is asked for.
struct StatusRequest: Equatable {
  /// The subcommand's name.
  static let name = "status"

  /// The store; `nil` for the one the history names.
  var store: String?
  /// The version it should have; `nil` for the newest.
  var to: String?
  var project = ProjectPlaces()

  /// Looks at the store.
  ///
  /// - Throws: ``MigrationError``.
  func result() throws -> CommandResult {
    var mistakes = CallMistakes(diskState: nil)
    let project = ProjectReader(project).project(&mistakes)
    var target: Model?
    var storePath = store
    var adopted: Project?
    if var project {
      storePath = store ?? project.storePath.map(PathText.normalized)
      if let storePath { project = try project.adoptingHashes(ofStoreAt: storePath) }
      adopted = project
      target = self.target(in: project, &mistakes)
      if storePath == nil { mistakes.addUnnamedStore(project) }
    }
    try mistakes.throwIfErrors()
    guard let project = adopted, let target, let storePath else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a project was neither read nor refused"))
    }
    let types = CommandContext.storeTypes
    let metadata =
      try project.metadata(ofForeignStoreAt: storePath, types: types, target: target.name)
      ?? StoreMetadata.read(path: storePath)
    let written = types.type(forDestination: MigrationRequest.defaultOutput(for: storePath))
    return StatusReport(
      storePath: storePath, metadata: metadata, target: target, project: project,
      givenArguments: givenArguments, types: (types.type(ofFileAt: storePath), written)
    ).result(command: Self.name)
  }

  /// The call's other options, which a recommended command needs too.
  private var givenArguments: [String] {
    let options = [
      ("--store", store), ("--migrations", self.project.migrations),
      ("--mappings-dir", self.project.mappingsDir),
    ]
    let given = options.flatMap { name, value in value.map { [name, $0] } ?? [] }
    return given + self.project.models.flatMap { ["--models", $0] }
  }

  private func target(in project: Project, _ mistakes: inout CallMistakes) -> Model? {
    if let to { return MigrationRequest.model(of: to, in: project, &mistakes) }
    if let newest = project.defaultVersionName {
      return MigrationRequest.model(of: newest, in: project, &mistakes)
    }
    let names = project.models.names
    if names.count == 1 { return project.models[names[0]] }
    mistakes.add(
      Diagnostic(
        "CMD-008", "the version that the store should have is not given",
        reason: "there is no history with versions in \(project.migrationsDirectory)",
        remedy: "name a model with --models PATH, and a version with --to VERSION if there are "
          + "several; migrate inspect FILE describes the store by itself"))
    return nil
  }
}
