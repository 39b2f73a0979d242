internal import PassageFiles
internal import PassageSQLite
internal import PassageValues

/// What can be read from a store without its model.
package struct StoreDescription: Sendable, Hashable {
  /// One table and the number of its rows.
  package struct TableSize: Sendable, Hashable {
    package var name: String
    package var rows: Int64
  }

  /// The main file's path, as it was given.
  package var path: String
  package var storeUUID: String
  /// The version identifiers of the model it was written with.
  package var modelVersionIdentifiers: [String]
  /// The version number of the framework that wrote it last; `nil` if it is not recorded.
  package var frameworkVersion: Int64?
  /// The version hash of each entity, by name.
  package var versionHashes: [String: [UInt8]]
  /// The keys of the app's own metadata, without the values, which may be secrets.
  package var appMetadataKeys: [String]
  /// Every table with the number of its rows, in the order of the schema.
  package var tables: [TableSize]
  /// `wal`, or `delete` for any rollback journal.
  package var journalMode: String
  /// The size of a page in bytes.
  package var pageBytes: Int64
  /// The size of the main file in bytes.
  package var mainBytes: Int64
  /// The size of the write-ahead log in bytes.
  package var walBytes: Int64
  /// The size of the external values in bytes.
  package var externalBytes: Int64
  /// Whether the store holds an archive of its model.
  package var hasModelCache: Bool
  /// Whether the store holds persistent history.
  package var hasPersistentHistory: Bool
}

extension OpenStore {
  /// Describes the store, counting every row.
  ///
  /// - Complexity: O(n) in the rows of the store.
  package func describe() throws(StoreError) -> StoreDescription {
    let schema = schema
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
