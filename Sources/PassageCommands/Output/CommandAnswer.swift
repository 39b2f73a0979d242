internal import Passage

/// Prints what a subcommand has found, or why it failed, in the requested format.
struct CommandAnswer {
  /// The subcommand's name as in the JSON object.
  var name: String
  var format: OutputFormat
  /// Texts of the call to which locations refer, by the file name that the locations use.
  var texts: [String: String] = [:]
  let console = Console()

  /// Prints a result and returns the exit status.
  func report(_ result: CommandResult) -> Int32 {
    if !result.isPrinted {
      switch format {
      case .text: console.printResult(result.text)
      case .json: console.printResult(result.json)
      }
    }
    return result.exitStatus
  }

  /// Prints a failure and returns the exit status.
  func report(_ error: any Error) -> Int32 {
    let reported = error as? ReportedFailure
    let failure = reported?.error ?? MigrationError(error, store: "")
    let report = ErrorReport(failure, command: name, texts: texts)
    let page = reported.map { [(name: "report", value: JSONText.path($0.path))] } ?? []
    switch format {
    case .text:
      console.printMessage(report.text)
      if let path = reported?.path { console.printMessage("report: \(path)") }
    case .json: console.printResult(.object(report.members + page))
    }
    return failure.kind.rawValue
  }
}
