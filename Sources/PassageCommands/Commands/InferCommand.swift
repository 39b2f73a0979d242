internal import ArgumentParser
internal import Passage
internal import PassageMappings

/// `migrate infer`: prints the inferred mapping model of two models, for editing.
struct InferCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Prints the inferred mapping model of two models, as JSON to edit.",
    discussion: """
      What cannot be inferred is listed property by property, with the reason; the exit status \
      is then 22. With --draft the mapping model has a proposal at each of these places, marked \
      by a member "draft" with the reason; plan and run refuse it until the marks are removed.

      The mapping model names the versions of the project's history that have the two models. For \
      other models it has their own names, and what is printed says so.

      --output writes a file, and the schemas beside it, in Schemas/, from which an editor \
      completes. What is printed names the schema by the same path; for a file in Mappings/ of a \
      project, migrate schema --output DIR writes it.
      """)

  @Option(
    help: ArgumentHelp(
      """
      The model to migrate from: .xcdatamodel, .xcdatamodeld or .momd (or PATH:VERSION), .mom, \
      JSON, or a store.
      """, valueName: "path"),
    completion: .file(),
    transform: PathText.file)
  var from: String

  @Option(
    help: ArgumentHelp("The model to migrate to, of the same kinds.", valueName: "path"),
    completion: .file(),
    transform: PathText.file)
  var to: String

  @Flag(help: "Propose what cannot be inferred, marked with the reason.")
  var draft = false

  @Option(
    help: ArgumentHelp(
      "The file to write; the mapping model has its name. Standard output by default.",
      valueName: "file"),
    completion: .file(extensions: ["json"]),
    transform: PathText.file)
  var output: String?

  @Flag(help: "Replace an existing file.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "The folder with history.json. (default: \(ProjectArguments.defaultMigrations))",
      valueName: "dir"),
    completion: .directory,
    transform: PathText.file)
  var migrations: String?

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { output == nil }

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    let versions = VersionNames(folder: migrations ?? ProjectArguments.defaultMigrations)
    let source = model(from, of: "--from", versions, &mistakes)
    let destination = model(to, of: "--to", versions, &mistakes)
    try mistakes.throwIfErrors()
    guard var source, var destination else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a model was neither read nor refused"))
    }
    let names = (versions.name(of: source, at: from), versions.name(of: destination, at: to))
    source.name = names.0 ?? source.name
    destination.name = names.1 ?? destination.name
    var mapping = try mapping(from: source, to: destination)
    if let output { mapping.name = Self.name(ofFile: output) }
    let report = InferReport(
      mapping,
      foreignNames: [(names.0, source), (names.1, destination)].filter { $0.0 == nil }
        .map(\.1.name),
      obstacles: source.unreadableAttributes.errors
        + StoreLayout(model: destination).unsupported.errors)
    let files = try output.map { try written(report, to: $0, name: mapping.name) }
    if format.format == .text, let message = report.message { console.printMessage(message) }
    return files.map { report.written($0, command: Self.name) }
      ?? report.printed(command: Self.name)
  }

  private func mapping(
    from source: Model, to destination: Model
  ) throws(MigrationError) -> MappingModel {
    if draft { return InferredMapping.draft(from: source, to: destination) }
    do throws(Diagnostics) {
      return try InferredMapping.infer(from: source, to: destination)
    } catch {
      var found = error
      found.append(
        Diagnostic(
          "INF-102", "a draft has a proposal at each of these places", severity: .note,
          remedy: "add --draft to this command"))
      throw MigrationError(.noMapping, found, diskState: "nothing was written")
    }
  }

  /// A mapping model is requested by its file's name.
  private static func name(ofFile path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".json") ? String(name.dropLast(5)) : name
  }

  /// Writes the mapping model, and its schema beside it.
  private func written(
    _ report: InferReport, to path: String, name: String
  ) throws -> [ConvertedFile] {
    var mistakes = CallMistakes()
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let file = ConvertedFile(
      path: path, kind: .mappingModel, name: name, contents: report.contents
    ).judged(isForced: force, isNamed: true, &mistakes)
    try mistakes.throwIfErrors()
    let files = [file, SchemaFiles.file(.mapping, in: folder, isForced: force)]
    let given = try GivenStores([from, to])
    for file in files where file.state == .written { try given.check(destination: file.path) }
    try ConvertedFile.write(files)
    return files
  }

  private func model(
    _ path: String, of option: String, _ versions: VersionNames, _ mistakes: inout CallMistakes
  ) -> Model? {
    do throws(Diagnostics) {
      return try ModelFile.read(path: path)
    } catch {
      var found = error
      // Other commands take the name of a version after --to.
      if var missing = found.all.first, missing.code == "MOD-100",
        let file = versions.path(ofModelOf: path)
      {
        missing.remedy =
          "give the model of that version of the history: \(option) \(file.shellQuoted)"
        found = Diagnostics([missing])
      }
      mistakes.add(inNamedFiles: found)
      return nil
    }
  }
}
