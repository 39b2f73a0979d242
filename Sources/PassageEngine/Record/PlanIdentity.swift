internal import PassageModels
internal import PassagePlanning
internal import PassageStores

/// What distinguishes two migrations whose unfinished work is not interchangeable: models, mapping
/// models, options, types of store, and the code that takes part. How fast they run makes no
/// difference, nor does how the finished store is written out in another type: that is done again each
/// time.
struct PlanIdentity {
  /// A digest of everything but the code of the program.
  let text: String
  /// By step and pass, what identifies the code that takes part, by its name.
  let code: [[[String: String]]]

  init(
    steps: [PlannedStep], options: MigrationOptions, policies: PolicyRegistry, sourceType: String?,
    build: () -> String
  ) {
    let identities = steps.map { StepIdentity($0, options: options, policies: policies) }
    var digest = ContentDigest()
    // Raised whenever work of before cannot be continued.
    digest.add("passage 6")
    // What a function of the language gives may be another thing in another version.
    digest.add(PassageVersion.current)
    digest.add(options.isForcedToRows ? "rows" : "lanes")
    digest.add(sourceType)
    digest.add(options.output.type)
    digest.add(identities.map(\.plan))
    text = digest.text
    code = identities.map { $0.code.map { $0.states(build: build) } }
  }
}
