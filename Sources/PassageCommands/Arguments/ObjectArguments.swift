internal import ArgumentParser

/// The options of `explain` for one object of a store.
struct ObjectArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store. (default: the one the history names)", valueName: "file"),
    completion: .file(),
    transform: PathText.file)
  var store: String?

  @Option(help: ArgumentHelp("The object's entity.", valueName: "name"))
  var entity: String?

  // A damaged store may have a negative key.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The object's primary key, as messages name it.", valueName: "number"))
  var key: Int64?

  @Option(
    help: ArgumentHelp(
      "The store from before the migration: tell of which of its objects the one of --store was "
        + "made.", valueName: "file"),
    completion: .file(),
    transform: PathText.file)
  var source: String?

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

  @Flag(help: "Allow an inferred mapping model where none is named.")
  var infer = false

  @Flag(help: "Print the values of attributes. By default they are not shown.")
  var showValues = false

  /// Whether the call is about an object, by any of its options.
  var isGiven: Bool {
    entity != nil || key != nil || store != nil || source != nil || mappings != nil || to != nil
      || infer || showValues
  }
}
