internal import PassageSQLite
internal import PassageValues

/// What can be said about a store without its model.
public struct StoreDescription: Sendable, Hashable {
  /// One table and the number of its rows.
  public struct TableSize: Sendable, Hashable {
    public var name: String
    public var rows: Int64
  }

  /// The main file's path, as it was given.
  public var path: String
  public var storeUUID: String
  /// The version identifiers of the model it was written with.
  public var modelVersionIdentifiers: [String]
  /// The number of the framework that wrote it last; `nil` when it does not say.
  public var frameworkVersion: Int64?
  /// The version hash of each entity, by name.
  public var versionHashes: [String: [UInt8]]
  /// The names of the app's own metadata; their values may be secrets and are left out.
  public var appMetadataKeys: [String]
  /// Every table with the number of its rows, in the order of the schema.
  public var tables: [TableSize]
  /// `wal`, or `delete` for any rollback journal.
  public var journalMode: String
  /// The size of a page in bytes.
  public var pageBytes: Int64
  /// The main file's bytes.
  public var mainBytes: Int64
  /// The bytes of the write-ahead log.
  public var walBytes: Int64
  /// The bytes of values in files of their own.
  public var externalBytes: Int64
  /// Whether it carries an archive of its model.
  public var hasModelCache: Bool
  /// Whether it carries persistent history.
  public var hasPersistentHistory: Bool
}

extension OpenStore {
  /// Describes the store; every row is counted.
  ///
  /// - Complexity: O(n) in the rows of the store.
  public func describe() throws(StoreError) -> StoreDescription {
    let schema = try schema()
    let sizes = try reading { connection in
      try schema.tables.map { table in
        StoreDescription.TableSize(
          name: table.name,
          rows: try connection.rowCount(ofTable: table.name))
      }
    }
    return StoreDescription(
      path: unit.path, storeUUID: metadata.storeUUID,
      modelVersionIdentifiers: metadata.modelVersionIdentifiers,
      frameworkVersion: metadata.frameworkVersion, versionHashes: metadata.versionHashes,
      appMetadataKeys: metadata.appMembers.map(\.key), tables: sizes,
      journalMode: header.isWAL ? "wal" : "delete", pageBytes: header.pageBytes,
      mainBytes: (try? FileSystem.status(unit.path))?.bytes ?? 0,
      walBytes: StoreFile.walBytes(of: unit), externalBytes: unit.externalBytes,
      hasModelCache: sizes.contains {
        $0.name == BookkeepingTable.modelCache.rawValue && $0.rows > 0
      },
      hasPersistentHistory: sizes.contains { $0.name == "ATRANSACTION" })
  }
}
