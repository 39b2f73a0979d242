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
      is then 22.
      """)

  @Option(
    help: ArgumentHelp(
      "The model to migrate from: .xcdatamodel, .xcdatamodeld (or PATH:VERSION) or JSON.",
      valueName: "path"),
    completion: .file(),
    transform: PathText.normalized)
  var from: String

  @Option(
    help: ArgumentHelp("The model to migrate to, of the same kinds.", valueName: "path"),
    completion: .file(),
    transform: PathText.normalized)
  var to: String

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    let source = model(from, &mistakes)
    let destination = model(to, &mistakes)
    try mistakes.throwIfErrors()
    guard let source, let destination else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a model was neither read nor refused"))
    }
    let mapping: MappingModel
    do throws(Diagnostics) {
      mapping = try InferredMapping.infer(from: source, to: destination)
    } catch {
      throw MigrationError(.noMapping, error, diskState: "nothing was written")
    }
    let document = MappingDocument.json(mapping)
    return CommandResult(
      text: document.rendered(),
      json: .object([
        ("command", .string(Self.name)), ("outcome", .string("inferred")),
        ("mappingModel", document),
      ]))
  }

  private func model(_ path: String, _ mistakes: inout CallMistakes) -> Model? {
    do throws(Diagnostics) {
      return try ModelFile.read(path: path)
    } catch {
      mistakes.add(inNamedFiles: error)
      return nil
    }
  }
}
