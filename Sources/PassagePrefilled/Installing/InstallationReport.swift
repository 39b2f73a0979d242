public import PassageDiagnostics
public import PassageEngine

/// What the installation of a pre-filled store did.
public struct InstallationReport: Sendable {
  /// How an installation can end without an error.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The pre-filled store is in place, as it was.
    case installed
    /// The pre-filled store is in place, migrated to the requested model.
    case migrated
    /// A store already existed at the destination; nothing was written.
    case alreadyThere
  }

  /// How the installation ended.
  public var outcome: Outcome
  /// The path of the pre-filled store, as it was given.
  public var sourcePath: String
  /// The path of the installed store.
  public var destinationPath: String
  /// The UUID of the store that is now at the destination.
  public var storeUUID: String
  /// The name of that store's model; `nil` when none of the given models has its version hashes.
  public var versionName: String?
  /// The name of the model that the store should have; `nil` when none was requested.
  public var targetName: String?
  /// Whether the store at the destination needs a migration; `nil` when no model was requested.
  public var needsMigration: Bool?
  /// The report of the migration during the installation; `nil` when none was needed.
  public var migration: MigrationReport?
  /// The number of files of external data that were installed with the store.
  public var externalFiles: Int64
  /// Warnings about the installation; none of them prevented it.
  public var warnings: Diagnostics
  /// The duration in seconds, until the store was durable.
  public var seconds: Double

  /// Creates a report.
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
