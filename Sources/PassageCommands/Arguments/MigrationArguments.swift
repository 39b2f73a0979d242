internal import ArgumentParser
internal import Passage
internal import PassageFiles

/// A list of names, separated by commas.
struct NameList: ExpressibleByArgument {
  /// As they are written. A name may begin or end with a space.
  let names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// The names without the spaces around them, for names that have none.
  var trimmedNames: [String] { names.map { $0.trimmingSpaces } }

  /// The names as those that are known are spelled.
  func names(among known: [String]) -> [String] { names.map { $0.spelling(among: known) } }
}

/// The options that `run`, `plan` and `verify` share: source, destination and mapping models.
struct MigrationArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The mapping models, in the order in which they run: names in the mappings folder, or paths.",
      valueName: "A,B"))
  var mappings: NameList?

  @Option(
    help: ArgumentHelp(
      "The version to migrate to; the steps of the history name the mapping models.",
      valueName: "version"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "The store; - for standard input, which verify does not read. (default: the one the history "
        + "names)", valueName: "file"),
    completion: .file(),
    transform: PathText.fileOrInput)
  var store: String?

  @Option(
    help: ArgumentHelp(
      "Where the migrated store is written. (default: beside the source, as NAME.migrated)",
      valueName: "file"),
    completion: .file(),
    transform: PathText.file)
  var output: String?

  @OptionGroup(title: "Project") var project: ProjectArguments

  @Flag(help: "Allow an inferred mapping model where none is named.")
  var infer = false

  @OptionGroup(title: "What the store holds besides its objects")
  var companions: CompanionArguments

  /// The paths that may be `-`.
  var inputPaths: [String?] { [store] + project.models }

  /// What a call lacks whose store comes through standard input: nothing is beside it.
  ///
  /// - Parameter isInPlace: whether the store itself is to be replaced.
  func inputMistakes(isInPlace: Bool) -> Diagnostics {
    guard isInPlace || output == nil else { return Diagnostics() }
    return Diagnostics([
      Diagnostic(
        "CMD-101", "the store comes through standard input, and --output is not given",
        reason: isInPlace
          ? "what comes through a pipe cannot be replaced"
          : "there is no file beside which the migrated store could be written",
        remedy:
          "name the migrated store with --output FILE\(isInPlace ? " instead of --in-place" : "")"
      )
    ])
  }

  /// Puts a file in the place of `-`.
  mutating func read(from path: String) {
    if store == StandardInputReader.name { store = path }
    project.read(from: path)
  }
}

/// The options for how a migration runs.
struct ExecutionArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Objects between two commits. (default: \(BatchLimits().rows))", valueName: "count"))
  var batchSize: Int?

  @Option(
    help: ArgumentHelp(
      "How objects are migrated: page by page, in sets by SQL, or row by row, wherever a mapping "
        + "allows it. All give the same store.", valueName: "lane"))
  var lane = LaneArgument.auto

  @Option(
    help: ArgumentHelp(
      "How much memory the work of a small migration may use instead of the work folder; 0 keeps "
        + "all work in the folder. (default: \(MemorySize.text(MigrationOptions().limits.workMemoryBytes)))",
      valueName: "size"))
  var workMemory: WorkMemoryAmount?

  @Option(
    help: ArgumentHelp(
      "Threads that count and make objects, check what was written, and sort texts.",
      valueName: "count"))
  var jobs = 1

  @Option(
    help: ArgumentHelp(
      "Stop at the next batch after this time; the same command continues.", valueName: "seconds"))
  var timeBudget: Double?

  @Option(
    help: ArgumentHelp(
      "Quarantine up to this many objects in OUTPUT.quarantine.jsonl, with the reason, instead of "
        + "failing.", valueName: "count"))
  var maxQuarantined = 0

  @Option(
    help: ArgumentHelp(
      "The largest text or XML file that is read. (default: \(AtomicStore.File.maximumBytes) for "
        + "XML)",
      valueName: "bytes"))
  var maxFileBytes: Int?

  @Option(help: "How progress is shown on standard error.")
  var progress = ProgressStyle.auto

  /// The options for the engine, and mistakes in the numbers.
  func options() -> (options: MigrationOptions, mistakes: Diagnostics) {
    var (options, mistakes) = StoreExecution(
      batchSize: batchSize, lane: lane, workMemory: workMemory, maxQuarantined: maxQuarantined,
      maxFileBytes: maxFileBytes
    ).options()
    if jobs < 1 {
      mistakes.append(StoreExecution.refusal("--jobs", "\(jobs)", "a number of at least 1"))
    }
    options.limits.jobs = max(1, jobs)
    if let timeBudget {
      if StoreExecution.timeBudgets.contains(timeBudget) {
        options.limits.timeBudget = .seconds(timeBudget)
      } else {
        mistakes.append(StoreExecution.refusal(ofTimeBudget: timeBudget))
      }
    }
    return (options, mistakes)
  }
}
