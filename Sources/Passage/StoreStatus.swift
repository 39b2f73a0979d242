/// Which version a store is, against the one it should be.
public struct StoreStatus: Sendable, Hashable {
  /// The name of the store's version in the history; `nil` when it is not one of them.
  public var versionName: String?
  /// The name of the version asked for.
  public var targetName: String
  /// The UUID that Core Data gave the store; empty for a type of store that has none.
  public var storeUUID: String

  /// Whether the store has another version than the one asked for.
  public var needsMigration: Bool { versionName != targetName }
}
