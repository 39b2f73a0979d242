internal import ArgumentParser

/// How the result is written to standard output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

/// Asks for the format even where the arguments as a whole cannot be parsed.
enum CommandLineFormat {
  static func isJSON(_ arguments: [String]) -> Bool {
    arguments.contains("--format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == ("--format", "json") }
  }
}

/// The option every command has.
struct FormatArguments: ParsableArguments {
  @Option(help: "How the result is written: text, or one JSON object.")
  var format = OutputFormat.text
}

/// How progress is shown on standard error.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  /// A bar on a terminal, plain lines elsewhere.
  case auto
  case plain
  case json
  case none
}
