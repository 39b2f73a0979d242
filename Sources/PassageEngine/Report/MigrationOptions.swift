package import PassageModels
public import PassageStores

/// How a migration is carried out.
public struct MigrationOptions: Sendable {
  /// The bounds of a batch.
  public var batch = BatchLimits()
  /// Threads that sort while indexes are built, from 1.
  public var jobs = 1
  /// Whether work left by an interrupted run is thrown away instead of continued.
  public var startsFresh = false
  /// Whether the old store is kept beside the new one when it is migrated in place.
  public var keepsBackup = true
  /// After this time the run stops at its next batch, and the same call continues it.
  public var timeBudget: Duration?
  /// Whether every mapping runs object by object, also those that SQL could carry over. It gives the
  /// same store, slower; `verify` holds the two against each other.
  public var isForcedToRows = false
  /// Whether a mapping model may be inferred where none is named. Plans and reports say which were.
  public var allowsInference = false
  /// Whether the persistent history is left out even where it could be carried over.
  public var leavesOutHistory = false
  /// Whether the state of CloudKit mirroring may be left out; without it such a store is refused.
  public var leavesOutCloudKit = false
  /// Whether tables that Core Data did not make may be left out; without it a store with rows in such
  /// tables is refused.
  public var leavesOutOtherTables = false
  /// What is done when values in files of their own are missing.
  public var missingFiles = MigrationOptions.MissingFiles.keep

  /// The types of store that may be a source or a destination, beside Core Data's own.
  public var storeTypes: StoreTypes
  /// What reading a store may take of memory where its type loads it whole, an XML store; one that
  /// would take more is refused before it is read (`ATM-050`). 512 MiB.
  public var memoryBytes: Int {
    get { storeTypes.memoryBytes }
    set { storeTypes.memoryBytes = newValue }
  }
  /// The name of the type the migrated store is written as; `nil` for Core Data's own layout.
  public var outputType: String?
  /// How values are written where the destination's type has a choice.
  public var writing = StoreWritingOptions()
  /// So many source objects may be set aside in `<destination>.quarantine.jsonl`, each with its
  /// reason, instead of failing the migration.
  public var maximumQuarantined = 0
  /// Which values may be lost. Others end the migration with ``MigrationError/Kind/valuesLost``: before
  /// anything is written where the plan knows of them, and otherwise before anything is put in place.
  public var losses = AllowedLosses.all

  /// Whether a store that is at the destination's version is written anew, object by object.
  package var copiesStoresAtDestination = false

  /// Whether a source that is at the destination's version answers the call, whatever made it: the
  /// version was asked for, and the mapping models are only the way to it. Mapping models that were
  /// named run, or must have run.
  package var isAnsweredByVersion = false

  /// Whether a store that is at the destination's version is written all the same.
  package var isWritingAnyway: Bool { copiesStoresAtDestination || outputType != nil }

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
  /// What a migration does with references to files of external data that are missing, and with those
  /// that name no file.
  public enum MissingFiles: String, Sendable, Hashable, Codable, CaseIterable {
    /// The migration is refused before anything is written.
    case refuse
    /// The references are carried over as they are, and told. A value that must be read from a missing
    /// file, because the new model keeps it in the column, is refused.
    case keep
    /// As `keep`, and a value that must be read becomes nil.
    case drop
  }
}

/// Where the migrated store goes.
package enum MigrationDestination: Sendable, Hashable {
  /// A new file; the source stays as it is.
  case file(String)
  /// The source's own path.
  case inPlace
}
