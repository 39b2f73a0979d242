internal import Passage
internal import PassageTesting

/// The result of `rehearse`, as text and as JSON.
struct RehearsalText {
  private let report: RehearsalReport
  private let junitPath: String?
  private let again: String

  /// - Parameter again: the command that does the same again.
  init(_ report: RehearsalReport, junitPath: String?, again: String) {
    self.report = report
    self.junitPath = junitPath
    self.again = again
  }

  func result(command: String) -> CommandResult {
    CommandResult(text: text, json: json(command), exitStatus: exitStatus)
  }

  /// A failed migration has the status of its class; a difference is one of verification.
  private var exitStatus: Int32 {
    guard let failure = report.subjects.flatMap(\.failures).first else { return 0 }
    guard case .failed(_, let kind) = failure.outcome else { return 0 }
    return kind.rawValue
  }

  // MARK: Text

  private var text: OutputText {
    var table = TextTable(
      [("store", .left), ("version", .left), ("objects", .right)]
        + RehearsalReport.Way.allCases.map { ($0.title, .left) })
    for subject in report.subjects {
      table.add(
        [subject.name, subject.version ?? "unknown", NumberText.count(subject.objects)]
          + RehearsalReport.Way.allCases.map { way in
            subject.trials.first { $0.way == way }?.word ?? ""
          })
    }
    var lines = [summary]
    if !report.subjects.isEmpty { lines += [""] + table.lines }
    for subject in report.subjects {
      for trial in subject.failures {
        guard case .failed(let text, _) = trial.outcome else { continue }
        lines += [
          "", "\(subject.name), version “\(subject.version ?? "unknown")”, \(trial.way.title):",
        ]
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
      }
    }
    lines += ["", "  time      \(NumberText.duration(report.seconds))"]
    if !report.hasPassed { lines.append("  again     \(again)") }
    if let junitPath { lines.append("  JUnit     \(junitPath)") }
    return OutputText(lines: lines)
  }

  private var summary: String {
    if let reason = report.nothingRehearsed { return "Nothing was rehearsed: \(reason)" }
    let failed = report.subjects.flatMap(\.trials).count(where: \.hasFailed)
    return "Rehearsed \(NumberText.count(Int64(report.subjects.count), "store")) to version "
      + "“\(report.target)”, seed \(report.seed): "
      + (failed == 0
        ? "all ways gave the same stores" : "\(NumberText.count(Int64(failed), "way")) failed")
  }

  // MARK: JSON

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)), ("passed", .bool(report.hasPassed)),
      ("exitStatus", .integer(Int64(exitStatus))), ("target", .string(report.target)),
      ("seed", .string("\(report.seed)")),
      ("again", .string(again)), ("nothingRehearsed", .optional(report.nothingRehearsed)),
      (
        "stores",
        .list(
          report.subjects.map { subject in
            .object([
              ("store", subject.isMadeUp ? .null : .path(subject.name)),
              ("version", .optional(subject.version)), ("objects", .integer(subject.objects)),
              ("ways", .list(subject.trials.map(\.json))),
            ])
          })
      ), ("junit", .path(junitPath)), ("seconds", .measure(report.seconds)),
    ])
  }
}

extension RehearsalReport.Way {
  /// The way's name in texts.
  var title: String {
    switch self {
    case .direct: "direct"
    case .stepByStep: "step by step"
    case .page: "page"
    case .set: "set"
    case .row: "row"
    case .interrupted: "interrupted"
    case .inPlace: "in place"
    }
  }
}

extension RehearsalReport.Trial {
  /// One word for a cell of the table.
  fileprivate var word: String {
    switch outcome {
    case .passed: "passed"
    case .failed: "FAILED"
    case .skipped: "–"
    }
  }

  fileprivate var json: JSONText {
    let (word, detail): (String, String?) =
      switch outcome {
      case .passed: ("passed", nil)
      case .failed(let text, _): ("failed", text)
      case .skipped(let reason): ("skipped", reason)
      }
    return .object([
      ("way", .string(way.rawValue)), ("outcome", .string(word)), ("detail", .optional(detail)),
      ("seconds", .measure(seconds)),
    ])
  }
}
