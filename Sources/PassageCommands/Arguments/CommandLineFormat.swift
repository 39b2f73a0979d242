internal import ArgumentParser
internal import Passage

/// How the result is written to standard output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

/// Finds the requested format even if the arguments cannot be parsed.
enum CommandLineFormat {
  static func isJSON(_ arguments: [String]) -> Bool {
    arguments.contains("--format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == ("--format", "json") }
  }
}

/// A size of memory: `512M`, `2G`, or a number of bytes.
struct MemoryAmount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    guard let bytes = MemorySize.bytes(argument) else { return nil }
    self.bytes = bytes
  }
}

/// The memory for a migration's work: like ``MemoryAmount``, or 0 for none.
struct WorkMemoryAmount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    guard let bytes = argument == "0" ? 0 : MemorySize.bytes(argument) else { return nil }
    self.bytes = bytes
  }
}

/// The options of every command.
struct FormatArguments: ParsableArguments {
  @Option(help: "How the result is written: text, or one JSON object.")
  var format = OutputFormat.text

  @Option(
    help: ArgumentHelp(
      "How much memory reading an XML store may use, such as 512M or 2G. (default: "
        + "\(MemorySize.text(MemorySize.standard)))", valueName: "size"))
  var memory: MemoryAmount?

  @OptionGroup var output: LookArguments
}

/// How progress is shown on standard error.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  /// A bar on a terminal, plain lines elsewhere.
  case auto
  case plain
  case json
  case none
}
