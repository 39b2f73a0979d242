public import PassageDiagnostics
package import PassageStores

/// What a migration did.
public struct MigrationReport: Sendable {
  /// How a migration can end without an error.
  public enum Outcome: String, Sendable, Hashable {
    /// The migrated store is in place.
    case migrated
    /// The store was already compatible with the destination model, or the destination is what an
    /// earlier run of the same migration wrote; nothing was changed.
    case upToDate
  }

  /// One step, with the account of each of its entity mappings in order.
  public struct Step: Sendable, Hashable {
    /// The name of the source model.
    public var source: String
    /// The name of the destination model.
    public var destination: String
    /// What became of the objects, by entity mapping, in the order in which they ran.
    public var mappings: [MappingAccount]
    /// The names of the mapping models that were inferred from the two models.
    public var inferred: [String]

    /// Creates the report of a step.
    public init(
      source: String, destination: String, mappings: [MappingAccount], inferred: [String] = []
    ) {
      self.source = source
      self.destination = destination
      self.mappings = mappings
      self.inferred = inferred
    }
  }

  /// How the migration ended.
  public var outcome: Outcome
  /// The path of the source store, as it was given.
  public var sourcePath: String
  /// The path of the migrated store.
  public var destinationPath: String
  /// The path of the kept old store of a migration in place; `nil` when none was kept, or when it is
  /// one of ``removedStores``.
  public var backupPath: String?
  /// Old stores of migrations in place that were removed, the oldest first, because more were kept than
  /// ``MigrationOptions/keptStoresLimit``. The old store of this one is among them if others were
  /// written after it, or if none may be kept.
  public var removedStores: [KeptStore] = []
  /// The steps, in the order in which they ran; empty when there was nothing to do.
  public var steps: [Step]
  /// Whether the run continued the work of an interrupted one.
  public var wasContinued: Bool
  /// Why the work of an earlier run was discarded; `nil` when none was.
  public var discardedWork: String?
  /// The number of source objects that were quarantined, each counted once.
  public var quarantined: Int64
  /// The file with the quarantined objects; `nil` when there are none.
  public var quarantinePath: String?
  /// Warnings about the migration; none of them prevented it.
  public var warnings: Diagnostics
  /// What belonged to the source besides its objects, and what became of it.
  public var companions: StoreCompanions
  /// If there was nothing to do, the migration that made the store, as the store records it; `nil`
  /// when the store does not.
  package var record: MigrationRecord?
  /// The duration in seconds, until the store was durable.
  public var seconds: Double
  /// The time that the store records of this migration, in seconds since 2001; `nil` if nothing was migrated.
  package var recordedSeconds: Double?
  /// The seconds that each pass ran in this process, by step and name of the mapping model.
  package var passSeconds: [[String: Double]] = []

  package init(
    outcome: Outcome, sourcePath: String, destinationPath: String, backupPath: String? = nil,
    steps: [Step] = [], wasContinued: Bool = false, discardedWork: String? = nil,
    quarantined: Int64 = 0, quarantinePath: String? = nil,
    warnings: Diagnostics = Diagnostics(), companions: StoreCompanions = StoreCompanions(),
    record: MigrationRecord? = nil, seconds: Double = 0
  ) {
    self.outcome = outcome
    self.sourcePath = sourcePath
    self.destinationPath = destinationPath
    self.backupPath = backupPath
    self.steps = steps
    self.wasContinued = wasContinued
    self.discardedWork = discardedWork
    self.quarantined = quarantined
    self.quarantinePath = quarantinePath
    self.warnings = warnings
    self.companions = companions
    self.record = record
    self.seconds = seconds
  }
}
