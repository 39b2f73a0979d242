internal import ArgumentParser
internal import Passage
internal import PassageFleets
internal import PassagePlatform

/// `migrate fleet status`: looks at the stores of a list.
struct FleetStatusCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Looks at each store of a list; nothing is written.",
    discussion: """
      Exit status 0: a run would find nothing to do. 10: there are stores to migrate. 50: there are \
      stores that cannot be read, or not be migrated.

      A store is done if it records it. Results of other types, such as text or XML, record nothing \
      and count as stores to migrate; a run makes them again to compare them.
      """)

  static let name = "fleet status"

  @OptionGroup(title: "Which stores") var selection: FleetSelectionArguments

  @OptionGroup(title: "What to migrate") var way: FleetWayArguments

  @Flag(help: "The stores are migrated in place. This is the default without --output-dir.")
  var inPlace = false

  @Option(
    help: ArgumentHelp("The folder of the migrated stores.", valueName: "folder"),
    completion: .directory, transform: PathText.given)
  var outputDir: String?

  @Option(
    help: ArgumentHelp(
      "With --output-dir: the folder around all sources; their paths below it are kept.",
      valueName: "folder"),
    completion: .directory, transform: PathText.given)
  var base: String?

  @OptionGroup(title: "What may be lost") var losses: LossArguments

  @Option(
    help: ArgumentHelp(
      "How many stores are looked at at a time. (default: the number of processors)",
      valueName: "count"))
  var jobs: Int?

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes(diskState: nil)
    var options = MigrationOptions()
    options.storeTypes = CommandContext.storeTypes
    losses.apply(to: &options)
    let sources = selection.sources(&mistakes)
    let shard = selection.shard(&mistakes)
    if inPlace, outputDir != nil { mistakes.add(FleetPlaceArguments.bothGiven) }
    if base != nil, outputDir == nil { mistakes.add(FleetPlaceArguments.baseAlone) }
    let threads =
      FleetExecutionArguments.jobs(jobs, &mistakes)
      ?? min(FleetLimits.maximumJobs, FleetExecutionArguments.processors)
    let ways = try way.ways(options, &mistakes)
    let places = outputDir.map { ResultPlaces.folder($0, base: base) } ?? .inPlace
    try ways.check()
    let list = try StoreList(sources, places: places)
    try places.check(list)
    let stores = try FleetStores(list, shard: shard?.shard)
    let control = RunControl()
    let signals = StopSignals { control.cancel() }
    defer { signals.stop() }
    let survey = FleetSurvey(stores, ways: ways, places: places, jobs: threads)
    let totals = await OwnThread.run { survey.run(control: control) }
    return FleetStatusReport(
      totals, count: stores.count, target: ways.target?.name, shard: shard,
      listCount: list.names.count, leftOutCount: list.leftOutCount
    ).result
  }
}
