internal import ArgumentParser
internal import Passage

/// `migrate install`: puts a pre-filled store in place if there is no store yet.
struct InstallCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Puts a bundled, pre-filled store in place if none exists yet.",
    discussion: """
      The store, with the contents of its log and its files of external data, is put in place at \
      one instant. If the command is interrupted, either nothing or the whole store is at the \
      destination, and the same command finishes the installation. If several processes start at \
      the same time, one of them installs the store and the others find it there. The pre-filled \
      store is not changed; it may be in use, and in a folder that cannot be written.

      If the history or --models contains the app's model, a pre-filled store of another model \
      is refused (exit status 10, 20 or 22), or migrated during the installation with \
      --mappings, --to or --infer. If there is already a store at the destination, \
      nothing is done and its version is reported: exit status 0.
      """)

  @Option(
    help: ArgumentHelp("The pre-filled store.", valueName: "file"), completion: .file(),
    transform: PathText.file)
  var store: String?

  @Option(
    help: ArgumentHelp("Where the store is installed.", valueName: "file"), completion: .file(),
    transform: PathText.file)
  var output: String?

  @Option(
    help: ArgumentHelp("An older name of --store.", visibility: .hidden), completion: .file(),
    transform: PathText.file)
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Migrate during the installation with these mapping models, in the order in which they run: names in the mappings "
        + "folder, or paths.", valueName: "A,B"))
  var mappings: NameList?

  @Option(
    help: ArgumentHelp(
      "The version the installed store must have; the steps of the history migrate a store of another "
        + "version. (default: the newest, without migrating)", valueName: "version"))
  var to: String?

  @Option(help: ArgumentHelp("An older name of --to.", visibility: .hidden))
  var toVersion: String?

  @Flag(
    help: "Migrate during the installation, with inferred mapping models where none are named.")
  var infer = false

  @Flag(
    help:
      "Give the installed store a new UUID. (default: it keeps that of the bundled store)")
  var newUUID = false

  @OptionGroup(title: "Project") var project: ProjectArguments

  @OptionGroup(title: "What the store holds besides its objects")
  var companions: CompanionArguments

  @OptionGroup(title: "What may be lost") var losses: LossArguments

  @Option(help: "How the progress of a migration is shown on standard error.")
  var progress = ProgressStyle.auto

  @OptionGroup(title: "Log") var log: LogArguments

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { false }
  var logPath: String? { log.path }

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    let call = call(&mistakes)
    let reader = ProjectReader(project.places)
    let project = reader.project(&mistakes)
    let named = self.named(in: project?.mappingFolder ?? reader.mappingFolder, &mistakes)
    var target: Model?
    if let project { target = self.target(call?.version, in: project, named, &mistakes) }
    try mistakes.throwIfErrors()
    guard let project, let call else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a project was neither read nor refused"))
    }
    try GivenStores(self.project.models).check(destination: call.output)
    try CommandContext.log?.check(stores: [call.store, call.output])
    var options = InstallationOptions()
    options.identity = newUUID ? .fresh : .kept
    options.migration.allowed.inference = infer
    companions.apply(to: &options.migration)
    losses.apply(to: &options.migration)
    let installation = StoreInstallation(
      sourcePath: call.store, destinationPath: call.output, target: target,
      models: project.models.all, policies: CommandContext.policies, options: options,
      route: route(to: target, isAsked: call.version != nil || infer, in: project, named))
    let report = try await ForegroundWork(console: console, style: progress)
      .run(installation.start())
    CommandContext.log?.warn(report.warnings)
    return InstallReport(
      report, source: call.store, way: way(of: report, to: target, in: project, named),
      givenArguments: givenArguments
    )
    .result(command: Self.name)
  }

  /// The options with which `run` migrates the store that is at the destination already; `nil` if there is no
  /// way, or none is needed.
  private func way(
    of report: InstallationReport, to target: Model?, in project: Project,
    _ named: [MappingModel]?
  ) -> [String]? {
    guard report.needsMigration == true, let target,
      let hashes = report.versionName.flatMap({ project.models[$0]?.versionHashes }),
      let source = project.model(withHashes: hashes)
    else { return nil }
    if let first = named?.first, let mappings,
      project.models[first.source.value]?.versionHashes == hashes
    {
      return ShellText.words("--mappings", mappings.names.joined(separator: ","))
    }
    if let way = HistoryWay(in: project, from: source, to: target) { return way.words }
    let inferred =
      infer
      ? try? StoreRoute(
        storePath: report.destinationPath, version: target.name, project: project,
        allowsInference: true, options: MigrationOptions()) : nil
    guard let inferred, !inferred.mappings.isEmpty else { return nil }
    return ShellText.words("--to", target.name) + ["--infer"]
  }

  private var givenArguments: [String] {
    let options = [
      ("--migrations", project.migrations), ("--mappings-dir", project.mappingsDir),
    ]
    return options.flatMap { name, value in value.map { ShellText.words(name, $0) } ?? [] }
      + project.models.flatMap { ShellText.words("--models", $0) }
  }

  /// What the call names, whichever names of the options it uses.
  private struct Call {
    var store: String
    var output: String
    var version: String?
  }

  /// In the older form, with `--from` and without `--output`, `--to` is where the store goes.
  private func call(_ mistakes: inout CallMistakes) -> Call? {
    for (name, other) in [
      (store != nil && from != nil, ("--store", "--from")),
      (output != nil && to != nil && toVersion != nil, ("--to", "--to-version")),
    ] where name {
      mistakes.add(
        Diagnostic(
          "CMD-046", "\(other.0) and \(other.1) are both given",
          reason: "\(other.1) is an older name of \(other.0)", remedy: "leave out \(other.1)"))
    }
    let isOlderForm = from != nil && output == nil
    let place = isOlderForm ? to : output
    if store ?? from == nil {
      mistakes.add(
        Diagnostic(
          "CMD-047", "no pre-filled store is named", remedy: "name it with --store FILE"))
    }
    if place == nil {
      mistakes.add(
        Diagnostic(
          "CMD-047", "it is not said where the store is installed",
          remedy: "name the place with --output FILE"))
    }
    guard let source = store ?? from, let place else { return nil }
    return Call(
      store: source, output: place, version: isOlderForm ? toVersion : to ?? toVersion)
  }

  /// The mapping models that `--mappings` names; `nil` if it is not given.
  private func named(
    in folder: MappingFolder, _ mistakes: inout CallMistakes
  ) -> [MappingModel]? {
    mappings.map { MigrationRequest.mappings(named: $0.names, in: folder, &mistakes) }
  }

  /// The app's model; `nil` if it is not known.
  private func target(
    _ version: String?, in project: Project, _ named: [MappingModel]?,
    _ mistakes: inout CallMistakes
  ) -> Model? {
    if let version { return MigrationRequest.model(of: version, in: project, &mistakes) }
    if let last = named?.last {
      return MigrationRequest.model(of: last.destination.value, in: project, &mistakes)
    }
    if let newest = project.defaultVersionName {
      return MigrationRequest.model(of: newest, in: project, &mistakes)
    }
    let names = project.models.names
    return names.count == 1 ? project.models[names[0]] : nil
  }

  /// How a pre-filled store of another model is migrated to the app's model.
  private func route(
    to target: Model?, isAsked: Bool, in project: Project, _ named: [MappingModel]?
  ) -> StoreInstallation.Route {
    if let named { return { _ in named } }
    return { [infer] path in
      // A missing route is reported, whether or not the call named one.
      let route = try StoreRoute(
        storePath: path, version: target?.name, project: project, allowsInference: infer,
        options: MigrationOptions())
      return isAsked ? route.mappings : []
    }
  }
}
