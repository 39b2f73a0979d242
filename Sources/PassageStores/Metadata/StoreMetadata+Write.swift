package import PassageSQLite
internal import PassageValues

extension StoreMetadata {
  /// Writes this metadata over that of a store which has some, UUID included.
  ///
  /// - Parameter connection: to a store that has not been put in place yet.
  package func replace(on connection: Connection) throws {
    try connection.execute(
      "UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ? WHERE Z_VERSION = (SELECT Z_VERSION "
        + "FROM Z_METADATA ORDER BY Z_VERSION <> 1, Z_VERSION LIMIT 1)",
      [.text(storeUUID), .blob(propertyListBytes)])
  }
}
