internal import ArgumentParser
internal import Passage
internal import PassageFleets

/// The options for what becomes of every store of a fleet.
struct FleetWayArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The mapping models, in the order in which they run: names in the mappings folder, or paths.",
      valueName: "A,B"))
  var mappings: NameList?

  @Option(
    help: ArgumentHelp(
      "The version to migrate to; the steps of the history name the mapping models. (default: the "
        + "newest)", valueName: "version"))
  var to: String?

  @OptionGroup(title: "Project") var project: ProjectArguments

  @Flag(help: "Allow an inferred mapping model where none is named.")
  var infer = false

  @OptionGroup(title: "What a store holds besides its objects")
  var companions: CompanionArguments

  /// Adds what is wrong with the names of mapping models and versions before any file is read.
  func checkNames(_ mistakes: inout CallMistakes) {
    MigrationRequest.checkNames(mappings?.names, to: to, &mistakes)
  }

  /// Reads the project and the mapping models.
  ///
  /// - Throws: ``MigrationError`` with every mistake.
  func ways(_ options: MigrationOptions, _ mistakes: inout CallMistakes) throws -> FleetWays {
    var options = options
    companions.apply(to: &options)
    let reader = ProjectReader(project.places)
    let found = reader.project(&mistakes)
    let named = MigrationRequest.mappings(
      named: mappings?.names, to: to, in: found?.mappingFolder ?? reader.mappingFolder, &mistakes)
    if let found, let to { _ = MigrationRequest.model(of: to, in: found, &mistakes) }
    try mistakes.throwIfErrors()
    guard let found else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a project was neither read nor refused"))
    }
    let search = StepSearch(project: found, version: to, isInferring: infer, options: options)
    return FleetWays(
      project: found, wish: named.map { .mappings($0) } ?? .version(search),
      policies: CommandContext.policies, options: options)
  }
}
