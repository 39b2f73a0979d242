internal import ArgumentParser
internal import PassageFiles

/// The options for a store that comes through standard input.
struct InputArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The type of the store that comes through standard input (- as the store): delimited, "
        + "keyed, json-lines, xml, tables, or a file extension such as csv.", valueName: "type"))
  var storeType: String?

  @Option(
    help: ArgumentHelp(
      "The settings of delimited text, keyed records or JSON lines from standard input (- as the "
        + "store).",
      valueName: "file"),
    completion: .file(extensions: ["json"]), transform: PathText.file)
  var storeSettings: String?
}

extension ProjectArguments {
  /// Puts a file in the place of `-` among the models.
  mutating func read(from path: String) {
    models = models.map { $0 == StandardInputReader.name ? path : $0 }
  }
}
