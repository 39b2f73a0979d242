internal import ArgumentParser
internal import Passage
internal import PassageFleets

/// The options for which stores a fleet has.
struct FleetSelectionArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The stores: a path, or a pattern in quotation marks with *, ?, [a-z] and ** for any folders; "
        + "what it matches beside stores, such as logs and kept stores, is left out. May be given "
        + "several times.", valueName: "pattern"),
    completion: .file())
  var stores: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file with the path of a store on each line; - is the standard input.", valueName: "file"),
    completion: .file())
  var storesFrom: String?

  @Flag(help: "With --stores-from: paths end with the byte 0 instead of a line break.")
  var null = false

  @Option(
    help: ArgumentHelp(
      "Only a part of the stores, the same for the same names: the part I of N, counted from 1; env "
        + "takes both from the task of a Slurm or Grid Engine array.", valueName: "I/N|env"))
  var shard: String?

  @Option(
    help: ArgumentHelp(
      "Only a part of the stores: N parts, and the number, from 0, is in JOB_COMPLETION_INDEX, as in "
        + "an indexed job of Kubernetes.", valueName: "N"))
  var shards: Int?

  /// Whether the call names stores.
  var isGiven: Bool { !stores.isEmpty || storesFrom != nil }

  /// Where the names come from.
  func sources(_ mistakes: inout CallMistakes) -> [StoreList.Source] {
    if !isGiven {
      mistakes.add(
        Diagnostic(
          "FLT-020", "no stores are named",
          remedy: "name them with --stores 'PATTERN' or --stores-from FILE"))
    }
    if null, storesFrom == nil {
      mistakes.add(
        Diagnostic(
          "FLT-021", "--null is given without --stores-from",
          remedy: "leave it out, or give the list with --stores-from"))
    }
    return stores.map { .pattern($0) }
      + (storesFrom.map { [.file($0, isEndedByNUL: null)] } ?? [])
  }

  /// The shard, and where its number comes from; `nil` for all stores.
  func shard(_ mistakes: inout CallMistakes) -> GivenShard? {
    do throws(Diagnostic) {
      return try GivenShard(shard: shard, shards: shards, variable: OutputLook.variable)
    } catch {
      mistakes.add(error)
      return nil
    }
  }
}
