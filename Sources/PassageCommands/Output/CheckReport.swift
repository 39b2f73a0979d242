internal import Passage
internal import PassageChecking

/// The findings of a check, as text and as JSON.
struct CheckReport {
  private let check: HistoryCheck
  private let failOn: Diagnostic.Severity
  private let command: String
  /// The versions whose hashes have been recorded; `nil` if that was not asked for.
  private let recorded: [String]?

  init(_ check: HistoryCheck, failOn: Diagnostic.Severity, command: String, recorded: [String]?) {
    self.check = check
    self.command = command
    self.failOn = failOn
    self.recorded = recorded
  }

  private var isFailed: Bool { check.reaches(failOn) }

  var result: CommandResult {
    CommandResult(
      text: text, json: json, exitStatus: status)
  }

  private var status: Int32 { isFailed ? MigrationError.Kind.checkFailed.rawValue : 0 }

  private var text: OutputText {
    var lines = OutputText(Diagnostics(check.findings.map(\.diagnostic)))
    if let recorded {
      lines.append(
        recorded.isEmpty
          ? "recorded  nothing: the history has these hashes already"
          : "recorded  the hashes of \(recorded.map { "“\($0)”" }.joined(separator: ", "))")
    }
    let steps = NumberText.count(Int64(check.stepCount), "step")
    let mappings = NumberText.count(Int64(check.mappingCount), "mapping model")
    let counts = Diagnostic.Severity.allCases.compactMap { severity in
      let count = check.count(of: severity)
      return count == 0 ? nil : NumberText.count(Int64(count), severity.rawValue)
    }
    let found = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
    let excepted =
      check.excepted.isEmpty
      ? "" : "; excepted by the history: \(NumberText.count(Int64(check.excepted.count)))"
    lines.append("checked   \(steps), \(mappings): \(found)\(excepted)")
    return lines
  }

  private var json: JSONText {
    var members: [(name: String, value: JSONText)] = [
      ("command", .string(command)),
      ("outcome", .string(isFailed ? "failed" : "passed")),
      ("failOn", .string(failOn.rawValue)),
      ("exitStatus", .integer(Int64(status))),
      ("steps", .integer(Int64(check.stepCount))),
      ("mappings", .integer(Int64(check.mappingCount))),
      ("findings", .list(check.findings.map { Self.json($0) })),
      (
        "excepted",
        .list(check.excepted.map { Self.json($0.finding, exceptedBecause: $0.reason) })
      ),
    ]
    if let recorded { members.append(("recorded", .strings(recorded))) }
    return .object(members)
  }

  /// A diagnostic's members, and the names that an exception may give.
  private static func json(
    _ finding: CheckFinding, exceptedBecause reason: String? = nil
  ) -> JSONText {
    guard case .object(var members) = finding.diagnostic.json else { return .null }
    for place in History.Check.Place.allCases {
      members.append((place.rawValue, .optional(finding.places[place])))
    }
    if let reason { members.append(("exceptedBecause", .string(reason))) }
    return .object(members)
  }
}
