internal import ArgumentParser

/// `passage-corpus check`: reads, compares and migrates everything in a folder.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reads, compares and migrates everything in a folder.",
    discussion: """
      What is in the folder is found by content. A store is migrated as the folder of expectations \
      says and, by inference, to the newest version of its series. Exit status 1: something was \
      found that no listed exception explains, or a listed exception is none any more.
      """)

  @Argument(help: "The folder.") var corpus: String

  @Option(help: "The folder of the expectations: Exceptions.json and Migrations.json.")
  var expectations: String

  @Flag(help: "A named migration whose files are absent is a finding.")
  var complete = false

  @Option(help: "The form of the report: text or json.") var format = ReportFormat.text

  func run() async throws {
    let folder = try CorpusFolder(path: corpus)
    let expectations = try Expectations(folder: expectations)
    var report = Report(expectations: expectations)
    let seal = try FolderSeal(path: folder.path)
    let pool = ModelPool(folder: folder, report: &report)
    HashCheck(folder: folder, pool: pool).run(&report)
    KeptModelCheck(folder: folder, pool: pool).run(&report)
    LayoutCheck(folder: folder, pool: pool).run(&report)
    InferenceCheck(pool: pool).run(&report)
    let mappings = MappingModelCheck(folder: folder, pool: pool).run(&report)
    FormatCheck(folder: folder).run(&report)
    await MigrationCheck(folder: folder, pool: pool, mappings: mappings, isComplete: complete)
      .run(expectations.migrations, &report)
    for path in try seal.changes() {
      report.fail(.untouched, path, "the file was changed, added or removed by the checks")
    }
    report.finish()
    switch format {
    case .text: print(TextReport(report).text)
    case .json: print(try JSONReport(report).text())
    }
    if !report.isExpected { throw ExitCode(1) }
  }
}

/// How a report is printed.
enum ReportFormat: String, ExpressibleByArgument {
  case text
  case json
}
