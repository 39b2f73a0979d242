internal import ArgumentParser
internal import Passage
internal import PassagePlatform

/// `migrate init`: makes a project of models.
struct InitCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Makes a project of models: history, mapping models, and on request a package.",
    discussion: """
      The models are the versions, oldest first; a bundle (.xcdatamodeld, .momd) gives all of its \
      versions in their order. For each step from a version to the next there is a mapping model: \
      what can be inferred is, and everything else is proposed and marked by a member "draft" with \
      the reason. plan and run refuse a mapping model until its marks are removed.

      The models are written as this project's JSON, or with --reference named where they are. \
      Schemas are put beside the files, so that an editor completes. With --package there is a Swift \
      package too: a policy, app-migrate (a migrate that knows it), and tests.

      If an existing file differs, nothing is written at all without --force. If a file cannot be \
      written, those before it are taken back.
      """)

  @Argument(
    help: ArgumentHelp(
      "The models, oldest first: .xcdatamodeld, .momd, .xcdatamodel, .mom, JSON, or a store.",
      valueName: "path"),
    completion: .file(),
    transform: PathText.file)
  var paths: [String]

  @Option(
    help: ArgumentHelp("The project's folder; it is created if missing.", valueName: "dir"),
    completion: .directory,
    transform: PathText.file)
  var output: String = "."

  @Option(
    help: ArgumentHelp(
      "The store that is migrated when a call names none; the history names it.",
      valueName: "file"),
    completion: .file(),
    transform: PathText.file)
  var store: String?

  @Flag(help: "Name the models where they are, instead of writing them as JSON.")
  var reference = false

  @Flag(help: "Make a Swift package too, with a policy, a migrate of your own and tests.")
  var package = false

  @Option(
    help: ArgumentHelp(
      "Where the package finds Passage: the URL of its repository, or the folder of a copy.",
      valueName: "url-or-dir"))
  var dependency: String?

  @Flag(help: "Replace existing files.")
  var force = false

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { false }

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    checkPlaces(&mistakes)
    let place = dependency(&mistakes)
    var project = NewProject(
      in: output, modelsAt: paths, isReferencing: reference, &mistakes)
    try mistakes.throwIfErrors()
    let made = place.flatMap { newPackage(of: project, dependingOn: $0, &mistakes) }
    if let made { project.name(made.policy) }
    let files = project.files(
      store: store, sources: made?.files ?? [], isForced: force, &mistakes)
    try mistakes.throwIfErrors()
    let given = try GivenStores(paths + [store].compactMap(\.self))
    for file in files where file.state == .written { try given.check(destination: file.path) }
    var set = FileSet(files)
    try set.write()
    var notes = project.notes
    notes.append(contentsOf: missingStore)
    return InitReport(
      folder: output, versionNames: project.versions.models.map(\.name), steps: project.steps,
      files: files, notes: notes, hasStore: store != nil && missingStore.all.isEmpty,
      policy: made.map { ($0.policy, project.steps[$0.policy.step]) }
    ).result(command: Self.name)
  }

  /// Refuses a folder that cannot be one, and a store that is a folder or has no name, which a later
  /// command would find.
  private func checkPlaces(_ mistakes: inout CallMistakes) {
    mistakes.checkOutputFolder(output)
    if let store, store.isEmpty || CallMistakes.isFolder(store) == true {
      mistakes.add(
        Diagnostic(
          "CMD-095", "--store does not name a file", at: SourceLocation(file: store),
          remedy: "name the store's file, or leave --store out"))
    }
  }

  /// Where the package finds Passage; `nil` without a package, or with a mistake.
  private func dependency(_ mistakes: inout CallMistakes) -> NewPackage.Dependency? {
    switch (package, dependency) {
    case (false, nil): return nil
    case (true, nil):
      mistakes.add(
        Diagnostic(
          "CMD-091", "--package does not say where the package finds Passage",
          remedy: "add --dependency with the URL of Passage's repository, or the folder of a copy"))
      return nil
    case (false, _?):
      mistakes.add(
        Diagnostic(
          "CMD-090", "--dependency is given without --package",
          reason: "a project without a package has no code that could depend on anything",
          remedy: "leave it out, or add --package"))
      return nil
    case (true, let place?):
      return NewPackage.Dependency(place, from: output, &mistakes)
    }
  }

  /// The package; `nil`, with a mistake, if there cannot be one.
  private func newPackage(
    of project: NewProject, dependingOn place: NewPackage.Dependency,
    _ mistakes: inout CallMistakes
  ) -> NewPackage? {
    guard let policy = NewPolicy(among: project.steps.map(\.mapping)) else {
      mistakes.add(
        Diagnostic(
          "CMD-092", "there is nothing that a policy could do",
          reason: project.steps.isEmpty
            ? "a policy takes part in a step, and one version has none"
            : "no objects of one version become objects of the next",
          remedy: "leave out --package and --dependency"))
      return nil
    }
    let step = project.steps[policy.step]
    var unused = CallMistakes()
    let paths = project.modelPaths(&unused)
    guard let source = paths[step.mapping.source.value],
      let destination = paths[step.mapping.destination.value]
    else { return nil }
    return NewPackage(
      folder: output, dependency: place, policy: policy, mapping: step.mapping,
      mappingFile: PathText.path(step.path, fromFolder: output),
      sourceModel: source, destinationModel: destination)
  }

  private var missingStore: Diagnostics {
    guard let store, !FileManager.default.fileExists(atPath: store) else { return Diagnostics() }
    return Diagnostics([
      Diagnostic(
        "CMD-093", "the history names a store that does not exist", severity: .warning,
        at: SourceLocation(file: store),
        remedy: "put the store there, or correct its path in history.json")
    ])
  }
}
