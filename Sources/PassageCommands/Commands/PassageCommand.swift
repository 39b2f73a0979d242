internal import ArgumentParser
internal import Passage

/// A subcommand. It returns a result or throws; printing and exit statuses are handled here for all
/// of them.
protocol AnsweringCommand: AsyncParsableCommand {
  /// The subcommand's name as in the JSON object.
  static var name: String { get }

  /// How the result, or a failure, is written.
  var answerFormat: OutputFormat { get }

  /// How much memory reading an XML store may use; `nil` for the standard.
  var memoryBytes: Int? { get }

  /// How much is printed, and how it looks.
  var look: OutputLook { get }

  /// The file of the log; `nil` for none.
  var logPath: String? { get }

  /// Whether the result is what the command was asked for. Otherwise it reports what was done, and
  /// `--quiet` leaves it out.
  var isAnswer: Bool { get }

  /// Texts of the call to which locations refer, by the file name that the locations use.
  var texts: [String: String] { get }

  /// Takes what comes through standard input, if the call names it.
  ///
  /// - Returns: the file from which it is read; `nil` if the call does not name it.
  /// - Throws: ``MigrationError``.
  mutating func takeStandardInput() throws(MigrationError) -> StandardInput?

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
  var look: OutputLook { format.output.look }
}

extension AnsweringCommand {
  var texts: [String: String] { [:] }
  var logPath: String? { nil }
  var isAnswer: Bool { true }
  func takeStandardInput() throws(MigrationError) -> StandardInput? { nil }

  static var name: String { configuration.commandName ?? "" }

  mutating func run() async throws {
    let command = self
    let status = await CommandContext.$reading.withValue(ReadingStop()) {
      await CommandContext.$look.withValue(look) { await command.answer() }
    }
    if status != 0 { throw ExitCode(status) }
  }

  /// Runs the command, prints its result or its failure, and returns the exit status.
  private func answer() async -> Int32 {
    var answer = CommandAnswer(name: Self.name, format: answerFormat, texts: texts)
    answer.isAnswer = isAnswer
    answer.isSilent = look.isQuiet && !isAnswer
    let log: CallLog?
    do throws(MigrationError) {
      try look.check()
      log = try logPath.map { path throws(MigrationError) in
        try CallLog(path, command: Self.name, console: answer.console)
      }
    } catch {
      return answer.report(error)
    }
    var command = self
    let input: StandardInput?
    do throws(MigrationError) {
      input = try command.takeStandardInput()
    } catch {
      log?.fail(with: error)
      return answer.report(error)
    }
    log?.call(input)
    let ready = command
    let status = await CommandContext.$input.withValue(input) { await ready.answer(answer, log) }
    if let problem = input?.remove() { answer.console.printWarning(problem) }
    return status
  }

  /// Runs the command once its store is there, and prints its result or its failure.
  private func answer(_ answer: CommandAnswer, _ log: CallLog?) async -> Int32 {
    do {
      let result = try await CommandContext.$log.withValue(log) {
        try await MemorySize.$allowed.withValue(memoryBytes ?? MemorySize.standard) {
          guard let reading = CommandContext.reading else {
            return try await perform(answer.console)
          }
          return try await reading.during(isAnswer: isAnswer) {
            try await perform(answer.console)
          }
        }
      }
      log?.finish(with: result)
      return answer.report(result)
    } catch {
      log?.fail(with: CommandAnswer.failure(error))
      return answer.report(error)
    }
  }
}
