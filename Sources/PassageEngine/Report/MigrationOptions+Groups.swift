public import PassageStores

extension MigrationOptions {
  /// What the migration may do only because it is said here.
  public struct Allowed: Sendable, Hashable {
    /// Whether a mapping model may be inferred where none is named. Plans and reports say which were.
    public var inference = false
    /// Which values may be lost. Others end the migration with ``MigrationError/Kind/valuesLost``:
    /// before anything is written where the plan knows of them, and otherwise before anything is put in
    /// place.
    public var losses = AllowedLosses.all
    /// So many source objects may be quarantined in `<destination>.quarantine.jsonl`, each with its
    /// reason, instead of failing the migration.
    public var quarantined = 0

    /// No inference, no quarantined object; values may be lost, and are reported.
    public init() {}
  }

  /// What becomes of what belongs to a store beside its objects.
  public struct Companions: Sendable, Hashable {
    /// What becomes of the persistent history.
    public enum History: String, Sendable, Hashable, Codable, CaseIterable {
      /// It is carried over where the new model can express it; otherwise the report says why not.
      case carryOver
      /// It is left out, also where it could be carried over.
      case leaveOut
    }

    /// What becomes of what a migration never carries over.
    public enum Unmodelled: String, Sendable, Hashable, Codable, CaseIterable {
      /// A store that has it is refused.
      case refuse
      /// It is left out, and reported.
      case leaveOut
    }

    /// What becomes of the persistent history.
    public var history = History.carryOver
    /// What becomes of the state of CloudKit mirroring. Without it the app syncs again.
    public var cloudKit = Unmodelled.refuse
    /// What becomes of tables with rows that Core Data did not make.
    public var otherTables = Unmodelled.refuse
    /// What is done when values in files of their own are missing.
    public var missingFiles = MissingFiles.keep

    /// What can be carried over is; a store with more than that is refused.
    public init() {}
  }

  /// How much a migration may take.
  public struct Limits: Sendable, Hashable {
    /// The bounds of a batch.
    public var batch = BatchLimits()
    /// Threads that sort while indexes are built, from 1.
    public var jobs = 1
    /// The memory, in bytes, that reading a store of a type that is loaded as a whole may take, such as an
    /// XML store. A store that would take more is refused before it is read (`ATM-050`). `nil` for the bound
    /// of ``MigrationOptions/storeTypes``: 512 MiB unless they were made with another one.
    public var memoryBytes: Int?
    /// After this time the run stops at its next batch, and the same call continues it; `nil` for
    /// no limit.
    public var timeBudget: Duration?

    /// Batches of the usual size, one thread, no time limit.
    public init() {}
  }

  /// What is written.
  public struct Output: Sendable, Hashable {
    /// The name of the type the migrated store is written as; `nil` for Core Data's own layout.
    public var type: String?
    /// How values are written where that type has a choice.
    public var writing = StoreWritingOptions()

    /// Core Data's own layout.
    public init() {}
  }
}
