public import ArgumentParser
public import Passage
internal import PassagePlatform
internal import PassageSQLite

/// The command `migrate` as a library: a program with its own policies needs only a few lines.
///
/// ```swift
/// @main
/// struct Main {
///   @MainActor static func main() async {
///     await MigrateCommand.run(policies: [PrintedDatePolicy.self])
///   }
/// }
/// ```
public struct MigrateCommand: AsyncParsableCommand {
  /// The command's name and subcommands for the parser.
  public static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrates object-graph stores from one model version to another, in passes.",
    usage: """
      migrate [run] --mappings <A,B> [--store <file>] [--output <file> | --in-place]
      migrate [run] [--to <version>] [--store <file>] [--output <file> | --in-place]
      migrate <subcommand> <options>
      """,
    discussion: """
      Without options, the store that the history in Migrations/ names is migrated to the newest \
      version, into a new file beside it.

      Standard output carries the result, as text or as one JSON object (--format json); progress \
      and messages go to standard error. Values of attributes are never printed. Colours are used \
      on a terminal only, and not if NO_COLOR is set. With --format \
      json a failure is the one object on standard output: {"command", "error": {"kind", \
      "exitStatus", "diagnostics": [{"code", "severity", "message", "file", "line", "column", \
      "reason", "remedy"}], "unlistedDiagnostics", "diskState"}}.

      Exit statuses: 0 done or nothing to do; 10 migration needed (status, install); 12 a finding \
      (check); 20 source model unknown; 22 no mapping between two models; 30 another runner is at \
      work; 31 disk too small; 32 input/output error; 33 stopped, the same command continues; 40 \
      source damaged; 41 a policy or a validation failed; 42 verification failed; 43 values would \
      be lost; 50 some stores of a fleet failed; 64 wrong call; 65 a mapping, model or history file is wrong; 1 a bug.
      """,
    version: PassageVersion.current,
    subcommands: [
      RunCommand.self, StatusCommand.self, PlanCommand.self, InspectCommand.self, CheckCommand.self,
      CreateCommand.self, InferCommand.self, ConvertCommand.self, VerifyCommand.self,
      SelectCommand.self, InstallCommand.self, PackCommand.self, SchemaCommand.self,
      ExplainCommand.self, DiagramCommand.self, RehearseCommand.self, RestoreCommand.self,
      PruneCommand.self, InitCommand.self, FleetCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  /// Creates a command without arguments, as the parser requires.
  public init() {}

  /// Parses the process's arguments, runs the command, and ends the process with its exit status.
  ///
  /// If the caller is on the main actor too, a limit of open files that is too low is reported
  /// before the runtime starts its threads, which would end the process.
  ///
  /// - Parameters:
  ///   - policies: the policies that mapping models may name.
  ///   - functions: functions that filters and values may call by name.
  ///   - storeTypes: additional types of store, tried before those of Passage.
  @MainActor public static func run(
    policies: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = [],
    storeTypes: [any StoreType] = []
  ) async {
    do throws(MigrationError) {
      try CallArguments.check(CommandLine.arguments)
      try CallArguments.checkText(CallArguments.bytes)
      try OpenFileLimit.prepare()
    } catch {
      let report = ErrorReport(
        error, command: nil, look: OutputLook(arguments: CommandLine.arguments))
      if CommandLineFormat.isJSON(CommandLine.arguments) {
        Console().printResult(report.json)
      } else {
        Console().printMessage(report.text)
      }
      exit(withError: ExitCode(error.kind.rawValue))
    }
    SQLiteLibrary.disableMemoryStatistics()
    // Whoever reads the output may stop: the command ends in order, and leaves nothing beside a store.
    ignoreBrokenPipes()
    let program = CommandProgram(
      policyTypes: policies, functions: functions, storeTypes: storeTypes)
    if let call = PlainCall(Array(CommandLine.arguments.dropFirst())) {
      leave(with: CommandContext.$program.withValue(program) { call.answer() })
    }
    await carryOut(program)
  }

  /// Runs the command that the process's arguments name.
  private static func carryOut(_ program: CommandProgram) async {
    await CommandContext.$program.withValue(program) {
      do {
        try SubcommandName.check(
          CommandLine.arguments.dropFirst(), of: configuration, and: FleetCommand.configuration)
        var command = try parseAsRoot()
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
      } catch {
        leave(with: error)
      }
      leave(with: 0)
    }
  }

  /// Ends the process. A command whose result could not be written has failed, whatever it has done.
  private static func leave(with status: Int32) -> Never {
    let isWell = status == 0 || status == MigrationError.Kind.migrationNeeded.rawValue
    guard isWell, let failure = Console.outputFailure else { systemExit(status) }
    let look = OutputLook(arguments: CommandLine.arguments)
    Console().printMessage(ErrorReport(failure, command: nil, look: look).text)
    systemExit(failure.kind.rawValue)
  }

  /// Ends the process. A failure that a command has reported is not reported again; arguments that
  /// cannot be parsed are reported here, as one JSON object if JSON was requested.
  private static func leave(with error: any Error) -> Never {
    if let code = error as? ExitCode { leave(with: code.rawValue) }
    if exitCode(for: error) == .success {
      // Help and scripts for shells. The parser would print them without noticing a failure.
      Console().printResult(OutputText(verbatim: fullMessage(for: error, columns: nil)))
      leave(with: 0)
    }
    let command = commandName(in: Array(CommandLine.arguments.dropFirst()))
    let unread = unreadCall(error, of: command)
    guard let failure = error as? MigrationError ?? unread else { exit(withError: error) }
    let report = ErrorReport(
      failure, command: command, look: OutputLook(arguments: CommandLine.arguments))
    if CommandLineFormat.isJSON(CommandLine.arguments) {
      Console().printResult(report.json)
    } else {
      var text = report.text
      if unread != nil { text += usage(after: error) }
      Console().printMessage(text)
    }
    exit(withError: ExitCode(failure.kind.rawValue))
  }

  /// The failure of arguments that cannot be parsed; `nil` for another error.
  private static func unreadCall(_ error: any Error, of command: String?) -> MigrationError? {
    guard !(error is MigrationError), exitCode(for: error) == .validationFailure else { return nil }
    let called = command.map { "migrate \($0)" } ?? "migrate"
    let arguments = Array(CommandLine.arguments.dropFirst())
    let sentence = ParserSentence.quoted(message(for: error), arguments: arguments)
    let meant = SubcommandName.first(in: arguments, of: configuration) {
      sentence.contains("“\($0)”")
    }
    return MigrationError(
      Diagnostic(
        "CMD-001", sentence,
        remedy: meant.map {
          "name the subcommand before its options: " + ShellText.command(["migrate"] + $0)
        } ?? "see \(called) --help"))
  }

  /// What the parser says below its message: the help of the option in question, and how the command is
  /// called.
  private static func usage(after error: any Error) -> [String] {
    let message = "Error: " + message(for: error)
    let full = fullMessage(for: error, columns: nil)
    guard full.hasPrefix(message) else { return [] }
    // The last line says what the remedy says.
    return full.dropFirst(message.count).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("  See ") }
  }

  /// The name of the command that arguments call, as in its JSON; `nil` for a word that is none.
  private static func commandName(in arguments: [String]) -> String? {
    guard let first = arguments.first, !first.hasPrefix("-") else {
      return RunCommand.configuration.commandName
    }
    func name(_ word: String?, among commands: [any ParsableCommand.Type]) -> String? {
      commands.compactMap { $0.configuration.commandName }.first { $0 == word }
    }
    guard let command = name(first, among: configuration.subcommands) else { return nil }
    let part = name(arguments.dropFirst().first, among: FleetCommand.configuration.subcommands)
    return command == FleetCommand.configuration.commandName && part != nil
      ? "\(command) \(part ?? "")" : command
  }
}

// What cannot be written is an error of the call then, not the end of the process.
private func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

// Needed because the type has methods of the same name.
private func systemExit(_ status: Int32) -> Never { exit(status) }
