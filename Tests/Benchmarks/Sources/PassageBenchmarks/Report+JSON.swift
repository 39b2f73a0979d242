extension Report {
  /// One JSON object. Names and titles are this program's own and need no escaping.
  var json: String {
    let figures = figures.map { "    { \(Self.members(of: $0).joined(separator: ", ")) }" }
    let singles = singles.map { "    { \(Self.members(of: $0).joined(separator: ", ")) }" }
    return """
      {
        "rounds": \(rounds),
        "lane": "\(lane)",
        "otherProcessors": \(otherProcessors.map { $0.rounded(2) } ?? "null"),
        "figures": [
      \(figures.joined(separator: ",\n"))
        ],
        "singles": [
      \(singles.joined(separator: ",\n"))
        ]
      }

      """
  }

  private static func members(of figure: Figure) -> [String] {
    let scenario = figure.scenario
    var members = [
      "\"name\": \"\(scenario.name)\"", "\"title\": \"\(scenario.title)\"",
      "\"size\": \(figure.size)", "\"objects\": \(figure.size / scenario.share)",
      "\"isFixedSize\": \(scenario.fixedSize != nil)", "\"sourceBytes\": \(figure.sourceBytes)",
      "\"lanes\": \"\(figure.lanes)\"", "\"against\": \"\(scenario.yardstick.rawValue)\"",
      "\"ratio\": \(figure.ratios.median.rounded(4))", "\"ratios\": \(list(figure.ratios))",
      "\"workRatio\": \(figure.workRatios.median.rounded(4))",
      "\"clockRatios\": \(list(figure.clockRatios))",
      "\"processorSeconds\": \(list(figure.engine.map(\.processorSeconds)))",
      "\"yardstickProcessorSeconds\": \(list(figure.yardstick.map(\.processorSeconds)))",
      "\"seconds\": \(list(figure.engine.map(\.seconds)))",
      "\"peakBytes\": \(figure.peakBytes)", "\"peakGoalBytes\": \(scenario.peakGoal << 20)",
    ]
    if let goal = figure.goal { members.append("\"goal\": \(goal)") }
    if let isReached = figure.isReached { members.append("\"isReached\": \(isReached)") }
    if !figure.beside.isEmpty {
      members.append("\"otherBuildRatios\": \(list(figure.besideRatios))")
    }
    return members
  }

  private static func members(of single: Single) -> [String] {
    var members = [
      "\"name\": \"\(single.name)\"", "\"title\": \"\(single.title)\"",
      "\"detail\": \"\(single.detail)\"", "\"value\": \(single.values.median.rounded(4))",
      "\"text\": \"\(single.text)\"", "\"unit\": \"\(single.unit)\"",
      "\"values\": \(list(single.values))", "\"isMoreBetter\": \(single.isMoreBetter)",
    ]
    if let goal = single.goal { members.append("\"goal\": \(goal)") }
    if let isReached = single.isReached { members.append("\"isReached\": \(isReached)") }
    return members
  }

  private static func list(_ numbers: [Double]) -> String {
    "[\(numbers.map { $0.rounded(4) }.joined(separator: ", "))]"
  }
}
