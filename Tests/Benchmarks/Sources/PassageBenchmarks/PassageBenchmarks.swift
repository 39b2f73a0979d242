internal import ArgumentParser

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Measures the engine against hand-written SQL and a plain C loop.
@main
struct PassageBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passage-benchmarks",
    abstract: "Measures migrations against hand-written SQL and a plain C loop.")

  @Option(help: "Objects of the source stores, separated by commas.")
  var sizes = "100000,1000000,10000000"

  @Option(help: "Rounds of each figure; stores of five million objects and more get at most 3.")
  var rounds = 5

  @Option(help: "Scenarios by name, separated by commas; all of them by default.")
  var only: String?

  @Option(help: "A file to write the figures to as JSON.")
  var json: String?

  @Option(help: "The migrate program, for the figures of the command line.")
  var migrate: String?

  @Option(
    help: "The benchmark-subject of another build, such as the version before, to run in turn.")
  var beside: String?

  @Option(help: "The folder of the scenarios.")
  var scenarios: String

  @Flag(help: "Small stores and one round: proves that every scenario gives the right store.")
  var smoke = false

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
    if (try? sizeList()) == nil {
      throw ValidationError("--sizes are whole numbers from 1000, separated by commas")
    }
    for name in only?.split(separator: ",") ?? []
    where !Scenario.all.contains(where: { $0.name == name }) {
      throw ValidationError(
        "no scenario \(name); there are \(Scenario.all.map(\.name).joined(separator: ", "))")
    }
  }

  private func sizeList() throws -> [Int] {
    if smoke { return [2_000, 20_000] }
    return try sizes.split(separator: ",").map { word in
      guard let size = Int(word), size >= 1_000 else { throw ValidationError("") }
      return size
    }
  }

  func run() throws {
    let folder = try Folder()
    defer { folder.removeAll() }
    let binaries = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
    let tools = Tools(
      subject: "\(binaries)/benchmark-subject", plainLoop: "\(binaries)/plain-loop",
      migrate: migrate, beside: beside, scenarios: scenarios, folder: folder)
    var report = Report(rounds: smoke ? 1 : rounds)
    let names = only.map { Set($0.split(separator: ",").map(String.init)) }
    for scenario in Scenario.all where names?.contains(scenario.name) ?? true {
      for size in try scenario.fixedSize.map({ [$0] }) ?? sizeList() {
        note("\(scenario.name), \(size) objects")
        report.figures.append(try measure(scenario, size: size, tools: tools))
      }
    }
    try report.processes.append(contentsOf: wholeProcesses(tools))
    for line in report.lines { print(line) }
    if let json {
      let text = report.json
      guard let file = fopen(json, "w") else { throw ValidationError("cannot write \(json)") }
      fputs(text, file)
      fclose(file)
    }
  }

  private func rounds(of size: Int) -> Int {
    smoke ? 1 : size >= 5_000_000 ? min(3, rounds) : size <= 10_000 ? rounds * 4 : rounds
  }

  private func measure(_ scenario: Scenario, size: Int, tools: Tools) throws -> Figure {
    let prepared = try PreparedScenario(scenario, size: size, tools: tools)
    defer { prepared.remove() }
    var figure = Figure(scenario: scenario, size: size)
    for round in 0..<rounds(of: size) {
      // In turn, so that neither always comes second. The first store that is there is this build's.
      let isFirst = round.isMultiple(of: 2)
      let before = isFirst ? try tools.beside.map { try prepared.runEngine($0) } : nil
      let engine = try prepared.runEngine(tools.subject)
      let after = isFirst ? nil : try tools.beside.map { try prepared.runEngine($0) }
      if let other = before ?? after {
        figure.besideRatios.append(engine.processorSeconds / max(0.001, other.processorSeconds))
      }
      let yardstick =
        switch scenario.yardstick {
        case .plainLoop: try prepared.runPlainLoop()
        case .script: try prepared.runScript()
        case .handWritten: try prepared.runHandWritten(pageBytes: 4096)
        }
      if round == 0 { try prepared.check() }
      figure.engine.append(engine.seconds)
      figure.yardstick.append(yardstick.seconds)
      figure.processorRatios.append(
        engine.processorSeconds / max(0.001, yardstick.processorSeconds))
      figure.peakBytes = max(figure.peakBytes, engine.peakBytes)
      if scenario.yardstick == .handWritten {
        figure.largePages.append(try prepared.runHandWritten(pageBytes: 16_384).seconds)
      }
    }
    return figure
  }

  /// `status` on an up-to-date store of 2,000 objects.
  private func wholeProcesses(_ tools: Tools) throws -> [(title: String, seconds: [Double])] {
    guard let scenario = Scenario.all.first(where: { $0.name == "Small" }) else { return [] }
    let prepared = try PreparedScenario(scenario, size: 2_000, tools: tools)
    defer { prepared.remove() }
    let model = tools.file("Source.json", of: scenario)
    var library: [Double] = []
    var command: [Double] = []
    for _ in 0..<(smoke ? 1 : rounds * 4) {
      library.append(try tools.subject("status", model, prepared.source).seconds)
      if let migrate = tools.migrate {
        command.append(
          try Child(
            program: migrate,
            arguments: ["status", "--store", prepared.source, "--models", model]
          ).run(in: tools.folder).seconds)
      }
    }
    var figures = [(title: "status of an up-to-date store, library", seconds: library)]
    if !command.isEmpty {
      figures.append((title: "status of an up-to-date store, migrate status", seconds: command))
    }
    return figures
  }

  /// Tells on standard error what is being measured.
  private func note(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
