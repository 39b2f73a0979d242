internal import ArgumentParser
internal import Passage
internal import PassageFiles

/// `migrate create`: creates an empty store of a model.
struct CreateCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Creates an empty store of a model.")

  @Option(
    help: ArgumentHelp(
      "The model: .xcdatamodel, .xcdatamodeld or .momd (or PATH:VERSION), .mom, JSON, or a store.",
      valueName: "path"),
    completion: .file(),
    transform: PathText.file)
  var model: String

  @Option(
    help: ArgumentHelp("Where the store is written.", valueName: "file"), completion: .file(),
    transform: PathText.file)
  var output: String

  @OptionGroup var format: FormatArguments

  var isAnswer: Bool { false }

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes()
    let folder = FileSystem.folder(of: output)
    if let type = StoreTypes.builtIn.type(forDestination: output) {
      mistakes.add(
        Diagnostic(
          "CMD-097",
          "create makes stores in Core Data's layout, and the name is that of another type",
          at: SourceLocation(file: output),
          reason: "a file of this name has the type “\(type.name)”",
          remedy: "name a file that ends with “.sqlite”"))
    } else if let occupied = OccupiedPlace.diagnostic(output) {
      mistakes.add(occupied)
    } else if !FileSystem().isDirectory(folder) {
      mistakes.add(
        NeededFolder.missing(folder, "the destination's folder"))
    }
    var read: ReadModel?
    do throws(Diagnostics) {
      read = try ModelFile.load(path: model)
    } catch {
      mistakes.add(inNamedFiles: error)
    }
    try mistakes.throwIfErrors()
    guard let read else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a model was neither read nor refused"))
    }
    try GivenStores([model]).check(destination: output)
    try DestinationCheck(destination: StoreUnit(path: output)).check(creating: read.model)
    var placing = Diagnostics()
    let layout = try StoreCreator.create(model: read.model, at: output, warnings: &placing)
    let warnings = read.remarks.warnings + layout.unsupported.warnings + placing.warnings
    let tables = layout.tables.count + layout.joinTables.count
    var text = OutputText(Diagnostics(warnings))
    text.append(
      "Created \(output): an empty store of “\(read.model.name)”, "
        + "\(NumberText.count(Int64(layout.entities.count), "entity", "entities")) in "
        + "\(NumberText.count(Int64(tables), "table")).")
    return CommandResult(
      text: text,
      json: .object([
        ("command", .string(Self.name)), ("outcome", .string("created")),
        ("store", .path(output)), ("model", .string(read.model.name)),
        ("entities", .integer(layout.entities.count)), ("tables", .integer(tables)),
        ("warnings", .list(warnings.map(\.json))),
      ]))
  }
}
