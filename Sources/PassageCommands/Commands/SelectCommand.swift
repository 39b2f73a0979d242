internal import ArgumentParser
internal import Foundation
internal import Passage

/// `migrate select`: selects the objects of a store that satisfy a filter.
struct SelectCommand: PassageCommand, StandardInputCommand {
  static let configuration = CommandConfiguration(
    commandName: "select",
    abstract: "Counts the objects of a store for which a filter holds, or lists their keys.",
    discussion: """
      Use it to try a filter before a run: the filter means the same as in a mapping model. The \
      store is read with the model that --model names, otherwise with the one of --models or the \
      history that has the store's version hashes, otherwise with the one inside the store, \
      otherwise with one guessed from its tables. A store of another type (plain tables, text, XML) \
      is loaded as a migration loads it, into a temporary file that is removed; its keys are those \
      that its objects get in a migration. Nothing else is written, and no values are printed \
      except those of the filter.

      The result is the count; with --format json it is {"count": …, "keys": […]}. Exit status \
      64: there is no such entity; 65: the filter is wrong; 41: the filter cannot be evaluated \
      for an object.
      """)

  @Option(
    help: ArgumentHelp("The store; - for standard input.", valueName: "file"),
    completion: .file(), transform: PathText.fileOrInput)
  var store: String

  @OptionGroup(title: "Standard input") var input: InputArguments

  @Option(help: ArgumentHelp("The entity whose objects are examined.", valueName: "name"))
  var entity: String

  // A predicate may begin with a minus sign.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A predicate about the object: \"pages > 10 AND name BEGINSWITH[c] 'a'\". (default: every object)",
      valueName: "predicate"))
  var filter: String?

  @Flag(help: "Lists the primary keys, one on a line, in ascending order.")
  var keys = false

  @Flag(help: "Includes objects of subentities; a filter of a mapping model does not.")
  var subentities = false

  @Flag(help: "Evaluates the filter in memory, object by object, without SQL.")
  var inMemory = false

  @Flag(
    help: """
      Shows the filter as a tree, the SQL, what is evaluated in memory and why, and the index \
      used; values of the filter are shown.
      """)
  var explain = false

  @Option(
    help: ArgumentHelp(
      "The store's model: .xcdatamodel, .xcdatamodeld (or PATH:VERSION), .mom, .momd or JSON.",
      valueName: "path"),
    completion: .file(),
    transform: PathText.file)
  var model: String?

  @OptionGroup(title: "Project") var project: ProjectArguments

  @OptionGroup var format: FormatArguments

  /// The file name used in locations in the filter.
  private static let filterName = "--filter"

  var inputPaths: [String?] { [store] + project.models }

  mutating func read(from path: String) {
    if store == StandardInput.name { store = path }
    project.read(from: path)
  }

  var texts: [String: String] { filter.map { [Self.filterName: $0] } ?? [:] }

  func perform(_ console: Console) async throws -> CommandResult {
    let (opened, model) = try SelectedStore(
      path: store, modelPath: model, places: project.places
    ).open(console)
    let selection = try selection(of: opened, model)
    if !look.isQuiet, !selection.warnings.isEmpty {
      console.printMessage(
        OutputText(selection.warnings, texts: texts, in: look.messagePalette))
    }
    if explain {
      return SelectionReport(
        try selection.explain(), predicate: selection.predicate, count: try selection.count()
      ).result
    }
    if keys || format.format == .json { return try list(selection, console) }
    return CommandResult(text: OutputText("\(try selection.count())"), json: .null)
  }

  private func selection(of store: OpenStore, _ model: Model) throws -> StoreSelection {
    var options = StoreSelection.Options()
    options.includesSubentities = subentities
    options.isInMemory = inMemory
    options.functions = CommandContext.policies.functions
    try throwIfErrors(options.functions.diagnostics)
    do {
      return try StoreSelection(
        of: store, model: model, entity: entity, filter: filter,
        now: Date().timeIntervalSinceReferenceDate, options: options,
        at: SourceLocation(file: Self.filterName, line: 1, column: 0))
    } catch {
      throw self.model == nil ? error : NamedModel.blamed(for: error, store: self.store)
    }
  }

  private func throwIfErrors(_ diagnostics: Diagnostics) throws {
    if diagnostics.hasErrors { throw diagnostics }
  }

  /// Whoever read the keys has enough of them.
  private struct NobodyReads: Error {}

  /// Prints the keys as they are found, because their number is not limited.
  private func list(_ selection: StoreSelection, _ console: Console) throws -> CommandResult {
    var part = ""
    var isFirst = true
    var isPrinted = false
    if format.format == .json {
      part = "{\"count\": \(try selection.count()), \"keys\": ["
    }
    do {
      try selection.forEachKey { key in
        if format.format == .json {
          part += isFirst ? "\(key)" : ", \(key)"
        } else {
          part += "\(key)\n"
        }
        isFirst = false
        if part.utf8.count >= 1 << 16 {
          console.printPart(part)
          isPrinted = true
          part = ""
          if Console.isOutputClosed { throw NobodyReads() }
        }
      }
    } catch {
      if Console.isOutputClosed {
        return CommandResult(text: OutputText(), json: .null, isPrinted: true)
      }
      guard isPrinted, format.format == .json else { throw error }
      return end(part, with: MigrationError(error, store: store), console)
    }
    if format.format == .json { part += "]}\n" }
    console.printPart(part)
    return CommandResult(text: OutputText(), json: .null, isPrinted: true)
  }

  /// Completes a list that was partly printed: standard output becomes one object that contains the
  /// error.
  private func end(
    _ part: String, with failure: MigrationError, _ console: Console
  ) -> CommandResult {
    let members = ErrorReport(failure, command: Self.name, texts: texts).members
    let rest = members.map { "\(JSONText.string($0.name).rendered()): \($0.value.rendered())" }
    console.printPart("\(part)], \(rest.joined(separator: ", "))}\n")
    return CommandResult(
      text: OutputText(), json: .null, exitStatus: failure.kind.rawValue, isPrinted: true)
  }
}
