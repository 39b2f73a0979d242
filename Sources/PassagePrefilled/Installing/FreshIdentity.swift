internal import PassageSQLite
internal import PassageStores
internal import PassageValues
internal import PassagePlatform

/// Gives a store that has not been put in place yet a new UUID.
enum FreshIdentity {
  /// Core Data stores the UUID in a column, and in some stores also in the property list.
  private static let key = "NSStoreUUID"

  /// - Parameter path: the store; all its content is in the main file, before and after.
  static func give(to path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    let metadata = try StoreMetadata.read(connection, path: path)
    let uuid = UUID().uuidString
    let row = "WHERE Z_VERSION = (SELECT Z_VERSION FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1)"
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("UPDATE Z_METADATA SET Z_UUID = ? \(row)", [.text(uuid)])
    if metadata[key] != nil {
      let changed = StoreMetadata(
        storeUUID: uuid,
        members: metadata.members.map { member in
          member.key == key ? PropertyList.Member(key, .string(uuid)) : member
        })
      try connection.execute(
        "UPDATE Z_METADATA SET Z_PLIST = ? \(row)", [.blob(changed.propertyListBytes)])
    }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
