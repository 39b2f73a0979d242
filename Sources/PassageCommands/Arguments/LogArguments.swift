internal import ArgumentParser

/// The option for a log of what the command does.
struct LogArguments: ParsableArguments {
  @Option(
    name: .customLong("log"),
    help: ArgumentHelp(
      "Append what happens to this file, one JSON object on a line: start, plan, passes, progress, "
        + "warnings, and the end with its exit status.", valueName: "file"),
    completion: .file(extensions: ["jsonl", "log"]),
    transform: PathText.file)
  var path: String?
}
