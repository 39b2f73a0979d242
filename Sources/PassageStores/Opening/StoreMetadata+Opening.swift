internal import PassageFiles

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
    try see(path: path).metadata
  }

  /// Reads a store's metadata like ``read(path:)``, for a store that is likely to be opened next.
  ///
  /// - Returns: also what was seen; `nil` where SQLite had to open the store.
  /// - Throws: as above.
  package static func see(
    path: String
  ) throws(StoreError) -> (metadata: StoreMetadata, sight: StoreSight?) {
    let unit = StoreUnit(path: path)
    let look = try StoreFile.look(at: unit)
    if look.header.isWAL, look.isAlone,
      let (metadata, pages) = try? MetadataPages.metadata(of: unit, bytes: look.status.bytes),
      look.isStill(at: unit)
    {
      let sight = StoreSight(
        StoreSight.Seen(unit: unit, look: look, metadata: metadata, pages: pages))
      return (metadata, sight)
    }
    return (try StoreFile.open(path: path).metadata, nil)
  }
}
