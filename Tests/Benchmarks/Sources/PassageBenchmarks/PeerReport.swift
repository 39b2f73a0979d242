/// What each contender has cost for one job, as a table in Markdown, and as JSON.
struct PeerReport {
  /// What one contender has cost.
  struct Row {
    var name: String
    /// Processor time by the engine's, round by round.
    var ratios: [Double] = []
    /// Processor time of each round.
    var seconds: [Double] = []
    var peakBytes = 0
    /// Why there is no figure: the tool failed, or made another store.
    var failure: String?

    var isReached: Bool { failure == nil && ratios.median >= PeerReport.goal }

    mutating func add(_ outcome: Child.Outcome, by engine: Child.Outcome) {
      ratios.append(outcome.processorSeconds / max(0.000_1, engine.processorSeconds))
      seconds.append(outcome.processorSeconds)
      peakBytes = max(peakBytes, outcome.peakBytes)
    }
  }

  /// How many times the engine's processor time every other tool must need.
  static let goal = 10.0

  var size: Int
  var title: String
  var engine = Row(name: "Passage")
  var byHand = Row(name: "hand-written SQL")
  var rows: [Row]

  var lines: [String] {
    func cells(_ row: Row, _ goal: String = "") -> [String] {
      [
        row.name, row.ratios.spread, goal, (row.seconds.median * 1000).rounded(0),
        row.peakBytes.mebibytes,
      ]
    }
    let heading = [
      "\(size) objects, \(title)", "times Passage's processor time", "must", "ms", "peak MiB",
    ]
    let others = rows.map { row in
      let goal = Self.goal.rounded(0)
      return row.failure == nil
        ? cells(row, row.isReached ? goal : "\(goal), missed") : [row.name, "failed", "", "", ""]
    }
    return TextTable.markdown([heading, cells(engine), cells(byHand)] + others) + [""]
      + rows.compactMap { row in row.failure.map { "\(row.name): \($0)" } }
  }

  /// One JSON object for all sizes.
  static func json(of reports: [PeerReport], rounds: Int, lane: String) -> String {
    let entries = reports.flatMap { report in
      ([report.engine, report.byHand] + report.rows).map { row in
        let isTool = row.name != report.engine.name && row.name != report.byHand.name
        let judgement = isTool ? ", \"goal\": \(goal), \"isReached\": \(row.isReached)" : ""
        return "    { \"name\": \"\(row.name)\", \"objects\": \(report.size), "
          + "\"ratio\": \(row.failure == nil ? row.ratios.median.rounded(4) : "null"), "
          + "\"processorSeconds\": [\(row.seconds.map { $0.rounded(4) }.joined(separator: ", "))], "
          + "\"peakBytes\": \(row.peakBytes)\(judgement) }"
      }
    }
    return """
      {
        "rounds": \(rounds),
        "lane": "\(lane)",
        "contenders": [
      \(entries.joined(separator: ",\n"))
        ]
      }

      """
  }
}
