public import PassageStores

extension MigrationOptions {
  /// What the migration may do only if it is allowed here.
  public struct Allowed: Sendable, Hashable {
    /// Whether a mapping model may be inferred if none is named. Plans and reports name the
    /// inferred ones.
    public var inference = false
    /// Which values may be lost. Other losses end the migration with
    /// ``MigrationError/Kind/valuesLost``: before anything is written if the plan can find them,
    /// otherwise before anything is put in place.
    public var losses = AllowedLosses.all
    /// The maximum number of source objects that may be quarantined in
    /// `<destination>.quarantine.jsonl`, each with its reason, instead of making the migration
    /// fail; less than 0 counts as 0.
    public var quarantined = 0 {
      didSet { quarantined = max(0, quarantined) }
    }

    /// No inference and no quarantined objects; any value may be lost, and losses are reported.
    public init() {}
  }

  /// What happens to the contents of a store that are not objects of its model.
  public struct Companions: Sendable, Hashable {
    /// What happens to the persistent history.
    public enum History: String, Sendable, Hashable, Codable, CaseIterable {
      /// It is carried over if the new model can express it; otherwise the report says why not.
      case carryOver
      /// It is left out, even if it could be carried over.
      case leaveOut
    }

    /// What happens to contents that a migration never carries over.
    public enum Unmodelled: String, Sendable, Hashable, Codable, CaseIterable {
      /// A store with such contents is refused.
      case refuse
      /// They are left out, and reported.
      case leaveOut
    }

    /// What happens to the persistent history.
    public var history = History.carryOver
    /// What happens to the state of CloudKit mirroring. Without it the app syncs again.
    public var cloudKit = Unmodelled.refuse
    /// What happens to tables with rows that Core Data did not make.
    public var otherTables = Unmodelled.refuse
    /// What happens when values in files of their own are missing.
    public var missingFiles = MissingFiles.keep

    /// Carries over what can be carried over, and refuses a store with other contents.
    public init() {}
  }

  /// How much memory, time and threads a migration may use.
  public struct Limits: Sendable, Hashable {
    /// The limits of a batch.
    public var batch = BatchLimits()
    /// The number of threads that count objects and make them page by page, read the written pages
    /// again, have SQLite check them, and sort the entries of indexes; at least 1, and more than 32 count
    /// as 32. It changes no key, no account and no byte of the objects' tables.
    ///
    /// Threads share a table where batches are not small, with instances of a policy that needs
    /// neither ``MigrationContext/Need/order`` nor ``MigrationContext/Need/furtherObjects``. A table
    /// whose rows' links are looked up is made by one.
    public var jobs = 1
    /// The memory, in bytes, that may be used to read a store of a type that is loaded as a whole,
    /// such as an XML store. A store that needs more is refused before it is read (`ATM-050`).
    /// `nil` for the limit of ``MigrationOptions/storeTypes``, which is 512 MiB by default.
    public var memoryBytes: Int?
    /// The memory, in bytes, in which a migration may keep its work instead of the work folder. A
    /// migration that is estimated to fit writes nothing but the finished store. If it is
    /// interrupted, the same call begins again. 0 keeps all work in the folder.
    ///
    /// Only the work of a migration of one step between two stores of Core Data's type is kept in
    /// memory: without files of external data, quarantined objects or a time budget, and in any
    /// lane but ``MigrationOptions/Lane/page``.
    public var workMemoryBytes = 16 << 20
    /// After this time the run stops at its next batch, and the same call continues it; `nil` for
    /// no limit. A continued run does at least one piece of work, whatever time that takes, because some
    /// cannot be divided.
    public var timeBudget: Duration?

    /// Each thread has memory of its own.
    private static let mostThreads = 32

    /// The threads that may work beside each other.
    var threadCount: Int { max(1, min(jobs, Self.mostThreads)) }

    /// Batches of the default size, one thread, no time limit.
    public init() {}
  }

  /// What type of store is written, and how.
  public struct Output: Sendable, Hashable {
    /// The name of the type in which the migrated store is written; `nil` for Core Data's own.
    public var type: String?
    /// How values are written where that type offers a choice.
    public var writing = StoredObjects.WritingOptions()

    /// Core Data's own type.
    public init() {}
  }
}
