internal import PassageModels
internal import PassagePlanning
internal import PassageStores

/// Identifies a migration for the purpose of continuing its work: models, mapping models, options,
/// types of store, and the code that takes part. Options that only affect speed are not included,
/// nor is how the finished store is written in another type, because that is done again each time.
struct PlanIdentity {
  /// A digest of everything but the code of the program.
  let text: String
  /// The identities of the code that takes part, by step, pass and name.
  let code: [[[String: String]]]

  init(
    steps: [PlannedStep], options: MigrationOptions, policies: PolicyRegistry, sourceType: String?,
    build: () -> String
  ) {
    let identities = steps.map { StepIdentity($0, options: options, policies: policies) }
    var digest = ContentDigest()
    // Increased whenever existing work can no longer be continued.
    digest.add("passage 11")
    // A function of the expression language may give other results in another version.
    digest.add(PassageVersion.current)
    digest.add(options.isForcedToRows ? "rows" : options.usesPages ? "pages" : "sets")
    digest.add(sourceType)
    digest.add(options.output.type)
    digest.add(identities.map(\.plan))
    text = digest.text
    code = identities.map { $0.code.map { $0.states(build: build) } }
  }
}
