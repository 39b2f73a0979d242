internal import PassageFiles
internal import PassageSQLite

extension StoreMetadata {
  /// Reads a store's metadata quickly, to decide whether there is anything to do.
  ///
  /// If nobody has the store open, which the missing log of a store in WAL mode shows, a few pages
  /// are read without a lock and without creating files beside the store. Any other store, and one
  /// that changed in the meantime, is read in the usual way.
  ///
  /// - Throws: ``StoreError``, as ``StoreFile/open(path:busyTimeout:)`` does, and
  ///   `unreadableMetadata`.
  /// - Complexity: O(1), whatever the size of the store.
  package static func read(path: String) throws(StoreError) -> StoreMetadata {
    let unit = StoreUnit(path: path)
    let header = try StoreFile.readHeader(path: path)
    if header.isWAL, isIdle(unit),
      let before = try? StoreFingerprint(path: path, changeCounter: header.changeCounter),
      let metadata = try? MetadataPages.metadata(of: unit),
      isIdle(unit), try StoreFingerprint(path: path) == before
    {
      return metadata
    }
    return try StoreFile.open(path: path).metadata
  }

  /// Whether all sidecar files are empty or missing. A program that has a store in WAL mode open
  /// has created its log.
  private static func isIdle(_ unit: StoreUnit) -> Bool {
    unit.sidecarPaths.allSatisfy { ((try? FileSystem.status($0))?.bytes ?? 0) == 0 }
  }
}
