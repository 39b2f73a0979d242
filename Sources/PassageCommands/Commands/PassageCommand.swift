internal import ArgumentParser
internal import Passage

/// A subcommand. It returns a result or throws; printing and exit statuses are handled here for all
/// of them.
protocol PassageCommand: AsyncParsableCommand {
  var format: FormatArguments { get }

  /// Texts of the call to which locations refer, by the file name that the locations use.
  var texts: [String: String] { get }

  /// Runs the command.
  ///
  /// - Throws: ``MigrationError``.
  func perform(_ console: Console) async throws -> CommandResult
}

extension PassageCommand {
  var texts: [String: String] { [:] }

  /// The subcommand's name as in the JSON object.
  static var name: String { configuration.commandName ?? "" }

  mutating func run() async throws {
    let console = Console()
    let status: Int32
    do {
      let command = self
      let result = try await MemorySize.$allowed.withValue(
        format.memory?.bytes ?? MemorySize.standard
      ) { try await command.perform(console) }
      switch format.format {
      case .text: if !result.isPrinted { console.printResult(result.text) }
      case .json: if !result.isPrinted { console.printResult(result.json) }
      }
      status = result.exitStatus
    } catch {
      let failure = MigrationError(error, store: "")
      let report = ErrorReport(failure, command: Self.name, texts: texts)
      switch format.format {
      case .text: console.printMessage(report.text)
      case .json: console.printResult(report.json)
      }
      status = failure.kind.rawValue
    }
    if status != 0 { throw ExitCode(status) }
  }
}
