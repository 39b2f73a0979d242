internal import Passage

/// An inferred or drafted mapping model, printed or written.
struct InferReport {
  private let mapping: MappingModel
  private let marks: [DraftMark]

  init(_ mapping: MappingModel) {
    self.mapping = mapping
    self.marks = mapping.draftMarks
  }

  /// The mapping model with the reference to its schema.
  private var document: JSONText {
    MappingDocument.json(mapping, schema: EditorSchema.mapping.reference)
  }

  /// The contents of a file.
  var contents: String { document.rendered() + "\n" }

  /// What a person must decide, for standard error; `nil` if there is nothing.
  var message: String? {
    guard !marks.isEmpty else { return nil }
    let lines = marks.map { "  \($0.place)  \($0.reason.value)" }
    return
      ([
        "\(NumberText.count(Int64(marks.count), "place")) "
          + "\(marks.count == 1 ? "is" : "are") marked as a draft:"
      ] + lines + [
        "Check what is proposed there, then remove the members “draft”; until then, plan and run "
          + "refuse the mapping model (MAP-040)."
      ]).joined(separator: "\n")
  }

  /// The mapping model on standard output.
  func printed(command: String) -> CommandResult {
    CommandResult(text: document.rendered(), json: json(command, [("mappingModel", document)]))
  }

  /// The files that were written.
  func written(_ files: [ConvertedFile], command: String) -> CommandResult {
    let paths = files.filter { $0.state == .written }.map(\.path)
    let text =
      paths.isEmpty
      ? "Every file exists already." : "Wrote \(paths.joined(separator: " and "))."
    return CommandResult(text: text, json: json(command, [("files", .list(files.map(\.json)))]))
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
