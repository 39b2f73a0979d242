internal import PassageFiles
internal import PassageSQLite

extension StoreMetadata {
  /// Reads a store's metadata quickly, for a check whether anything is to be done.
  ///
  /// When nobody has the store open, which the missing log of a store in WAL mode tells, two pages
  /// are read without a lock and without making files beside the store; a store that changed in the
  /// meantime, and any other, is read again in the usual way.
  ///
  /// - Throws: ``StoreError``, as ``StoreFile/open(path:busyTimeout:)`` does, and
  ///   `unreadableMetadata`.
  /// - Complexity: O(1): it does not depend on the size of the store.
  package static func read(path: String) throws(StoreError) -> StoreMetadata {
    let unit = StoreUnit(path: path)
    let header = try StoreFile.readHeader(path: path)
    if header.isWAL, isIdle(unit), let before = try? StoreFingerprint(path: path),
      let store = try? OpenStore(unit: unit, header: header, mode: .immutable, busyTimeout: 0),
      isIdle(unit), try StoreFingerprint(path: path) == before
    {
      return store.metadata
    }
    return try StoreFile.open(path: path).metadata
  }

  /// Whether no sidecar holds anything: a program that has a store in WAL mode open has made its log.
  private static func isIdle(_ unit: StoreUnit) -> Bool {
    unit.sidecarPaths.allSatisfy { ((try? FileSystem.status($0))?.bytes ?? 0) == 0 }
  }
}
