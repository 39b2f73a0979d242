internal import Passage

/// Prints what a subcommand has found, or why it failed, in the requested format.
struct CommandAnswer {
  /// The subcommand's name as in the JSON object.
  var name: String
  var format: OutputFormat
  /// Texts of the call to which locations refer, by the file name that the locations use.
  var texts: [String: String] = [:]
  /// Whether the result is what the command was asked for, and not a report about what it has done.
  var isAnswer = true
  /// Whether a result is not printed as text unless it says that something is to be done.
  var isSilent = false
  let console = Console()

  /// Prints a result and returns the exit status.
  func report(_ result: CommandResult) -> Int32 {
    if !result.isPrinted {
      switch format {
      case .text: if !isSilent || result.exitStatus != 0 { console.printResult(result.text) }
      case .json: console.printResult(result.json)
      }
    }
    if !isAnswer, result.exitStatus == 0 {
      Console.noteWork()
      // What was done is said where it can be read.
      if !result.isPrinted, Console.outputFailure != nil { console.printMessage(result.text) }
    }
    return result.exitStatus
  }

  /// What ended a command.
  static func failure(_ error: any Error) -> MigrationError {
    let failure = (error as? ReportedFailure)?.error ?? MigrationError(error, store: "")
    return CommandContext.input?.failure(failure) ?? failure
  }

  /// Prints a failure and returns the exit status.
  func report(_ error: any Error) -> Int32 {
    let reported = error as? ReportedFailure
    let failure = Self.failure(error)
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
