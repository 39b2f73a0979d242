internal import PassageStores

/// What the calls of an entity mapping's policy write in a pass and read of it. Only the thread that
/// writes the pass has it.
final class PolicyPass {
  let store: PassStore
  let keys: KeyAllocator
  let objects: PolicyObjects
  let shared: PolicySharedObjects
  let associations: PolicyAssociations
  let links: PolicyLinks

  /// - Parameters:
  ///   - passes: the source and the finished pass stores.
  ///   - makeSink: makes the doors through which objects are written.
  ///   - recorded: notes the associations; `nil` when nobody asks.
  init(
    _ mappingPlan: MappingPlan, step: StepBasis, store: PassStore, passes: PassLookup,
    keys: KeyAllocator, makeSink: @escaping PolicyObjects.MakeSink,
    recorded: RecordedAssociations?
  ) {
    self.store = store
    self.keys = keys
    let numbers = EntityNumbers(step.plan.destinationLayout)
    objects = PolicyObjects(step: step, store: store, makeSink: makeSink)
    shared = PolicySharedObjects(
      passIndex: mappingPlan.passIndex, store: store, numbers: numbers)
    associations = PolicyAssociations(
      mappingPlan: mappingPlan, step: step, store: store, passes: passes, numbers: numbers,
      recorded: recorded)
    links = PolicyLinks(mappingPlan: mappingPlan, step: step, store: store, numbers: numbers)
  }
}

/// A policy made a call, on a thread that only makes objects, that the thread that writes the pass
/// must answer. It calls the policy again.
struct NeedsPass: Error {}
