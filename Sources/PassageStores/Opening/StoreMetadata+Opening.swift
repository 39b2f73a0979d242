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
    if let found = try seen(at: path) { return found }
    return (try StoreFile.open(path: path).metadata, nil)
  }

  /// Reads the metadata of a store that has no file beside it and is not reached through a link, as a
  /// store at rest is.
  ///
  /// - Returns: `nil` for any other store.
  /// - Throws: ``StoreError`` when it cannot be looked at.
  package static func seeSingle(
    path: String
  ) throws(StoreError) -> (metadata: StoreMetadata, sight: StoreSight?)? {
    try seen(at: path, isSingle: true)
  }

  /// What is read of a store without SQLite; `nil` where SQLite must open it. Then the file is closed
  /// again: if it was closed later, that would release SQLite's locks.
  private static func seen(
    at path: String, isSingle: Bool = false
  ) throws(StoreError) -> (metadata: StoreMetadata, sight: StoreSight?)? {
    let unit = StoreUnit(path: path)
    let (look, file) = try StoreFile.open(unit)
    guard !isSingle || look.isSingle && !look.isLink, look.header.isWAL, look.isAlone,
      let metadata = try? MetadataPages.metadata(of: unit, look, file), look.isStill(at: unit, file)
    else { return nil }
    let sight = StoreSight(
      StoreSight.Seen(unit: unit, look: look, metadata: metadata, file: file))
    return (metadata, sight)
  }
}
