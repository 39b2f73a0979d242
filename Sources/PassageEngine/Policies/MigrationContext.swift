internal import PassageMappings
internal import PassageExpressions
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// What a policy's hooks can do: make objects, find objects made before, relate them. It is in
/// for Core Data's `NSMigrationManager` in a policy. Not shared between threads, and of no use after
/// the hook that received it.
///
/// What is more than the one object of each source object a policy must have said that it needs: see
/// ``Need``.
///
/// ## Topics
///
/// ### Making objects
/// - ``defaultDestination(for:)``
/// - ``makeObject(ofEntity:)``
/// - ``insert(_:for:)``
/// - ``insert(_:)``
/// - ``associate(_:with:)``
/// - ``findOrInsert(_:key:for:make:)``
/// - ``find(_:key:)``
///
/// ### Reading
/// - ``sourceObject(ofEntity:key:)``
/// - ``sourceKeys(of:relationship:)``
/// - ``destinationInstances(forMappingNamed:sourceKey:)``
/// - ``sourceKeys(forMappingNamed:destination:)``
/// - ``destinationObject(_:)``
/// - ``forEachDestinationObject(ofEntity:_:)``
/// - ``update(_:)``
///
/// ### Relationships
/// - ``createDefaultRelationships(for:)``
/// - ``setRelationship(_:of:to:)``
public final class MigrationContext {
  /// The entity mapping the hook is called for.
  public let mapping: PolicyMapping

  /// What `now()` gives: seconds since 2001-01-01 UTC, frozen for the whole migration.
  public var now: Double { step.plan.now }

  /// Text a policy keeps on disk with its pass: it survives an interruption, together with the batch
  /// it was written in.
  public var userInfo: UserInfo { UserInfo(context: self) }

  let mappingPlan: MappingPlan
  let step: StepRun
  let store: PassStore
  let keys: KeyAllocator
  let missing: MissingValues
  let nilled: NilledValues
  var account: MappingAccount

  // What does it.
  let objects: PolicyObjects
  let shared: PolicySharedObjects
  let associations: PolicyAssociations
  let links: PolicyLinks
  let sources: PolicySourceReader
  /// Set for the create phase.
  var mapper: RowMapper? {
    didSet { defaults = DefaultObjects(mappingPlan: mappingPlan, step: step, mapper: mapper) }
  }
  var defaults: DefaultObjects

  // Where it is.
  /// What became of the source object whose hook is running.
  var outcome = Outcome()
  /// The source object whose `createDestinationInstances` is running; `nil` in other hooks.
  var currentSource: Int64?
  /// The destination object whose `createRelationships` is running; `nil` in other hooks.
  var currentDestination: ObjectReference?
  /// While a policy begins, the objects it has inserted; `nil` at other times.
  var madeInBegin: [ObjectReference]?
  /// While a policy begins again, the objects it inserted the first time.
  var replayed: [ObjectReference] = []

  /// What the policy has said that it needs.
  let needs: Set<Need>
  /// Whether that is everything, as of a policy that has said nothing: then no call asks.
  let needsEverything: Bool
  /// The destination entity of the mapping, resolved once for all calls.
  let destinationName: String?
  /// What it did first without having said so, also where it continued as if nothing had happened.
  var undeclared: UndeclaredNeed?

  init(
    mappingPlan: MappingPlan, step: StepRun, store: PassStore, passes: PassLookup,
    account: MappingAccount,
    keys: KeyAllocator, missing: MissingValues, nilled: NilledValues
  ) {
    mapping = PolicyMapping(mappingPlan.bound.mapping)
    needs = step.policies.needs(of: mappingPlan.bound.mapping)
    needsEverything = needs.count == Need.allCases.count
    destinationName = mappingPlan.destination?.name
    self.mappingPlan = mappingPlan
    self.step = step
    self.store = store
    self.account = account
    self.keys = keys
    self.missing = missing
    self.nilled = nilled
    let numbers = EntityNumbers(step.plan.destinationLayout)
    objects = PolicyObjects(step: step, store: store)
    shared = PolicySharedObjects(
      passIndex: mappingPlan.passIndex, store: store, numbers: numbers)
    associations = PolicyAssociations(
      mappingPlan: mappingPlan, step: step, store: store, passes: passes, numbers: numbers)
    links = PolicyLinks(mappingPlan: mappingPlan, step: step, store: store, numbers: numbers)
    sources = PolicySourceReader(step: step, passes: passes)
    defaults = DefaultObjects(mappingPlan: mappingPlan, step: step, mapper: nil)
  }

  /// Text by name, kept in the journal.
  public struct UserInfo {
    fileprivate let context: MigrationContext

    /// The text kept under a name; `nil` when there is none.
    public func value(_ name: String) throws -> String? {
      try context.demandOrder("userInfo")
      return try context.store.journal.state(key(name))?.string
    }

    /// Keeps a text under a name.
    public func set(_ name: String, to value: String) throws {
      try context.demandOrder("userInfo")
      try context.store.journal.setState(key(name), .text(value))
    }

    private func key(_ name: String) -> String { "policy:\(context.mappingPlan.index):\(name)" }
  }
}

/// What the pass does with the context around the hooks.
extension MigrationContext {
  /// What became of a source object.
  struct Outcome {
    var made = 0
    var merged = 0
    var hasPrimary = false
  }

  /// The source object with this key is handed to the policy.
  func begin(_ sourceKey: Int64) {
    outcome = Outcome()
    currentSource = sourceKey
  }

  /// The policy is done with its source object.
  func end() { currentSource = nil }

  /// The instance that is handed the objects of the next batch: where a policy needs no order, none that
  /// was handed others. `nil` for the one there is.
  func policyOfBatch() throws -> (any MigrationPolicy)? {
    needs.contains(.order) ? nil : try step.policies.makePolicy(for: mappingPlan.bound.mapping)
  }

  /// Gives the tables every object that was kept back, and counts what was made. Called before
  /// anything is read back and at the end of a batch.
  func flush() throws {
    try associations.flush()
    try objects.flush { account.count(made: $0, $1) }
  }
}
