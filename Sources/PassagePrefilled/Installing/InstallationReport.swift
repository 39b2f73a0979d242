public import PassageDiagnostics
public import PassageEngine

/// What the installation of a pre-filled store did.
public struct InstallationReport: Sendable {
  /// How an installation can end without an error.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The pre-filled store is in place, as it was.
    case installed
    /// The pre-filled store is in place, migrated to the model asked for.
    case migrated
    /// There was a store at the destination already; nothing was written.
    case alreadyThere
  }

  /// How it ended.
  public var outcome: Outcome
  /// The pre-filled store, as it was named.
  public var sourcePath: String
  /// Where the store is now.
  public var destinationPath: String
  /// The UUID of the store that is now at the destination.
  public var storeUUID: String
  /// The known model that store has; `nil` when none of the models given has its version hashes.
  public var versionName: String?
  /// The model the store should have; `nil` when none was asked for.
  public var targetName: String?
  /// Whether the store at the destination needs a migration; `nil` when no model was asked for.
  public var needsMigration: Bool?
  /// What the migration on the way in did; `nil` when none was needed.
  public var migration: MigrationReport?
  /// Files of external data that came with the store.
  public var externalFiles: Int64
  /// What to look at; none of it stood in the way.
  public var warnings: Diagnostics
  /// Seconds from the call to the durable end.
  public var seconds: Double

  /// Puts a report together.
  public init(
    outcome: Outcome, sourcePath: String, destinationPath: String, storeUUID: String,
    versionName: String? = nil, targetName: String? = nil, needsMigration: Bool? = nil,
    migration: MigrationReport? = nil, externalFiles: Int64 = 0,
    warnings: Diagnostics = Diagnostics(), seconds: Double = 0
  ) {
    self.outcome = outcome
    self.sourcePath = sourcePath
    self.destinationPath = destinationPath
    self.storeUUID = storeUUID
    self.versionName = versionName
    self.targetName = targetName
    self.needsMigration = needsMigration
    self.migration = migration
    self.externalFiles = externalFiles
    self.warnings = warnings
    self.seconds = seconds
  }
}
