public import PassageDiagnostics
package import PassageStores

/// What a migration did.
public struct MigrationReport: Sendable {
  /// How a migration can end without an error.
  public enum Outcome: String, Sendable, Hashable {
    /// The migrated store is in place.
    case migrated
    /// The store was compatible with the destination model already, or the destination is what an
    /// earlier run of the same migration has written; nothing was changed.
    case upToDate
  }

  /// One step, with the account of each of its entity mappings in order.
  public struct Step: Sendable, Hashable {
    /// The name of the model it started from.
    public var source: String
    /// The name of the model it ended with.
    public var destination: String
    /// What became of the objects, by entity mapping, in the order they ran.
    public var mappings: [MappingAccount]
    /// The names of the mapping models that were inferred from the two models.
    public var inferred: [String]

    /// Puts the report of a step together.
    public init(
      source: String, destination: String, mappings: [MappingAccount], inferred: [String] = []
    ) {
      self.source = source
      self.destination = destination
      self.mappings = mappings
      self.inferred = inferred
    }
  }

  /// How it ended.
  public var outcome: Outcome
  /// The source store, as it was named.
  public var sourcePath: String
  /// Where the migrated store is.
  public var destinationPath: String
  /// The old store of a migration in place; `nil` when none was kept.
  public var backupPath: String?
  /// The steps, in the order they ran; none when nothing was to do.
  public var steps: [Step]
  /// Whether the run continued the work of an interrupted one.
  public var wasContinued: Bool
  /// Why work left by an earlier run was thrown away; `nil` when there was none.
  public var discardedWork: String?
  /// Source objects quarantined with a reason, each counted once.
  public var quarantined: Int64
  /// The file that names them; `nil` when there are none.
  public var quarantinePath: String?
  /// What to look at; none of it stood in the way.
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
