public import PassageDiagnostics
package import PassageStores

/// What a migration did.
public struct MigrationReport: Sendable {
  public enum Outcome: String, Sendable, Hashable {
    case migrated
    /// The store was compatible with the destination model already, or the destination is what an
    /// earlier run of the same migration has written; nothing was changed.
    case upToDate
  }

  /// One step, with the account of each of its entity mappings in order.
  public struct Step: Sendable, Hashable {
    public var source: String
    public var destination: String
    public var mappings: [MappingAccount]
    /// The names of the mapping models that were inferred from the two models.
    public var inferred: [String]

    public init(
      source: String, destination: String, mappings: [MappingAccount], inferred: [String] = []
    ) {
      self.source = source
      self.destination = destination
      self.mappings = mappings
      self.inferred = inferred
    }
  }

  public var outcome: Outcome
  public var sourcePath: String
  public var destinationPath: String
  /// The old store of a migration in place; `nil` when none was kept.
  public var backupPath: String?
  public var steps: [Step]
  /// Whether the run continued the work of an interrupted one.
  public var wasContinued: Bool
  /// Why work left by an earlier run was thrown away; `nil` when there was none.
  public var discardedWork: String?
  /// Source objects set aside with a reason, each counted once.
  public var quarantined: Int64
  /// The file that names them; `nil` when there are none.
  public var quarantinePath: String?
  public var warnings: Diagnostics
  /// What belonged to the source beside its objects, and what became of it.
  public var companions: StoreCompanions
  /// The migration that made the store when nothing was to do, as the store records it; `nil` where it
  /// does not say.
  package var record: MigrationRecord?
  /// Seconds from the call to the durable end.
  public var seconds: Double

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
