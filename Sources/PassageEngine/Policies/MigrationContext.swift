internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// What the hooks of a policy can do: make objects, find objects made earlier, relate them. It
/// takes the place of Core Data's `NSMigrationManager`. It is not shared between threads and must
/// not be used after the hook that received it has returned. A policy that keeps it keeps nothing
/// open: when its pass is over, what it is asked to do throws ``PolicyMistake``.
///
/// A policy that does more than make one object from each source object must declare it: see
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

  /// The value of `now()`: seconds since 2001-01-01 UTC, fixed for the whole migration.
  public var now: Double { step.plan.now }

  /// Text that a policy stores on disk with its pass. It survives an interruption if the batch that
  /// wrote it was committed.
  public var userInfo: UserInfo { UserInfo(context: self) }

  let mappingPlan: MappingPlan
  let step: StepBasis
  let missing: MissingValues
  let nilled: NilledValues
  var account: MappingAccount

  // Collaborators.
  /// `nil` on a thread that only makes objects, and when the pass is over.
  private var pass: PolicyPass?
  /// `nil` when the pass is over.
  private var reader: PolicySourceReader?
  /// Set for the create phase.
  var mapper: RowMapper? {
    get { defaults.mapper }
    set {
      defaults.mapper = newValue
      ownShape = newValue.map { ObjectIdentifier($0.shape) }
    }
  }
  /// The identity of the shape that the hooks' source objects have; `nil` outside the create phase. The
  /// mapper keeps the shape.
  private(set) var ownShape: ObjectIdentifier?
  let defaults: DefaultObjects

  /// Where objects are made page by page, the identity of the current source object's row; `nil`
  /// elsewhere. The object made of it is kept until the hook has returned.
  private(set) var row: ObjectIdentifier?
  /// That object; `nil` when the policy has made none.
  private var kept: DestinationObject.Storage?

  // State.
  /// What became of the source object whose hook is running.
  var outcome = Outcome()
  /// The source object whose `createDestinationInstances` is running; `nil` in other hooks.
  var currentSource: Int64?
  /// The destination object whose `createRelationships` is running; `nil` in other hooks.
  var currentDestination: ObjectReference?
  /// The objects that a policy has inserted in its begin hook; `nil` outside that hook.
  var madeInBegin: [ObjectReference]?
  /// While the begin hook runs again, the objects that the policy inserted the first time.
  var replayed: [ObjectReference] = []

  /// The needs that the policy has declared.
  let needs: Set<Need>
  /// Whether the policy needs everything, as one that declares nothing does. Then no call is
  /// checked.
  let needsEverything: Bool
  /// The destination entity of the mapping, resolved once for all calls. The text is this context's own:
  /// each reference that a policy uses counts it, and threads that count the same one wait for each
  /// other.
  @usableFromInline let destinationName: String?
  let destinationShape: DestinationShape?
  /// Whether an instance of the policy has been chosen for a batch.
  private var hasBegunBatch = false
  /// The first undeclared call of the policy, even if the policy caught the error.
  var undeclared: UndeclaredNeed?
  /// Whether a call has needed more than the row: the pass, or what the policy does not declare. Most
  /// policies make no such call, and nothing is checked after their hooks.
  var hasAskedForMore = false
  /// Whether a call needed the pass on a thread that does not have it, even if the policy caught the
  /// error.
  private(set) var hasNeededPass = false

  /// - Parameters:
  ///   - passes: for reading the source.
  ///   - pass: `nil` on a thread that only makes objects.
  init(
    mappingPlan: MappingPlan, step: StepBasis, passes: PassLookup, account: MappingAccount,
    missing: MissingValues, nilled: NilledValues, pass: PolicyPass?
  ) {
    mapping = PolicyMapping(mappingPlan.bound.mapping)
    needs = step.policies.needs(of: mappingPlan.bound.mapping)
    needsEverything = needs.count == Need.allCases.count
    destinationName = mappingPlan.destination.map {
      String(decoding: Array($0.name.utf8), as: UTF8.self)
    }
    destinationShape = mappingPlan.destination.flatMap { step.shape(ofEntity: $0.name) }
    self.mappingPlan = mappingPlan
    self.step = step
    self.account = account
    self.pass = pass
    self.missing = missing
    self.nilled = nilled
    reader = PolicySourceReader(step: step, passes: passes)
    defaults = DefaultObjects(mappingPlan: mappingPlan, step: step, passes: passes)
  }

  /// Text by name, stored in the journal.
  public struct UserInfo {
    fileprivate let context: MigrationContext

    /// The text stored under a name; `nil` when there is none.
    public func value(_ name: String) throws -> String? {
      try context.demandOrder("userInfo")
      return try context.inPass().store.journal.state(key(name))?.string
    }

    /// Stores a text under a name.
    public func set(_ name: String, to value: String) throws {
      try context.demandOrder("userInfo")
      try context.inPass().store.journal.setState(key(name), .text(value))
    }

    private func key(_ name: String) -> String { "policy:\(context.mappingPlan.index):\(name)" }
  }
}

/// Methods that the pass calls around the hooks.
extension MigrationContext {
  /// What became of a source object.
  struct Outcome {
    var made = 0
    var merged = 0
    var hasPrimary = false
  }

  /// What calls write in the pass and read of it.
  ///
  /// - Throws: ``NeedsPass`` on a thread that only makes objects, ``PolicyMistake`` when the pass is over.
  func inPass() throws -> PolicyPass {
    hasAskedForMore = true
    if let pass { return pass }
    try checkPass()
    hasNeededPass = true
    throw NeedsPass()
  }

  /// What reads objects of the source.
  ///
  /// - Throws: ``PolicyMistake`` when the pass is over.
  var sources: PolicySourceReader {
    get throws {
      guard let reader else { throw PolicyMistake.passIsOver(mappingPlan.name) }
      return reader
    }
  }

  /// Throws when the pass is over, and a policy has kept the context.
  func checkPass() throws {
    if reader == nil { throw PolicyMistake.passIsOver(mappingPlan.name) }
  }

  /// Called when the pass is over. The policy may have kept the context, so everything is released that
  /// keeps a connection open: it would lock the source, which is to be replaced.
  func close() {
    pass = nil
    reader = nil
    kept = nil
    ownShape = nil
    defaults.close()
  }

  /// Why a link or an association that the policy gave was refused; `nil` when none was.
  var refusal: PagesUnsuitable? {
    hasAskedForMore ? pass?.links.refusal ?? pass?.associations.refusal : nil
  }

  /// Called before the source object with this key is passed to the policy.
  ///
  /// - Parameter row: the row from which it is copied; `nil` where SQL makes its object.
  func begin(_ sourceKey: Int64, _ row: ObjectIdentifier? = nil) {
    outcome = Outcome()
    currentSource = sourceKey
    self.row = row
  }

  /// Called after the policy has handled its source object.
  func end() {
    currentSource = nil
    row = nil
    kept = nil
  }

  /// Keeps the object of the current source object until its hook has returned.
  func keep(_ object: consuming DestinationObject) { kept = object.storage }

  /// The object that was kept; `nil` when there is none. The caller writes it.
  func takeKept() -> DestinationObject.Storage? { kept.take() }

  /// A new instance for the objects of the next batch, if the policy does not need order; otherwise
  /// `nil`, and the current instance is used. The first batch has the one that was made first, unless
  /// a hook was called on it.
  func policyOfBatch() throws -> (any MigrationPolicy)? {
    if needs.contains(.order) { return nil }
    defer { hasBegunBatch = true }
    if !hasBegunBatch, !mappingPlan.hooks.contains(.begin) { return nil }
    return try step.policies.makePolicy(for: mappingPlan.bound.mapping)
  }

  /// Writes all buffered objects to the tables, and counts what was made. Called before anything is
  /// read back, and at the end of a batch.
  func flush() throws {
    let pass = try inPass()
    try pass.associations.flush()
    try pass.objects.flush { account.count(made: $0, $1) }
  }
}
