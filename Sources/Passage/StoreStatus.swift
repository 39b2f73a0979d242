/// The version of a store, compared with the version it should have.
public struct StoreStatus: Sendable, Hashable {
  /// The name of the store's version in the history; `nil` when it is not in the history.
  public var versionName: String?
  /// The name of the requested version.
  public var targetName: String
  /// The UUID that Core Data gave the store; empty for a type of store that has none.
  public var storeUUID: String

  /// Whether the store's version is not the requested one.
  public var needsMigration: Bool { versionName != targetName }
}
