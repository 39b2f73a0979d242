internal import ArgumentParser
internal import Passage
internal import PassageFleets
internal import PassagePlatform

/// `migrate fleet template`: prints a file that starts the shards of a fleet on an engine.
struct FleetTemplateCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "template",
    abstract: "Prints a file that runs a fleet on an engine.",
    usage: "migrate fleet template <engine> --shards <N> [<options>] [<options of fleet run>]",
    discussion: """
      All options of fleet run may be given, but for --shard and --ledger: they are checked, and are \
      in the printed file, in quotation marks. Comments in the file say how to start it, watch it, \
      start it again, retry what failed and merge the ledgers. Without --jobs each shard has one \
      processor.
      """)

  static let name = "fleet template"

  @Argument(
    help: ArgumentHelp("GNU parallel, Slurm, Kubernetes, systemd or Dask.", valueName: "engine"))
  var engine: FleetEngine

  @Option(help: ArgumentHelp("How many shards the stores have.", valueName: "N"))
  var shards: Int

  @Option(
    help: ArgumentHelp(
      "How many shards run at once. (default: as many as the engine starts)", valueName: "count"))
  var atOnce: Int?

  @Option(
    help: ArgumentHelp(
      "The command that the file calls. (default: migrate)", valueName: "program"))
  var program = "migrate"

  @OptionGroup(title: "Kubernetes") var pod: PodArguments

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("The options of fleet run.", valueName: "options of fleet run"))
  var options: [String] = []

  var answerFormat: OutputFormat { CommandLineFormat.isJSON(options) ? .json : .text }
  var memoryBytes: Int? { nil }
  var look: OutputLook { OutputLook(arguments: options) }

  func perform(_ console: Console) async throws -> CommandResult {
    let call = try fleetCall()
    var mistakes = FleetRequest(call).optionMistakes
    for mistake in pod.mistakes(for: engine) + numberMistakes + conflicts(call) {
      mistakes.add(mistake)
    }
    try mistakes.throwIfErrors()
    let jobs = call.execution.jobs ?? 1
    let template = FleetTemplate(
      engine: engine, shards: shards, atOnce: atOnce, jobs: jobs, program: program,
      options: options + (call.execution.jobs == nil ? ["--jobs", "1"] : []),
      folder: PathText.absolute("."), pod: pod)
    let text = template.text
    return CommandResult(
      // The result is ended by one line break.
      text: OutputText(verbatim: String(text.dropLast())),
      json: .object([
        ("command", .string(Self.name)), ("engine", .string(engine.rawValue)),
        ("shards", .integer(shards)), ("options", .strings(template.options)),
        ("text", .string(text)),
      ]))
  }

  /// The call that the file has in it, read as `fleet run` reads it.
  private func fleetCall() throws(MigrationError) -> FleetRunCommand {
    do {
      return try FleetRunCommand.parse(options)
    } catch {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "FLT-055", "the options are not those of fleet run",
          reason: FleetRunCommand.message(for: error), remedy: "see migrate fleet run --help"),
        diskState: "nothing was written")
    }
  }

  private var numberMistakes: [Diagnostic] {
    var mistakes: [Diagnostic] = []
    func refuse(_ option: String, _ value: Int, _ most: Int) {
      guard !(1...most).contains(value) else { return }
      mistakes.append(
        Diagnostic(
          "CMD-002", "\(option) cannot be \(value)", remedy: "give a number from 1 to \(most)"))
    }
    if program.isEmpty || program.hasControl {
      mistakes.append(
        Diagnostic(
          "CMD-002", "--program cannot be “\(program)”", remedy: "give the name of the command"))
    }
    refuse("--shards", shards, Shard.maximumCount)
    if let atOnce { refuse("--at-once", atOnce, Shard.maximumCount) }
    return mistakes
  }

  /// Options of the call that the file sets itself, or that cannot be used there.
  private func conflicts(_ call: FleetRunCommand) -> [Diagnostic] {
    var found: [(String, String)] = []
    if call.selection.shard != nil {
      found.append(("--shard", "each task of the file has its own"))
    }
    if !call.execution.ledger.isEmpty {
      found.append(("--ledger", "each shard has a ledger of its own, fleet-I-of-N.jsonl"))
    }
    if call.selection.storesFrom == "-" {
      found.append(("--stores-from -", "the shards do not share a standard input"))
    }
    if engine == .systemd, atOnce != nil {
      found.append(("--at-once", "units of systemd are started one by one"))
    }
    if engine == .systemd, PathText.absolute(".").hasControl {
      found.append(("a folder with a line break in its name", "a unit cannot name it"))
    }
    return found.map { what, why in
      Diagnostic(
        "FLT-056", "\(what) cannot be used in a file for \(engine.rawValue)", reason: why,
        remedy: "leave it out")
    }
  }
}
