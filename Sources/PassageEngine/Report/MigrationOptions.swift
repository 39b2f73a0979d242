internal import PassageAtomicStores
public import PassageStores

/// How a migration is carried out.
///
/// Options that belong together are in groups: what the migration may do only because you say so is
/// ``allowed``, what belongs to a store beside its objects ``companions``, how much it may take
/// ``limits``, and what it writes ``output``. The rest say which way it goes.
///
/// ```swift
/// var options = MigrationOptions()
/// options.limits.timeBudget = .seconds(20)
/// options.allowed.losses = .only(["Note.color"])
/// options.companions.history = .leaveOut
/// options.oldStore = .remove
/// ```
public struct MigrationOptions: Sendable {
  /// Which lane carries objects over. All lanes give the same store.
  public var lane = Lane.automatic
  /// What becomes of the work that an interrupted run has left.
  public var unfinishedWork = UnfinishedWork.continue
  /// What becomes of the old store when it is migrated in place.
  public var oldStore = OldStore.keep
  /// What the migration may do only because it is said here.
  public var allowed = Allowed()
  /// What becomes of that which belongs to the store beside its objects.
  public var companions = Companions()
  /// How much the migration may take: memory, time, threads.
  public var limits = Limits()
  /// What is written.
  public var output = Output()
  /// The types of store that may be a source or a destination, beside Core Data's own.
  public var storeTypes = StoreTypes.builtIn

  /// Whether a store that is at the destination's version is written anew, object by object.
  package var copiesStoresAtDestination = false

  /// Whether a source that is at the destination's version answers the call, whatever made it: the
  /// version was asked for, and the mapping models are only the way to it. Mapping models that were
  /// named run, or must have run.
  package var isAnsweredByVersion = false

  /// The usual way: see each option for what that means.
  public init() {}
}

extension MigrationOptions {
  /// Whether a store that is at the destination's version is written all the same.
  var isWritingAnyway: Bool { copiesStoresAtDestination || output.type != nil }

  /// Whether each mapping runs object by object.
  package var isForcedToRows: Bool { lane == .rows }

  /// The types of store, within the memory that reading one may take.
  var boundedStoreTypes: StoreTypes {
    var types = storeTypes
    if let memoryBytes = limits.memoryBytes { types.memoryBytes = memoryBytes }
    return types
  }
}

/// Where the migrated store goes.
package enum MigrationDestination: Sendable, Hashable {
  /// A new file; the source stays as it is.
  case file(String)
  /// The source's own path.
  case inPlace
}
