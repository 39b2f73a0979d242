internal import ArgumentParser

/// Measures the engine against hand-written SQL and a plain C loop.
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures migrations against hand-written SQL and a plain C loop.")

  @Option(help: "Objects of the source stores, separated by commas.")
  var sizes = "100000,1000000,10000000"

  @Option(help: "Rounds of each figure; small stores get four times as many.")
  var rounds = 5

  @Option(help: "Figures by name, separated by commas; all of them by default.")
  var only: String?

  @Option(help: "The lane that is forced: auto, page, set or row.")
  var lane = "auto"

  @Option(help: "A file to write the figures to as JSON.")
  var json: String?

  @Option(help: "The migrate program, for the figures of the command line.")
  var migrate: String?

  @Option(
    help: "The benchmark-subject of another build, such as the version before, to run in turn.")
  var beside: String?

  @Option(help: "The folder of the scenarios.")
  var scenarios: String

  @Flag(help: "Few objects and one round: proves that every scenario gives the right store.")
  var smoke = false

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
    if (try? sizeList()) == nil {
      throw ValidationError("--sizes are whole numbers from 1000, separated by commas")
    }
    let names = Scenario.all.map(\.name) + Single.names
    for name in only?.split(separator: ",").map(String.init) ?? [] where !names.contains(name) {
      throw ValidationError("no figure \(name); there are \(names.joined(separator: ", "))")
    }
    guard ["auto", "page", "set", "row"].contains(lane) else {
      throw ValidationError("--lane is auto, page, set or row")
    }
  }

  private func sizeList() throws -> [Int] {
    smoke ? [20_000] : try Self.sizeList(sizes)
  }

  static func sizeList(_ words: String) throws -> [Int] {
    try words.split(separator: ",").map { word in
      guard let size = Int(word), size >= 1_000 else { throw ValidationError("") }
      return size
    }
  }

  func run() throws {
    let folder = try Folder()
    defer { folder.removeAll() }
    let tools = Tools(
      migrate: migrate, beside: beside, lane: lane, scenarios: scenarios, folder: folder)
    let others = OtherWork()
    var report = Report(rounds: smoke ? 1 : rounds, lane: lane)
    for scenario in Scenario.all where isAsked(scenario.name) {
      for size in try scenario.fixedSize.map({ [$0] }) ?? sizeList() {
        tools.note("\(scenario.name), \(size) objects")
        report.figures.append(try measure(scenario, size: size, tools: tools))
      }
    }
    report.singles = try singles(tools)
    report.otherProcessors = others.processors
    for line in report.lines { print(line) }
    if let json {
      try Folder.write(report.json, at: json)
    }
  }

  private func isAsked(_ name: String) -> Bool {
    only?.split(separator: ",").contains { $0 == name } ?? true
  }

  private func rounds(of size: Int) -> Int {
    smoke ? 1 : size <= 10_000 ? rounds * 4 : rounds
  }

  private func measure(_ scenario: Scenario, size: Int, tools: Tools) throws -> Figure {
    let prepared = try PreparedScenario(scenario, size: size, tools: tools)
    defer { prepared.remove() }
    var figure = Figure(scenario: scenario, size: size)
    figure.sourceBytes = Folder.byteCount(prepared.source)
    for round in 0..<rounds(of: size) {
      // In turn, so that neither always comes second. The first store that is there is this build's.
      let isFirst = round.isMultiple(of: 2)
      let before = isFirst ? try tools.beside.map { try prepared.runEngine($0) } : nil
      let engine = try prepared.runEngine(tools.subject, "--phases")
      let after = isFirst ? nil : try tools.beside.map { try prepared.runEngine($0) }
      if let other = before ?? after { figure.beside.append(Figure.Cost(other)) }
      let yardstick =
        switch scenario.yardstick {
        case .plainLoop: try prepared.runPlainLoop()
        case .script: try prepared.runScript()
        case .handWritten: try prepared.runHandWritten()
        }
      if round == 0 { try prepared.check() }
      figure.engine.append(Figure.Cost(engine))
      figure.yardstick.append(Figure.Cost(yardstick))
      figure.peakBytes = max(figure.peakBytes, engine.peakBytes)
      figure.lanes = engine.lines("lanes").first.map(String.init) ?? figure.lanes
    }
    return figure
  }

  /// The figures without a yardstick: a small store, the largest of the sizes up to a million, and the
  /// largest for threads, whose start and end take as long for any size.
  private func singles(_ tools: Tools) throws -> [Single] {
    var singles: [Single] = []
    func add(
      _ name: String, _ scenario: String, _ size: Int,
      _ measure: (PreparedScenario, Tools, _ rounds: Int) throws -> [Single]
    ) throws {
      guard isAsked(name), let scenario = Scenario.all.first(where: { $0.name == scenario }) else {
        return
      }
      tools.note("\(name), \(scenario.name), \(size) objects")
      let prepared = try PreparedScenario(scenario, size: size, tools: tools)
      defer { prepared.remove() }
      singles += try measure(prepared, tools, rounds(of: size))
    }
    try add("Prepared", "Small", 2_000, Single.smallStores)
    try add("Processes", "Small", 2_000, Single.processes)
    let sizes = try sizeList()
    let size = sizes.filter { $0 <= 1_000_000 }.max() ?? sizes.min() ?? 0
    for scenario in ["Attributes", "AttributesPolicy", "Graph"] {
      try add("Threads", scenario, size, Single.threads)
      try add("Proof", scenario, size, Single.proof)
    }
    if let largest = sizes.max(), largest > size {
      for scenario in ["Attributes", "AttributesPolicy"] {
        try add("Threads", scenario, largest, Single.threads)
      }
    }
    return singles
  }
}
