package import PassageModels
public import PassagePlatform
public import PassageStores

/// How a migration is carried out.
///
/// Related options are grouped: ``allowed`` is what the migration may do only with your permission,
/// ``companions`` what happens to the contents besides the objects, ``limits`` how much the
/// migration may use, and ``output`` what it writes. The other options choose how it runs.
///
/// ```swift
/// var options = MigrationOptions()
/// options.limits.timeBudget = .seconds(20)
/// options.allowed.losses = .only(["Note.color"])
/// options.companions.history = .leaveOut
/// options.oldStore = .remove
/// ```
public struct MigrationOptions: Sendable {
  /// The lane in which objects are migrated. All lanes give the same store.
  public var lane = Lane.automatic
  /// What happens to the work of an interrupted run.
  public var unfinishedWork = UnfinishedWork.continue
  /// What happens to the old store in a migration in place.
  public var oldStore = OldStore.keep
  /// The folder in which a migration in place keeps the old store; `nil` for the store's own. On
  /// another file system the store is copied there. Stores of one name may share it: their kept stores
  /// have a mark of the store's place in their names.
  ///
  /// The mark is that of the way from this folder to the store. It stays the same if both are moved together,
  /// as with the container of an app on iOS at an update or when a backup is restored. If one of them is
  /// moved alone, what was kept before is not listed any more. Stores that are kept in the store's own
  /// folder have no mark and are found.
  public var keptStoresFolder: URL?
  /// How many stores that migrations in place have replaced remain, those that were written last,
  /// after a migration in place; `nil` for all. With 0 the store that was just replaced is removed too. A
  /// migration in place with a number below 0 is refused before anything is written (`RUN-093`).
  public var keptStoresLimit: Int?
  /// Whether SQLite checks the finished store as a whole before it is put in place
  /// (`PRAGMA integrity_check`), in every lane: every page, and every index against its table. If
  /// this is `false`, SQLite checks pages that were written without it: those of a store of at most
  /// 1,024 pages in the same way, those of a larger one without comparing indexes with tables
  /// (`PRAGMA quick_check`). It checks a store so too whose migration an earlier process has begun.
  public var checksIntegrity = false
  /// What the migration may do only if it is allowed here.
  public var allowed = Allowed()
  /// What happens to the contents of the store that are not objects of its model.
  public var companions = Companions()
  /// How much memory, time and threads the migration may use.
  public var limits = Limits()
  /// What type of store is written, and how.
  public var output = Output()
  /// The types of store, besides Core Data's own, that may be a source or a destination.
  public var storeTypes: StoreTypes

  /// Whether a store that already has the destination's version is written again, object by object.
  package var copiesStoresAtDestination = false

  /// Whether links whose keys were moved are looked up in the source, so that another migration can be
  /// compared with this one. Links that are made page by page in memory are not.
  package var provesLinks = false

  /// The time of the migration; `nil` for the one at which it begins. A migration that is compared with
  /// another has that one's time.
  package var present: FrozenPresent?

  /// Whether a source that has the destination's version needs no migration, whatever made it: the
  /// call asks for the version, and the mapping models are only the way to it. If this is `false`,
  /// the named mapping models are run, or must have run.
  package var isAnsweredByVersion = false

  /// Names the known model that is most similar to a store of no known version; `nil` for none.
  package typealias NearestModelSummary =
    @Sendable (
      _ versionHashes: [String: [UInt8]], _ storePath: String, _ models: [Model]
    ) -> String?

  /// Names a known model with exactly these version hashes that the call does not name; `nil` for none.
  package var nameOfOtherModel: @Sendable (_ versionHashes: [String: [UInt8]]) -> String? = { _ in
    nil
  }

  /// The text that a refusal adds about a store of no known version. It needs readers of models,
  /// which the engine does not have.
  package var nearestModelSummary: NearestModelSummary

  /// The default options, for a program that knows these types of store.
  package init(
    storeTypes: StoreTypes, nearestModelSummary: @escaping NearestModelSummary = { _, _, _ in nil }
  ) {
    self.storeTypes = storeTypes
    self.nearestModelSummary = nearestModelSummary
  }
}

extension MigrationOptions {
  /// Whether a store that has the destination's version is written anyway.
  package var isWritingAnyway: Bool { copiesStoresAtDestination || output.type != nil }

  /// Whether all mappings run object by object.
  package var isForcedToRows: Bool { lane == .row }

  /// Whether objects may be made page by page.
  package var usesPages: Bool { lane == .automatic || lane == .page }

  /// The types of store, with the limit on the memory for reading one.
  package var boundedStoreTypes: StoreTypes {
    var types = storeTypes
    if let memoryBytes = limits.memoryBytes { types.memoryBytes = memoryBytes }
    return types
  }
}

/// Where the migrated store goes.
package enum MigrationDestination: Sendable, Hashable {
  /// A new file; the source is not changed.
  case file(String)
  /// The source's own path.
  case inPlace
}
