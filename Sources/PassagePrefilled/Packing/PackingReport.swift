public import PassageDiagnostics
public import PassageStores

/// What packing a store did.
public struct PackingReport: Sendable {
  /// How a packing can end without an error.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The packed store is in place.
    case packed
    /// The very same packed store was in place already; nothing was written.
    case unchanged
  }

  /// The objects of one entity.
  public struct EntityCount: Sendable, Hashable {
    /// The entity's name.
    public var name: String
    /// Its objects, without those of entities that inherit from it.
    public var count: Int64
  }

  /// How it ended.
  public var outcome: Outcome
  /// The live store, as it was named.
  public var sourcePath: String
  /// Where the packed store is now.
  public var outputPath: String
  /// The UUID of the packed store, which is that of the live one.
  public var storeUUID: String
  /// How the packed store keeps its transactions.
  public var journalMode: PackingOptions.JournalMode
  /// The source's main file and log, in bytes.
  public var sourceBytes: Int64
  /// The bytes of the source's log.
  public var sourceLogBytes: Int64
  /// The packed main file, in bytes.
  public var packedBytes: Int64
  /// Every entity of the model, by number; each was found in the packed store as in the source.
  public var entities: [EntityCount]
  /// Rows of all tables, those of no entity included; each was compared.
  public var rows: Int64
  /// Which files of external data came along, and how many; `nil` when the store has no such folder.
  public var externalFiles: PackingOptions.ExternalFiles?
  /// How many files of external data came along.
  public var externalFileCount: Int64
  /// The source's references against its files; `nil` when there are neither.
  public var externalData: ExternalDataReport?
  /// What to look at; none of it stood in the way.
  public var warnings: Diagnostics
  /// Seconds from the call to the durable end.
  public var seconds: Double
}
