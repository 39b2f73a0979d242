internal import PassagePlatform
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Gives a store that has not been put in place yet a new UUID.
enum FreshIdentity {
  /// Core Data stores the UUID in a column, and in some stores also in the property list.
  private static let key = "NSStoreUUID"

  /// - Parameter path: the store; all its content is in the main file, before and after.
  static func give(to path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    let metadata = try StoreMetadata.read(connection, path: path)
    let uuid = UUID().uuidString
    try connection.execute("PRAGMA synchronous = OFF")
    try StoreMetadata(
      storeUUID: uuid,
      members: metadata.members.map { member in
        member.key == key ? PropertyList.Member(key, .string(uuid)) : member
      }
    ).replace(on: connection)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
