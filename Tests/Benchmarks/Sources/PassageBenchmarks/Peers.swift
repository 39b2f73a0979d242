internal import ArgumentParser

/// Measures the engine against what a user could use instead, on one job.
struct Peers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures a migration against other tools for the same job.")

  @Option(help: "Objects of the source stores, separated by commas.")
  var sizes = "100000"

  @Option(help: "Rounds of each figure.")
  var rounds = 5

  @Option(help: "The lane that is forced: auto, page, set or row.")
  var lane = "auto"

  @Option(help: "A file to write the figures to as JSON.")
  var json: String?

  @Option(help: "The folder of the scenarios.")
  var scenarios: String

  @Option(help: "A file with a peer a line: name, program, arguments, separated by tabs.")
  var peers: String

  func validate() throws {
    guard rounds > 0, (try? sizeList()) != nil else {
      throw ValidationError(
        "--rounds is at least 1, and --sizes are whole numbers from 1000, separated by commas")
    }
  }

  private func sizeList() throws -> [Int] { try Measure.sizeList(sizes) }

  func run() throws {
    let folder = try Folder()
    defer { folder.removeAll() }
    let tools = Tools(lane: lane, scenarios: scenarios, folder: folder)
    let peers = try Folder.text(peers).split(separator: "\n").compactMap(Peer.init(line:))
    guard let scenario = Scenario.all.first(where: { $0.name == "Attributes" }) else { return }
    var reports: [PeerReport] = []
    for size in try sizeList() {
      let prepared = try PreparedScenario(scenario, size: size, tools: tools)
      defer { prepared.remove() }
      let report = try measure(peers, on: prepared, tools)
      for line in report.lines { print(line) }
      reports.append(report)
    }
    if let json {
      try Folder.write(PeerReport.json(of: reports, rounds: rounds, lane: lane), at: json)
    }
  }

  private func measure(_ peers: [Peer], on prepared: PreparedScenario, _ tools: Tools) throws
    -> PeerReport
  {
    var report = PeerReport(
      size: prepared.size, title: prepared.scenario.title,
      rows: peers.map { PeerReport.Row(name: $0.name) })
    for round in 0..<rounds {
      tools.note("\(prepared.size) objects, round \(round + 1) of \(rounds)")
      let engine = try prepared.runEngine(tools.subject)
      report.engine.add(engine, by: engine)
      try report.byHand.add(prepared.runHandWritten(), by: engine)
      if round == 0 { try prepared.check() }
      for (index, peer) in peers.enumerated() where report.rows[index].failure == nil {
        do {
          try report.rows[index].add(peer.run(on: prepared, tools.folder), by: engine)
          if round == 0 { try prepared.check() }
        } catch let failure as Child.Failure {
          report.rows[index].failure = failure.description
        }
      }
    }
    return report
  }
}
