internal import PassageMappings
internal import PassageModels
internal import PassagePages
internal import PassageStores

/// One step while it runs: its plan, its source, the policies and the functions. Passes, assembly
/// and sealing share it.
final class StepRun {
  /// What other threads may use too.
  let basis: StepBasis
  let links: StepLinks
  let facts = RunFacts()
  /// The quarantined objects of the step.
  let quarantine: Quarantine

  /// The pages of the source, or why they cannot be read; `nil` when they are not used.
  let pages: Result<PageReader, any Error>?

  /// The threads that may work beside each other, the one that writes included.
  let jobs: Int

  /// Whether links whose keys were moved are looked up in the source.
  let provesLinks: Bool

  var plan: StepPlan { basis.plan }
  var source: SourceAccess { basis.source }
  var policies: PolicyRegistry { basis.policies }

  init(
    plan: StepPlan, source: SourceAccess, policies: PolicyRegistry, quarantine: Quarantine,
    pages: Result<PageReader, any Error>? = nil, jobs: Int = 1, provesLinks: Bool = false
  ) {
    basis = StepBasis(plan: plan, source: source, policies: policies)
    self.quarantine = quarantine
    self.pages = pages
    self.jobs = jobs
    self.provesLinks = provesLinks
    links = StepLinks(plan)
  }

  /// A destination entity's attributes by position; `nil` for an unknown entity.
  func shape(ofEntity name: String) -> DestinationShape? { basis.shape(ofEntity: name) }
}
