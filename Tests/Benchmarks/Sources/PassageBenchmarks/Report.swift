/// The figures as a table, and as JSON.
struct Report {
  /// The most memory a migration may need, however many objects there are.
  static let peakGoal = 64 << 20
  /// How much more memory the largest store may need than the smallest.
  static let growthGoal = 1.25

  var rounds: Int
  var figures: [Figure] = []
  /// Whole processes without a yardstick: what, and the seconds of each round.
  var processes: [(title: String, seconds: [Double])] = []

  static let note = """
    Ratios are medians of rounds with [smallest-largest]; contenders ran in turn, each as a process
    of its own, the final sync included. Other work on the machine moves single rounds by a third
    and more: compare ratios, never seconds, and look at the spread before believing a median;
    "processor" is the same ratio in processor time, and "other build" that of this build to the one
    given with --beside.
    """

  var lines: [String] {
    var rows = [
      [
        "job", "objects", "against", "ratio", "goal", "", "processor", "other build", "16K pages",
        "seconds", "peak MiB",
      ]
    ]
    for figure in figures {
      rows.append([
        figure.scenario.title, "\(figure.size)", figure.scenario.yardstick.rawValue,
        figure.ratios.spread, figure.scenario.goal.map { $0.rounded(2) } ?? "-",
        figure.isReached.map { $0 ? "reached" : "MISSED" } ?? "",
        figure.processorRatios.median.rounded(2),
        figure.besideRatios.isEmpty ? "-" : figure.besideRatios.spread,
        figure.largePages.isEmpty ? "-" : figure.largePageRatios.median.rounded(2),
        figure.engine.median.rounded(3), figure.peakBytes.mebibytes,
      ])
    }
    var lines = Self.table(rows) + [""]
    for process in processes {
      let milliseconds = process.seconds.map { $0 * 1000 }
      lines.append("\(process.title): \(milliseconds.spread) ms")
    }
    return lines + memoryLines + ["", Self.note]
  }

  /// Peak memory of each scenario: the largest store against the smallest.
  private var memoryLines: [String] {
    var lines: [String] = []
    for (name, growth) in growths {
      let isReached = growth.ratio <= Self.growthGoal && growth.peak <= Self.peakGoal
      lines.append(
        "peak memory, \(name): \(growth.peak.mebibytes) MiB, \(growth.ratio.rounded(2)) times the "
          + "smallest store's (goal: at most 64 MiB and 1.25) \(isReached ? "reached" : "MISSED")")
    }
    return lines
  }

  private var growths: [(name: String, growth: (peak: Int, ratio: Double))] {
    Scenario.all.compactMap { scenario in
      let own = figures.filter { $0.scenario.name == scenario.name }.sorted { $0.size < $1.size }
      guard let first = own.first, let last = own.last, last.size > first.size else { return nil }
      return (
        scenario.name, (last.peakBytes, Double(last.peakBytes) / Double(max(1, first.peakBytes)))
      )
    }
  }

  private static func table(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  // MARK: JSON

  /// One JSON object. Names and titles are this file's own and need no escaping.
  var json: String {
    func list(_ numbers: [Double]) -> String {
      "[\(numbers.map { $0.rounded(4) }.joined(separator: ", "))]"
    }
    let entries = figures.map { figure in
      var members = [
        "\"name\": \"\(figure.scenario.name)\"", "\"title\": \"\(figure.scenario.title)\"",
        "\"objects\": \(figure.size)", "\"against\": \"\(figure.scenario.yardstick.rawValue)\"",
        "\"ratio\": \(figure.ratios.median.rounded(4))", "\"ratios\": \(list(figure.ratios))",
        "\"processorRatios\": \(list(figure.processorRatios))",
        "\"engineSeconds\": \(list(figure.engine))",
        "\"yardstickSeconds\": \(list(figure.yardstick))", "\"peakBytes\": \(figure.peakBytes)",
      ]
      if let goal = figure.scenario.goal, let isReached = figure.isReached {
        members += ["\"goal\": \(goal)", "\"isReached\": \(isReached)"]
      }
      if !figure.besideRatios.isEmpty {
        members.append("\"otherBuildRatios\": \(list(figure.besideRatios))")
      }
      if !figure.largePages.isEmpty {
        members.append("\"ratios16KPages\": \(list(figure.largePageRatios))")
      }
      return "    { \(members.joined(separator: ", ")) }"
    }
    let others = processes.map {
      "    { \"title\": \"\($0.title)\", \"seconds\": \(list($0.seconds)) }"
    }
    return """
      {
        "rounds": \(rounds),
        "figures": [
      \(entries.joined(separator: ",\n"))
        ],
        "processes": [
      \(others.joined(separator: ",\n"))
        ]
      }

      """
  }
}
