internal import ArgumentParser
internal import Passage
internal import PassageFiles
internal import PassageReports

/// `migrate diagram`: draws a model, a mapping model, a history or a store.
struct DiagramCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draws a model, a mapping model, a history or the model of a store.",
    discussion: """
      A model is drawn with its entities, properties, inheritance and relationships; that of a \
      store with the number of objects. A mapping model is drawn with what leads from source to \
      destination entities, a history with its versions and the steps between them. The drawing \
      is printed, or written to --output.
      """)

  @Argument(
    help: ArgumentHelp(
      "A model or a mapping model of any kind that inspect reads, a store, a history.json or the "
        + "folder that contains it."),
    completion: .file(),
    transform: PathText.file)
  var path: String

  @Option(
    help: ArgumentHelp(
      "The language: svg, mermaid, dot or json. (default: what the output's extension says, "
        + "otherwise svg)", valueName: "format"))
  var format: DiagramFormat?

  @Option(
    help: ArgumentHelp("The file to write. Standard output by default.", valueName: "file"),
    completion: .file(extensions: ["svg", "mmd", "dot"]),
    transform: PathText.file)
  var output: String?

  @Flag(help: "Replace a file that differs.")
  var force = false

  @OptionGroup(title: "Project") var project: ProjectArguments

  @Option(
    help: ArgumentHelp(
      "How much memory reading an XML store may use, such as 512M or 2G. (default: "
        + "\(MemorySize.text(MemorySize.standard)))", valueName: "size"))
  var memory: MemoryAmount?

  @OptionGroup var print: LookArguments

  var look: OutputLook { print.look }
  var answerFormat: OutputFormat { format == .json ? .json : .text }
  var memoryBytes: Int? { memory?.bytes }
  var isAnswer: Bool { output == nil }

  private var language: DiagramFormat {
    format ?? output.map(DiagramFormat.init(fileName:)) ?? .svg
  }

  func perform(_ console: Console) async throws -> CommandResult {
    let diagram = try DrawnFile(path: path, places: project.places).diagram()
    let text =
      switch language {
      case .svg: diagram.svg
      case .mermaid: diagram.mermaid
      case .dot: diagram.dot
      case .json: diagram.json.rendered() + "\n"
      }
    guard let output else {
      // The result is ended by one line break.
      let members = JSONText.object([("command", .string(Self.name))] + diagram.members)
      return CommandResult(text: OutputText(verbatim: String(text.dropLast())), json: members)
    }
    var mistakes = CallMistakes()
    let wanted = ConvertedFile(
      path: output, kind: .diagram, name: diagram.title, contents: text)
    if wanted.isSame != true { try checkOverlap(with: output) }
    let file = wanted.judged(isForced: force, isNamed: true, &mistakes)
    try mistakes.throwIfErrors()
    if file.state == .written { try file.write() }
    return CommandResult(
      text: OutputText("\(output): \(diagram.title)"),
      json: .object([
        ("command", .string(Self.name)), ("outcome", .string("written")), ("file", file.json),
      ]))
  }
}

extension DiagramCommand {
  /// Refuses to replace what is drawn, or a model that the call names.
  private func checkOverlap(with output: String) throws(MigrationError) {
    let written = StoreUnit(path: output)
    for given in [path, path + "/history.json"] + project.models {
      let overlap = Result { () throws(FileSystem.Failure) in
        try StoreOverlap(writing: written, reading: StoreUnit(path: given), files: FileSystem())
      }
      if case .success(nil) = overlap { continue }
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-060", "the drawing would replace what is drawn", at: SourceLocation(file: output),
          reason: "it belongs to \(given)", remedy: "name another file"),
        diskState: "nothing was written")
    }
  }
}

extension Diagram {
  /// The diagram as the members of a JSON object.
  fileprivate var members: [(name: String, value: JSONText)] {
    [
      ("title", .string(title)),
      (
        "nodes",
        .list(
          nodes.map { node in
            .shortObject([
              ("kind", .string(node.kind.rawValue)), ("name", .string(node.name)),
              ("note", .optional(node.note)),
              (
                "rows",
                .shortList(
                  node.rows.map {
                    .shortObject([("name", .string($0.name)), ("text", .string($0.text))])
                  })
              ),
            ])
          })
      ),
      (
        "edges",
        .list(
          edges.map { edge in
            .shortObject([
              ("kind", .string(edge.kind.rawValue)), ("from", .integer(Int64(edge.from))),
              ("to", .integer(Int64(edge.to))), ("label", .string(edge.label)),
            ])
          })
      ),
    ]
  }

  fileprivate var json: JSONText { .object(members) }
}
