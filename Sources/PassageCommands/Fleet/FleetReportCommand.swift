internal import ArgumentParser
internal import Passage
internal import PassageFiles
internal import PassageFleets
internal import PassagePlatform
internal import PassageReports

/// How a report about a fleet is written.
enum FleetReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
  /// A page that loads nothing.
  case html

  /// The format of a file with this name; text if its extension says nothing.
  init(fileName: String) {
    self =
      switch fileName.split(separator: ".").last?.lowercased() {
      case "html", "htm": .html
      case "json": .json
      default: .text
      }
  }
}

/// `migrate fleet report`: tells what ledgers say of a fleet.
struct FleetReportCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Tells what the ledgers of a fleet say.",
    discussion: """
      Each store counts once, by the latest line about it in any of the ledgers. A line that says \
      that nothing was to do does not hide the one about the migration. The exit status is 0 whatever \
      became of the stores.
      """)

  static let name = "fleet report"

  @Argument(
    help: ArgumentHelp("The ledgers: fleet.jsonl, or those of all shards.", valueName: "ledger"),
    completion: .file(extensions: ["jsonl"]), transform: PathText.given)
  var ledgers: [String]

  @Option(
    help: ArgumentHelp(
      "How the report is written: text, json or html. (default: what the output's extension says, "
        + "otherwise text)", valueName: "format"))
  var format: FleetReportFormat?

  @Option(
    help: ArgumentHelp(
      "The file to write, which must not exist unless it is an earlier page. Standard output by "
        + "default.", valueName: "file"),
    completion: .file(extensions: ["html", "json", "txt"]), transform: PathText.given)
  var output: String?

  @Flag(help: "Replace a file that differs.")
  var force = false

  @OptionGroup var print: LookArguments

  var look: OutputLook { print.look }
  var answerFormat: OutputFormat { format == .json ? .json : .text }
  var memoryBytes: Int? { nil }

  private var language: FleetReportFormat {
    format ?? output.map(FleetReportFormat.init(fileName:)) ?? .text
  }

  func perform(_ console: Console) async throws -> CommandResult {
    if let output { try checkOverlap(with: output) }
    let summary = try FleetSummary(reading: ledgers)
    if let output { return try write(summary, to: output) }
    if language == .html {
      // The result is ended by one line break.
      return CommandResult(
        text: OutputText(verbatim: String(page(summary).dropLast())), json: .null)
    }
    let text = FleetSummaryText(summary, command: Self.name)
    return CommandResult(text: text.text, json: text.json)
  }

  private func page(_ summary: FleetSummary) -> String {
    FleetPage(
      summary,
      timeText: MigrationRecord.timeText(Date().timeIntervalSinceReferenceDate),
      toolVersion: PassageVersion.current
    ).html
  }

  private func write(_ summary: FleetSummary, to path: String) throws -> CommandResult {
    let text = FleetSummaryText(summary, command: Self.name)
    let contents =
      switch language {
      case .text: text.text.joined + "\n"
      case .json: text.json.rendered() + "\n"
      case .html: page(summary)
      }
    var mistakes = CallMistakes()
    let mayReplace = try isEarlierPage(path) || force
    let file = ConvertedFile(
      path: path, kind: .report, name: text.headline, contents: contents
    ).judged(isForced: mayReplace, isNamed: true, &mistakes)
    try mistakes.throwIfErrors()
    if file.state == .written { try file.write() }
    return CommandResult(
      text: OutputText("\(path): \(text.headline)"),
      json: .object([
        ("command", .string(Self.name)), ("outcome", .string("written")), ("file", file.json),
      ]))
  }

  private func isEarlierPage(_ path: String) throws -> Bool {
    guard language == .html, FileSystem().entry(path)?.kind == .file else { return false }
    return MigrationPage.isPage(try FileSystem.prefix(path, count: MigrationPage.prefixBytes))
  }

  /// Refuses to replace a ledger, even by force.
  private func checkOverlap(with output: String) throws(MigrationError) {
    let written = StoreUnit(path: output)
    for ledger in ledgers {
      let overlap = Result { () throws(FileSystem.Failure) in
        try StoreOverlap(writing: written, reading: StoreUnit(path: ledger), files: FileSystem())
      }
      if case .success(nil) = overlap { continue }
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "FLT-054", "the report would replace a ledger", at: SourceLocation(file: output),
          reason: "it is \(ledger)", remedy: "name another file with --output"),
        diskState: "nothing was written")
    }
  }
}
