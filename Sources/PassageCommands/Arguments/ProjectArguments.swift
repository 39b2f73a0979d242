internal import ArgumentParser

/// The options for the places of the project's files.
struct ProjectArguments: ParsableArguments {
  static let defaultMigrations = "Migrations"
  static let defaultMappings = "Mappings"

  @Option(
    help: ArgumentHelp(
      "The folder with history.json. (default: \(defaultMigrations))", valueName: "dir"),
    completion: .directory,
    transform: PathText.file)
  var migrations: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the mapping models. (default: \(defaultMappings))", valueName: "dir"),
    completion: .directory,
    transform: PathText.file)
  var mappingsDir: String?

  @Option(
    help: ArgumentHelp(
      """
      A further model: .xcdatamodel, .xcdatamodeld or .momd (or PATH:VERSION), .mom, JSON, or a \
      store. May be given several times.
      """, valueName: "path"),
    completion: .file(),
    transform: PathText.fileOrInput)
  var models: [String] = []

  /// What was parsed.
  var places: ProjectPlaces {
    ProjectPlaces(migrations: migrations, mappingsDir: mappingsDir, models: models)
  }
}
