internal import ArgumentParser
internal import Passage
internal import PassageFiles

/// `migrate inspect`: describes a store, a model or a mapping model.
struct InspectCommand: PassageCommand, StandardInputCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Describes a store, a model or a mapping model.",
    discussion: """
      A store is described with the model it was written with: a version of the history or of \
      --models with the same version hashes, otherwise the model that Core Data saved in it, \
      otherwise one guessed from its tables. The result says which.
      """)

  @Argument(
    help: ArgumentHelp(
      "A store, .xcdatamodel, .xcdatamodeld (or PATH:VERSION), .mom, .momd (in the same way), "
        + ".xcmappingmodel, .cdm, or this project's JSON; - for a store from standard input."),
    completion: .file(),
    transform: PathText.fileOrInput)
  var path: String

  @OptionGroup(title: "Standard input") var input: InputArguments

  @Flag(
    help: ArgumentHelp(
      "Guess the types of the columns of a file of delimited text or JSON lines, and tell how many "
        + "rows support each guess."
    ))
  var guessTypes = false

  @Option(
    help: ArgumentHelp(
      "With --guess-types: the settings file to write, FILE.store.json beside the file.",
      valueName: "file"),
    completion: .file(extensions: ["json"]), transform: PathText.file)
  var output: String?

  @Flag(help: "With --output: replace a file that differs.")
  var force = false

  @OptionGroup(title: "Project") var project: ProjectArguments

  @OptionGroup var format: FormatArguments

  var inputPaths: [String?] { [path] + project.models }

  mutating func read(from path: String) {
    if self.path == StandardInput.name { self.path = path }
    project.read(from: path)
  }

  func perform(_ console: Console) async throws -> CommandResult {
    if guessTypes { return try guess() }
    guard output == nil, !force else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-085", "--output and --force are given without --guess-types",
          reason: "only guessed types are written", remedy: "add --guess-types"))
    }
    let store = InspectedStore(path: path, places: project.places)
    switch try InspectedFile(path: path, models: { store.knownModels }) {
    case .store:
      return StoreReport(try store.facts()).result(command: Self.name)
    case .mapping(let mapping, let notes):
      return MappingReport(mapping, notes: notes, path: path).result(command: Self.name)
    case .model(let read):
      return ModelReport(read, path: path, versions: versions).result(command: Self.name)
    }
  }

  private func guess() throws -> CommandResult {
    guard
      let kind = GuessedTypes.kinds.first(where: {
        $0.rawValue == CommandContext.storeTypes.type(ofFileAt: path)?.name
      })
    else {
      // What does not exist, or cannot be read, has no type either.
      if !FileSystem.isReadable(path) { _ = try StoreFile.readHeader(path: path) }
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-086", "types can be guessed of delimited text and JSON lines only",
          at: SourceLocation(file: path),
          reason: "the file has no settings for either, and its extension is another",
          remedy: "name a .csv, .tsv or .jsonl file, or write {\"type\": \"delimited\"} or "
            + "{\"type\": \"json-lines\"} into \(TextStoreSettings.path(of: path))"))
    }
    let guessed = try GuessedTypes(path: path, kind: kind, memoryBytes: MemorySize.allowed)
    let report = GuessReport(path: path, guessed: guessed, output: output)
    if let output { try write(report, to: output) }
    return report.result(command: Self.name)
  }

  private func write(_ report: GuessReport, to output: String) throws {
    let beside = TextStoreSettings.path(of: path)
    let existing = try FileSystem().contents(beside)
      .map { JSONText(try JSONParser.parse($0, file: beside)) }
    try GivenStores([path]).check(destination: output)
    var mistakes = CallMistakes()
    let file = ConvertedFile(
      path: output, kind: .settings, name: "settings",
      contents: report.settings(existing).rendered() + "\n"
    ).judged(isForced: force, isNamed: true, &mistakes)
    try mistakes.throwIfErrors()
    if file.state == .written { try file.write() }
  }

  /// The versions of a bundle; `nil` for a file with one model, and if the path names a version.
  private var versions: ModelVersions? {
    guard let versions = try? ModelFile.list(path: path), versions.names.count > 1 else {
      return nil
    }
    return versions
  }
}
