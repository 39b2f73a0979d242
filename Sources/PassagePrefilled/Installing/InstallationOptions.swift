public import PassageEngine

/// How a pre-filled store is installed.
public struct InstallationOptions: Sendable {
  /// The UUID of the installed store.
  public enum Identity: String, Sendable, Hashable, CaseIterable {
    /// The UUID of the pre-filled store, as in a copy made by Core Data or by hand. URIs of objects
    /// that the app ships or stores stay valid, and every installation gives the same bytes.
    case kept
    /// A new UUID. Two stores with the same UUID cannot be open in one coordinator, and a server
    /// that identifies stores by UUID would confuse all installations.
    case fresh
  }

  /// The UUID of the installed store.
  public var identity = Identity.kept
  /// How long to wait for another process that is installing the same store.
  public var patience = Duration.seconds(600)
  /// The options of a migration during the installation.
  public var migration: MigrationOptions

  /// The default options, with these options for a migration during the installation.
  package init(migration: MigrationOptions) { self.migration = migration }
}
