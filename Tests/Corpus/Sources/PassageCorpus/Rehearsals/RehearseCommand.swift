internal import ArgumentParser

/// `passage-corpus rehearse`: rehearses every series of models.
struct RehearseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract: "Rehearses every series of models, with made-up stores and those that are there.",
    discussion: """
      Consecutive versions that inference connects become a project with a history. A made-up store of \
      each version, and every store of the folder that is of one, go every way to the newest: \
      directly, step by step, in each lane, interrupted and in place. Exit status 1: a way failed that \
      no listed exception explains.
      """)

  @Argument(help: "The folder.") var corpus: String

  @Option(help: "The folder of the expectations: Exceptions.json and Migrations.json.")
  var expectations: String

  @Option(help: "How many objects of each entity are made up.") var size = 3

  @Option(help: "The seed of the made-up objects; a new one unless it is given.") var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "So many versions of each series at most, the first, the last and others evenly between them; "
        + "all unless it is given."))
  var versions: Int?

  @Option(help: "The form of the report: text or json.") var format = ReportFormat.text

  func validate() throws {
    guard (1...100_000).contains(size) else { throw ValidationError("--size is from 1 to 100000") }
    guard versions.map({ $0 >= 2 }) ?? true else {
      throw ValidationError("--versions is 2 or more")
    }
  }

  func run() async throws {
    let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
    if format == .text { print("seed \(seed), \(size) objects of each entity") }
    let folder = try CorpusFolder(path: corpus)
    let expectations = try Expectations(folder: expectations)
    var unjudged = Report(expectations: Expectations())
    let pool = ModelPool(folder: folder, report: &unjudged)
    var report = Report(expectations: expectations)
    let seal = try FolderSeal(path: folder.path)
    for series in RehearsedSeries.all(of: pool, limit: versions) {
      do {
        try series.rehearse(folder: folder, size: size, seed: seed, &report)
      } catch {
        report.fail(.ways, series.bundle, "\(error)")
      }
    }
    for path in try seal.changes() {
      report.fail(.untouched, path, "the file was changed, added or removed by the rehearsal")
    }
    report.finish()
    switch format {
    case .text: print(TextReport(report).text)
    case .json: print(try JSONReport(report).text())
    }
    if !report.isExpected { throw ExitCode(1) }
  }
}
