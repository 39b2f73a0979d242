internal import ArgumentParser
internal import Passage

/// `migrate schema`: prints or writes the JSON Schemas from which editors complete.
struct SchemaCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints or writes the JSON Schemas from which editors complete and check files.",
    discussion: """
      Without --output one schema is printed: that of mapping models, or the one named. With \
      --output all of them are written into a project's folder: Mappings/Schemas/ and \
      Migrations/Schemas/. A file names its schema in the member "$schema".

      With --for the schema of mapping models knows the entities, attributes and relationships \
      of two models, so that an editor completes their names: the source model, a comma, the \
      destination model. With --output it is written to Mappings/Schemas/ under the models' \
      names.
      """)

  @Argument(help: "The schema to print: mapping, model, history or store.")
  var kind: EditorSchema?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "The source and the destination model, or one model for both.", valueName: "model,model"),
    completion: .file())
  var models: String?

  @Option(
    help: ArgumentHelp("The project's folder; it is created if missing.", valueName: "dir"),
    completion: .directory,
    transform: PathText.file)
  var output: String?

  @Flag(help: "Replace schemas that differ.")
  var force = false

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { output == nil }

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    if let output { mistakes.checkOutputFolder(output) }
    try mistakes.throwIfErrors()
    guard let models else {
      guard let output else { return try printed(kind ?? .mapping) }
      let kinds = kind.map { [$0] } ?? EditorSchema.allCases
      return try write(
        kinds.map {
          SchemaFiles.file($0, in: "\(output)/\($0.folder)", isForced: force)
        }, to: output)
    }
    let (source, destination) = try named(models)
    let schema = try NamedMappingSchema(from: source, to: destination).json()
    let text = schema.rendered()
    guard let output else { return printed(text, schema) }
    let name = try fileName(source, destination)
    let file = SchemaFiles.file(
      at: "\(output)/\(EditorSchema.mapping.folder)/Schemas/\(name)", name: name,
      contents: text + "\n",
      isForced: force)
    return try write([file], to: output)
  }

  // MARK: Models

  /// The models of `--for`.
  private func named(_ text: String) throws(MigrationError) -> (source: Model, destination: Model) {
    var mistakes = CallMistakes()
    let paths = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if let kind, kind != .mapping {
      mistakes.add(
        Diagnostic(
          "CMD-041", "--for is given for the schema “\(kind.rawValue)”",
          reason: "only the schema of mapping models has names of a model",
          remedy: "leave out “\(kind.rawValue)”"))
    }
    if paths.count > 2 || paths.contains("") {
      mistakes.add(
        Diagnostic(
          "CMD-042", "--for takes one model, or two with one comma between them",
          remedy: "write --for SOURCE,DESTINATION"))
    }
    try mistakes.throwIfErrors()
    var models: [Model] = []
    for path in paths {
      do throws(Diagnostics) {
        models.append(try ModelFile.read(path: PathText.normalized(path)))
      } catch {
        mistakes.add(inNamedFiles: error)
      }
    }
    try mistakes.throwIfErrors()
    guard let source = models.first, let destination = models.last else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a model was neither read nor refused"))
    }
    return (source, destination)
  }

  private func fileName(_ source: Model, _ destination: Model) throws(MigrationError) -> String {
    let ends = source.name == destination.name ? [source.name] : [source.name, destination.name]
    guard !ends.contains(where: { $0.contains("/") || $0.contains("\0") }) else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-032", "a file cannot be named “\(ends.joined(separator: " to "))”",
          reason: "the schema's file has the names of the models",
          remedy: "leave out --output, and redirect the standard output into a file"),
        diskState: "nothing was written")
    }
    return "\(ends.joined(separator: " to ")).schema.json"
  }

  // MARK: Results

  private func printed(_ kind: EditorSchema) throws(MigrationError) -> CommandResult {
    let schema: JSONNode
    do throws(Diagnostic) {
      schema = try JSONParser.parse(Array(kind.text.utf8), file: "schema")
    } catch {
      throw MigrationError(.bug, error)
    }
    return printed(kind.text, JSONText(schema))
  }

  private func printed(_ text: String, _ schema: JSONText) -> CommandResult {
    CommandResult(
      text: OutputText(verbatim: text.hasSuffix("\n") ? String(text.dropLast()) : text),
      json: .object([
        ("command", .string(Self.name)), ("outcome", .string("printed")), ("schema", schema),
      ]))
  }

  private func write(_ files: [ConvertedFile], to folder: String) throws -> CommandResult {
    try ConvertedFile.write(files)
    let report = ConvertReport(folder: folder, files: files, policies: [], notes: Diagnostics())
    return report.result(command: Self.name, outcome: "written")
  }
}

extension EditorSchema: ExpressibleByArgument {}
