/// The tables that every store has besides those of its model.
package enum BookkeepingTable: String, Sendable, Hashable, CaseIterable {
  /// Entity numbers and the largest key of each root entity.
  case primaryKeys = "Z_PRIMARYKEY"
  /// The store's UUID and its metadata.
  case metadata = "Z_METADATA"
  /// A compressed archive of the model the store was last opened with.
  case modelCache = "Z_MODELCACHE"

  /// The statement that creates the table, as Core Data writes it.
  package var createStatement: String {
    switch self {
    case .primaryKeys:
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
        + "Z_MAX INTEGER)"
    case .metadata:
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
    case .modelCache: "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"
    }
  }

  /// The tables of persistent history, which some stores have, in the order in which Core Data
  /// numbers their entities.
  package static let historyNames = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
}
