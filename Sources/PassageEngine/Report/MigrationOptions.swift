package import PassageModels
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
  /// What becomes of what belongs to the store beside its objects.
  public var companions = Companions()
  /// How much the migration may take: memory, time, threads.
  public var limits = Limits()
  /// What is written.
  public var output = Output()
  /// The types of store that may be a source or a destination, beside Core Data's own.
  public var storeTypes: StoreTypes

  /// Whether a store that is at the destination's version is written again, object by object.
  package var copiesStoresAtDestination = false

  /// Whether a source that is at the destination's version answers the call, whatever made it: the
  /// version was asked for, and the mapping models are only the way to it. Mapping models that were
  /// named run, or must have run.
  package var isAnsweredByVersion = false

  /// Says which of the known models a store of no known version is most like; `nil` for nothing.
  package typealias NearestModelSummary =
    @Sendable (
      _ versionHashes: [String: [UInt8]], _ storePath: String, _ models: [Model]
    ) -> String?

  /// What a refusal says of a store of no known version. That takes readers of models, which the engine
  /// has not.
  package var nearestModelSummary: NearestModelSummary

  /// The usual way, for a program that knows these types of store.
  package init(
    storeTypes: StoreTypes, nearestModelSummary: @escaping NearestModelSummary = { _, _, _ in nil }
  ) {
    self.storeTypes = storeTypes
    self.nearestModelSummary = nearestModelSummary
  }
}

extension MigrationOptions {
  /// Whether a store that is at the destination's version is written all the same.
  package var isWritingAnyway: Bool { copiesStoresAtDestination || output.type != nil }

  /// Whether each mapping runs object by object.
  package var isForcedToRows: Bool { lane == .rows }

  /// The types of store, within the memory that reading one may take.
  package var boundedStoreTypes: StoreTypes {
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
