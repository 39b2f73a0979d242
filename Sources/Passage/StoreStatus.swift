/// The version of a store, compared with the version it should have.
public struct StoreStatus: Sendable, Hashable {
  /// The name of the store's version in the history; `nil` when it is not in the history.
  public var versionName: String?
  /// The name of the requested version.
  public var targetName: String
  /// The UUID that Core Data gave the store; empty for a type of store that has none.
  public var storeUUID: String

  /// Whether the store's version is not the requested one: a program of that version cannot open it as it
  /// is.
  ///
  /// It does not say that a migration can be made. A store of a newer program, or of none that the history
  /// knows, has no ``versionName``, and ``StoreUpgrade/run(storeAt:to:options:progress:)`` refuses it
  /// (`PLN-016`); from a known version no steps may lead to the requested one (`PLN-019`).
  /// ``StoreUpgrade/plan(storeAt:to:options:)`` finds out.
  public var needsMigration: Bool { versionName != targetName }
}
