internal import ArgumentParser

/// The option for a page about what the command did.
struct ReportArguments: ParsableArguments {
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a page about it, also when it fails: one HTML file that loads nothing. A page of an "
        + "earlier call is replaced.", valueName: "file.html"),
    completion: .file(extensions: ["html"]),
    transform: PathText.file)
  var path: String?
}
