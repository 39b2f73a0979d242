public import PassageEngine

/// How a pre-filled store is installed.
public struct InstallationOptions: Sendable {
  /// Which UUID the installed store has.
  public enum Identity: String, Sendable, Hashable, CaseIterable {
    /// That of the pre-filled store, as a copy made by Core Data or by hand has: URIs of objects that
    /// the app ships or keeps stay valid, and every installation gives the same bytes.
    case kept
    /// One of its own: two stores with one UUID cannot be open in one coordinator, and a server that
    /// distinguishes stores by it would take all installations for one.
    case fresh
  }

  /// Which UUID the installed store has.
  public var identity = Identity.kept
  /// How long another process is waited for that is installing the same store.
  public var patience = Duration.seconds(600)
  /// How a migration on the way in is carried out.
  public var migration: MigrationOptions

  /// The usual way, where a migration on the way in is carried out like this.
  package init(migration: MigrationOptions) { self.migration = migration }
}
