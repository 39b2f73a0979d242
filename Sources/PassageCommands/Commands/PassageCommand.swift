internal import ArgumentParser
internal import Passage

/// A subcommand. It returns a result or throws; printing and exit statuses are handled here for all
/// of them.
protocol AnsweringCommand: AsyncParsableCommand {
  /// How the result, or a failure, is written.
  var answerFormat: OutputFormat { get }

  /// How much memory reading an XML store may use; `nil` for the standard.
  var memoryBytes: Int? { get }

  /// Texts of the call to which locations refer, by the file name that the locations use.
  var texts: [String: String] { get }

  /// Runs the command.
  ///
  /// - Throws: ``MigrationError``.
  func perform(_ console: Console) async throws -> CommandResult
}

/// A subcommand with the options of nearly every one.
protocol PassageCommand: AnsweringCommand {
  var format: FormatArguments { get }
}

extension PassageCommand {
  var answerFormat: OutputFormat { format.format }
  var memoryBytes: Int? { format.memory?.bytes }
}

extension AnsweringCommand {
  var texts: [String: String] { [:] }

  /// The subcommand's name as in the JSON object.
  static var name: String { configuration.commandName ?? "" }

  mutating func run() async throws {
    let command = self
    let answer = CommandAnswer(name: Self.name, format: answerFormat, texts: texts)
    let status: Int32
    do {
      let result = try await MemorySize.$allowed.withValue(
        memoryBytes ?? MemorySize.standard
      ) { try await command.perform(answer.console) }
      status = answer.report(result)
    } catch {
      status = answer.report(error)
    }
    if status != 0 { throw ExitCode(status) }
  }
}
