internal import Passage
internal import PassageFleets

/// What `fleet status` found, as text and as JSON.
struct FleetStatusReport {
  private let totals: FleetSurvey.Totals
  private let count: Int
  private let target: String?
  private let shard: GivenShard?
  private let listCount: Int
  private let leftOutCount: Int

  /// The text names so many stores of each state.
  private static let shownExamples = 10

  /// - Parameters:
  ///   - count: the number of stores.
  ///   - target: the version that they are to have.
  ///   - listCount: the number of stores of all shards.
  ///   - leftOutCount: the number of files that patterns matched and that belong to stores.
  init(
    _ totals: FleetSurvey.Totals, count: Int, target: String?, shard: GivenShard?, listCount: Int,
    leftOutCount: Int
  ) {
    self.totals = totals
    self.count = count
    self.target = target
    self.shard = shard
    self.listCount = listCount
    self.leftOutCount = leftOutCount
  }

  var result: CommandResult { CommandResult(text: text, json: json, exitStatus: exitStatus) }

  private var exitStatus: Int32 {
    if totals.left > 0 { return MigrationError.Kind.cancelled.rawValue }
    if totals.unreadable > 0 { return FleetRun.End.someFailed }
    return totals.count(.toDo) > 0 ? MigrationError.Kind.migrationNeeded.rawValue : 0
  }

  // MARK: Text

  private var text: OutputText {
    let version = target.map { " for version “\($0)”" } ?? ""
    var lines = ["\(NumberText.count(count, "store"))\(version)", ""]
    for state in FleetSurvey.State.allCases {
      let number = totals.count(state)
      guard number > 0 || [.done, .toDo].contains(state) else { continue }
      let name = Self.name(state)
      lines.append(
        "  " + name + String(repeating: " ", count: 12 - name.count) + NumberText.count(number))
    }
    if totals.left > 0 { lines.append("  not seen    \(NumberText.count(totals.left))") }
    if let shard { lines.append("  shard       \(shard.text(of: count, listed: listCount))") }
    if leftOutCount > 0 { lines.append("  left out    \(FleetReport.leftOut(leftOutCount))") }
    for state in FleetSurvey.State.allCases where state != .done {
      let names = totals.examples[state] ?? []
      guard !names.isEmpty else { continue }
      lines += ["", Self.name(state) + ":"] + names.prefix(Self.shownExamples).map { "  \($0)" }
      let more = totals.count(state) - min(names.count, Self.shownExamples)
      if more > 0 { lines.append("  and \(NumberText.count(more)) more") }
    }
    return OutputText(lines: lines + FailureLines(totals.failures).lines)
  }

  private static func name(_ state: FleetSurvey.State) -> String {
    state == .toDo ? "to do" : state.rawValue
  }

  // MARK: JSON

  private var json: JSONText {
    .object(
      [("command", .string(FleetStatusCommand.name)), ("stores", .integer(count))]
        + FleetSurvey.State.allCases.map { ($0.rawValue, .integer(totals.count($0))) }
        + [
          ("notSeen", .integer(totals.left)), ("target", .optional(target)),
          ("shard", .optional(shard?.shard.text)),
          ("shardVariable", .optional(shard?.variable)), ("listed", .integer(listCount)),
          ("leftOut", .integer(leftOutCount)),
          (
            "names",
            .object(
              FleetSurvey.State.allCases.filter { $0 != .done }.map {
                ($0.rawValue, .list((totals.examples[$0] ?? []).map { .string($0) }))
              })
          ), ("failures", FailureLines(totals.failures).json),
          ("unlistedFailures", .integer(totals.failures.unlistedFailures)),
        ])
  }
}
