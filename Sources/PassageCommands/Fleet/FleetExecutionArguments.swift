internal import ArgumentParser
internal import Passage
internal import PassageFleets
internal import PassagePlatform

/// The options for how a run over many stores is carried out.
struct FleetExecutionArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many stores are computed at a time. (default: half more than there are processors)",
      valueName: "count"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "How many stores become durable together, with one sync of the file system; 1 syncs each by "
        + "itself. (default: \(FleetLimits().group))", valueName: "count"))
  var group: Int?

  @Option(
    help: ArgumentHelp(
      "The order of the stores: as listed, the smallest first, or mixed.",
      valueName: "listed|smallest|random"))
  var order = FleetOrderChoice.listed

  @Option(
    help: ArgumentHelp(
      "With --order random: the number that decides the order. (default: another each time)",
      valueName: "number"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "So many stores, or such a share of them, come first; the others are begun only if all of "
        + "these are well.", valueName: "count|share%"))
  var canary: String?

  @Option(
    help: ArgumentHelp(
      "Stop when more stores than this have failed: a number, or a share of the stores.",
      valueName: "count|share%"))
  var maxFailures: String?

  @Option(
    help: ArgumentHelp(
      "What happens when a store fails: the others are migrated all the same, or no further one is "
        + "begun.", valueName: "continue|stop"))
  var onError = FleetErrorChoice.continue

  @Option(
    help: ArgumentHelp(
      "Stop after this time: no further store is begun, and those at work stop at their next batch; "
        + "the same command continues.", valueName: "seconds"))
  var timeBudget: Double?

  @Option(
    help: ArgumentHelp(
      "The file to which a line is appended for each store. (default: fleet.jsonl, with a shard "
        + "fleet-I-of-N.jsonl)", valueName: "file"),
    completion: .file(), transform: PathText.given)
  var ledger: [String] = []

  @Option(
    help: ArgumentHelp(
      "Objects between two commits. (default: \(BatchLimits().rows))", valueName: "count"))
  var batchSize: Int?

  @Option(
    help: ArgumentHelp(
      "How objects are migrated: page by page, in sets by SQL, or row by row.", valueName: "lane"))
  var lane = LaneArgument.auto

  @Option(
    help: ArgumentHelp(
      "How much memory the work on each small store may use instead of its work folder; 0 keeps all "
        + "work in the folder. "
        + "(default: \(MemorySize.text(MigrationOptions().limits.workMemoryBytes)))",
      valueName: "size"))
  var workMemory: WorkMemoryAmount?

  @Option(
    help: ArgumentHelp(
      "Quarantine up to this many objects of each store beside it, with the reason, instead of "
        + "failing.", valueName: "count"))
  var maxQuarantined = 0

  @Option(
    help: ArgumentHelp(
      "The largest text or XML file that is read. (default: \(AtomicStore.File.maximumBytes) for "
        + "XML)", valueName: "bytes"))
  var maxFileBytes: Int?

  @Flag(help: "Have SQLite check each finished store as a whole, with integrity_check.")
  var integrityCheck = false

  @Option(help: "How progress is shown on standard error.")
  var progress = ProgressStyle.auto
}

/// The order of stores, in the words of the command line.
enum FleetOrderChoice: String, ExpressibleByArgument, CaseIterable {
  case listed
  case smallest
  case random
}

/// What happens when a store fails.
enum FleetErrorChoice: String, ExpressibleByArgument, CaseIterable {
  case `continue`
  case stop
}
