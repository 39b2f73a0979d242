public import PassageDiagnostics
public import PassageStores

/// What packing a store did.
public struct PackingReport: Sendable {
  /// How a packing can end without an error.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The packed store is in place.
    case packed
    /// The identical packed store was already in place; nothing was written.
    case unchanged
  }

  /// The objects of one entity.
  public struct EntityCount: Sendable, Hashable {
    /// The entity's name.
    public var name: String
    /// The number of its objects, without those of subentities.
    public var count: Int64
  }

  /// How the packing ended.
  public var outcome: Outcome
  /// The path of the live store, as it was given.
  public var sourcePath: String
  /// The path of the packed store.
  public var outputPath: String
  /// The UUID of the packed store, which is that of the live one.
  public var storeUUID: String
  /// The journal mode of the packed store.
  public var journalMode: PackingOptions.JournalMode
  /// The size of the source's main file in bytes.
  public var sourceBytes: Int64
  /// The size of the source's log in bytes.
  public var sourceLogBytes: Int64
  /// The size of the packed main file in bytes.
  public var packedBytes: Int64
  /// Every entity of the model, by number. The counts of source and packed store are equal.
  public var entities: [EntityCount]
  /// The number of compared rows in all tables, including those that belong to no entity.
  public var rows: Int64
  /// Which files of external data were packed; `nil` when the store has no such folder.
  public var externalFiles: PackingOptions.ExternalFiles?
  /// The number of files of external data that were packed.
  public var externalFileCount: Int64
  /// The result of comparing the source's references with its files; `nil` when there are neither.
  public var externalData: ExternalDataReport?
  /// Warnings about the packing; none of them prevented it.
  public var warnings: Diagnostics
  /// The duration in seconds, until the store was durable.
  public var seconds: Double
}
