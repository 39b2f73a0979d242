internal import Passage

/// An inferred or drafted mapping model, printed or written.
struct InferReport {
  private let mapping: MappingModel
  private let marks: [DraftMark]

  private let foreignNames: [String]
  private let obstacles: [Diagnostic]

  /// - Parameters:
  ///   - foreignNames: the names of the models that no version of the project's history has.
  ///   - obstacles: why no store of the models can be migrated, whatever the mapping model says.
  init(_ mapping: MappingModel, foreignNames: [String], obstacles: [Diagnostic]) {
    self.mapping = mapping
    self.foreignNames = foreignNames
    self.obstacles = obstacles
    self.marks = mapping.draftMarks
  }

  /// The mapping model with the reference to its schema.
  private var document: JSONText {
    MappingDocument.json(mapping, schema: EditorSchema.mapping.reference)
  }

  /// The contents of a file.
  var contents: String { document.rendered() + "\n" }

  /// What a person must decide, for standard error; `nil` if there is nothing.
  var message: OutputText? {
    let lines = (namesMessage.map { [$0] } ?? []) + obstaclesMessage + marksMessage
    return lines.isEmpty ? nil : OutputText(lines: lines)
  }

  private var namesMessage: String? {
    guard !foreignNames.isEmpty else { return nil }
    let names = foreignNames.map { "“\($0)”" }.joined(separator: " and ")
    return foreignNames.count == 1
      ? "\(names) is the name of a model that no version of a history here has. In a project, “source” and "
        + "“destination” must be the names of versions."
      : "\(names) are the names of models that no version of a history here has. In a project, “source” "
        + "and “destination” must be the names of versions."
  }

  private var obstaclesMessage: [String] {
    guard !obstacles.isEmpty else { return [] }
    return ["plan and run refuse these models:"] + obstacles.map { "  \($0.code)  \($0.message)" }
  }

  private var marksMessage: [String] {
    guard !marks.isEmpty else { return [] }
    let lines = marks.map { "  \($0.place)  \($0.reason.value)" }
    return [
      "\(NumberText.count(Int64(marks.count), "place")) "
        + "\(marks.count == 1 ? "is" : "are") marked as a draft:"
    ] + lines + [
      "Check what is proposed there, then remove the members “draft”; until then, plan and run "
        + "refuse the mapping model (MAP-040)."
    ]
  }

  /// The mapping model on standard output.
  func printed(command: String) -> CommandResult {
    CommandResult(
      text: OutputText(verbatim: document.rendered()),
      json: json(command, [("mappingModel", document)]))
  }

  /// The files that were written.
  func written(_ files: [ConvertedFile], command: String) -> CommandResult {
    let paths = files.filter { $0.state == .written }.map(\.path)
    let text =
      paths.isEmpty
      ? "Every file exists already." : "Wrote \(paths.joined(separator: " and "))."
    return CommandResult(
      text: OutputText(text), json: json(command, [("files", .list(files.map(\.json)))]))
  }

  private func json(
    _ command: String, _ members: [(name: String, value: JSONText)]
  ) -> JSONText {
    .object(
      [
        ("command", .string(command)),
        ("outcome", .string(marks.isEmpty ? "inferred" : "drafted")),
      ] + members + [
        (
          "marks",
          .list(
            marks.map(\.json))
        )
      ])
  }
}

extension DraftMark {
  /// The entity mapping and the property, as in a message.
  var place: String { entityMapping + (property.map { ".\($0)" } ?? "") }

  /// The mark in the result of a command.
  var json: JSONText {
    .shortObject([
      ("entityMapping", .string(entityMapping)), ("property", .optional(property)),
      ("reason", .string(reason.value)),
    ])
  }
}
