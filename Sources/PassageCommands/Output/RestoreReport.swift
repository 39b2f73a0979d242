internal import Passage

/// The result of `restore`, as text and as JSON.
struct RestoreReport {
  private let report: KeptStore.RestorationReport

  init(_ report: KeptStore.RestorationReport) { self.report = report }

  func result(command: String) -> CommandResult { CommandResult(text: text, json: json(command)) }

  private var text: OutputText {
    var lines = OutputText(report.warnings)
    switch report.outcome {
    case .alreadyThere:
      lines.append(
        "Nothing to do: \(PathText.shown(report.storePath)) is "
          + "\(StoreUnit(path: report.keptPath).name) already, and was not written since.")
    case .restored:
      lines += [
        "Restored \(PathText.shown(report.storePath)) to version “\(report.version)”", "",
        "  from      \(PathText.shown(report.keptPath)), which stays",
      ]
      if let replaced = report.replacedPath {
        lines.append(
          "  replaced  \(PathText.shown(replaced)), version “\(report.replacedVersion ?? "")”")
      } else {
        lines.append("  replaced  nothing: there was no store")
      }
      lines.append("  time      \(NumberText.duration(report.seconds))")
    }
    return lines
  }

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)), ("outcome", .string(report.outcome.rawValue)),
      ("store", .path(report.storePath)), ("from", .path(report.keptPath)),
      ("version", .string(report.version)), ("replaced", .path(report.replacedPath)),
      ("replacedVersion", .optional(report.replacedVersion)),
      ("warnings", .list(report.warnings.all.map(\.json))), ("seconds", .measure(report.seconds)),
    ])
  }
}
