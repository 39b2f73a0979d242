/// The figures as a table; ``json`` gives them to `table.py`.
struct Report {
  /// How much more memory the largest store may need than the smallest.
  static let growthGoal = 1.25

  var rounds: Int
  /// The lane that was forced, or `auto`.
  var lane: String
  var figures: [Figure] = []
  var singles: [Single] = []
  /// The processors that other programs kept busy meanwhile; `nil` where it is not known.
  var otherProcessors: Double?

  static let note = """
    Ratios are of processor time (user and system), medians of rounds with [smallest-largest];
    contenders ran in turn, each as a process of its own, the final sync included; "unproved" is the
    ratio without the time in which the engine checks what it has written, "clock" the same ratio by
    the clock, "other build" that of this build to the one given with --beside.
    """

  var lines: [String] {
    var rows = [
      [
        "job", "objects", "source MiB", "lane", "against", "ratio", "must", "", "unproved", "clock",
        "other build", "ms", "peak MiB",
      ]
    ]
    for figure in figures {
      rows.append([
        figure.scenario.title, "\(figure.size / figure.scenario.share)",
        figure.sourceBytes.mebibytes, figure.lanes, figure.scenario.yardstick.rawValue,
        figure.ratios.spread, figure.goal.map { $0.rounded(2) } ?? "-", word(figure.isReached),
        figure.workRatios.median.rounded(2), figure.clockRatios.median.rounded(2),
        figure.beside.isEmpty ? "-" : figure.besideRatios.spread,
        (figure.engine.map(\.processorSeconds).median * 1000).rounded(1),
        figure.peakBytes.mebibytes,
      ])
    }
    var lines = figures.isEmpty ? [] : TextTable.lines(rows) + [""]
    for single in singles {
      var line = single.detail.isEmpty ? single.title : "\(single.title) (\(single.detail))"
      line += ": \(single.values.spread)\(single.unit.isEmpty ? "" : " \(single.unit)")"
      if let goal = single.goal {
        line += ", must be \(single.isMoreBetter ? "at least" : "at most") \(goal.rounded(1))"
      }
      lines.append("\(line) \(word(single.isReached))")
    }
    return lines + memoryLines + ["", Self.note]
      + (otherProcessors.map { ["Other programs kept \($0.rounded(2)) processors busy."] } ?? [])
  }

  private func word(_ isReached: Bool?) -> String {
    isReached.map { $0 ? "reached" : "MISSED" } ?? ""
  }

  /// Peak memory of each scenario: the largest store, and against the smallest.
  private var memoryLines: [String] {
    Scenario.all.compactMap { scenario in
      let own = figures.filter { $0.scenario.name == scenario.name }.sorted { $0.size < $1.size }
      guard let first = own.first, let last = own.last, last.size > first.size else { return nil }
      let growth = Double(last.peakBytes) / Double(max(1, first.peakBytes))
      let isReached = growth <= Self.growthGoal && last.peakBytes <= scenario.peakGoal << 20
      return "peak memory, \(scenario.name): \(last.peakBytes.mebibytes) MiB, "
        + "\(growth.rounded(2)) times the smallest store's (must be at most \(scenario.peakGoal) "
        + "MiB and \(Self.growthGoal)) \(word(isReached))"
    }
  }
}
