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
    let failure = MigrationError(error, store: "")
    let report = ErrorReport(failure, command: name, texts: texts)
    switch format {
    case .text: console.printMessage(report.text)
    case .json: console.printResult(report.json)
    }
    return failure.kind.rawValue
  }
}
