internal import ArgumentParser
internal import Passage

/// `migrate convert`: converts models and mapping models of other formats to this project's JSON.
struct ConvertCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Writes models and mapping models of other formats as this project's JSON.",
    discussion: """
      Models are written to Migrations/ in the folder (all versions of a bundle), mapping models \
      to Mappings/. The history names them all, so that the folder is a project that can be run. \
      The models that a mapping model was made for are searched among those given, those of \
      --models and those of the folder; if none fits, the one inside the mapping model is \
      written too. If an existing file differs, nothing is written at all without --force. What \
      cannot be converted exactly is an error; what is left out is reported. Each file names its \
      schema, which is put beside it, in Schemas/, so that an editor completes; a schema that \
      exists is kept without --force.
      """)

  @Argument(
    help: ArgumentHelp(
      "Models (.xcdatamodel, .xcdatamodeld, .mom, .momd, a store) and mapping models "
        + "(.xcmappingmodel, .cdm).",
      valueName: "path"),
    completion: .file(),
    transform: PathText.file)
  var paths: [String]

  @Option(
    help: ArgumentHelp("The project's folder; it is created if missing.", valueName: "dir"),
    completion: .directory,
    transform: PathText.file)
  var output: String

  @Option(
    help: ArgumentHelp(
      "A model that mapping models were made for. May be given several times.", valueName: "path"),
    completion: .file(),
    transform: PathText.file)
  var models: [String] = []

  @Flag(help: "Replace existing files, and add to the history.")
  var force = false

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { false }

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    mistakes.checkOutputFolder(output)
    var conversion = Conversion(into: output, modelPaths: models, &mistakes)
    // Mapping models are read last because they need the models.
    let mappingPaths = paths.filter { XcodeMappingReader.recognizes(path: $0) }
    for path in paths where !mappingPaths.contains(path) {
      conversion.readModels(at: path, &mistakes)
    }
    for path in mappingPaths { conversion.readMapping(at: path, &mistakes) }
    let files = conversion.files(isForced: force, &mistakes)
    try mistakes.throwIfErrors()
    conversion.check()
    let given = try GivenStores(paths + models)
    for file in files where file.state == .written { try given.check(destination: file.path) }
    try ConvertedFile.write(files)
    return ConvertReport(
      folder: output, files: files, policies: conversion.requiredPolicies, notes: conversion.notes
    ).result(command: Self.name)
  }
}
