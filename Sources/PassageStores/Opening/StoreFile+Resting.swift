internal import PassageFiles
internal import PassagePages
internal import PassagePlatform
internal import PassageSQLite

extension StoreFile {
  /// A store at rest must have been left alone for as many seconds. File systems store times as
  /// coarsely as two seconds; a change of a file that is older than that is seen in its time.
  private static let restingSeconds: Int64 = 3

  /// Opens a small store in WAL mode that no program has open, without locks and without creating a
  /// file beside it.
  ///
  /// A program that opens a store in WAL mode creates its log, and keeps it until it has written
  /// everything into the main file. So there is no log, and whatever is written from now on changes
  /// the fingerprint. The caller compares it before anything that was read is relied on.
  ///
  /// - Parameters:
  ///   - path: no link leads from it to another file.
  ///   - maximumBytes: the size of the largest store that is opened like this: one that is read in a
  ///     moment.
  ///   - sight: what was seen of the store a moment ago. It is taken in any case.
  /// - Returns: the store and its fingerprint before it was opened; `nil` for any other store.
  package static func openResting(
    path: String, maximumBytes: Int, sight: StoreSight? = nil
  ) -> (store: OpenStore, fingerprint: StoreFingerprint)? {
    let unit = StoreUnit(path: path)
    if let resting = sight?.take().flatMap({ open(unit, $0, maximumBytes: maximumBytes) }) {
      return resting
    }
    guard maximumBytes > 0, let look = try? look(at: unit), look.header.isWAL, look.isSingle,
      let fingerprint = try? StoreFingerprint(
        path: path, changeCounter: look.header.changeCounter),
      // A program that has opened the store since then has written nothing yet.
      fingerprint.walBytes == 0,
      fingerprint.bytes <= maximumBytes, fingerprint.isOld(seconds: restingSeconds)
    else { return nil }
    let limits = ConnectionLimits.foreign(fileBytes: fingerprint.bytes)
    if let store = byPages(unit, look.header, fingerprint, limits) { return (store, fingerprint) }
    let store = try? OpenStore(
      unit: unit, header: look.header, mode: .immutable, busyTimeout: 0, limits: limits)
    return store.map { ($0, fingerprint) }
  }

  /// Opens a store that was seen to be at rest, by the pages that were read of it.
  private static func open(
    _ unit: StoreUnit, _ seen: StoreSight.Seen, maximumBytes: Int
  ) -> (store: OpenStore, fingerprint: StoreFingerprint)? {
    // SQLite's files are beside the store itself, not beside a link to it.
    guard seen.look.header.isWAL, seen.look.isSingle, !seen.look.isLink,
      let fingerprint = try? StoreFingerprint(seen.look, path: unit.path),
      fingerprint.walBytes == 0, fingerprint.bytes <= maximumBytes,
      fingerprint.isOld(seconds: restingSeconds),
      let pages = try? MetadataPages.pages(ofRest: unit, bytes: fingerprint.bytes, seen.file)
    else { return nil }
    let store = try? MetadataPages.store(
      of: unit, seen.look.header, pages, metadata: seen.metadata,
      limits: .foreign(fileBytes: fingerprint.bytes))
    return store.map { ($0, fingerprint) }
  }

  /// Opens a store whose schema is known by its pages: to read a few rows, SQLite opens the file, and
  /// parses the whole schema.
  private static func byPages(
    _ unit: StoreUnit, _ header: DatabaseHeader, _ fingerprint: StoreFingerprint,
    _ limits: ConnectionLimits
  ) -> OpenStore? {
    // The fingerprint must be that of the file that is read.
    guard let file = try? PositionalFile(unit.path, mode: .reading),
      (try? file.inode) == fingerprint.inode,
      let pages = try? MetadataPages.pages(ofRest: unit, bytes: fingerprint.bytes, file)
    else { return nil }
    return try? MetadataPages.store(of: unit, header, pages, limits: limits)
  }
}

extension StoreFingerprint {
  /// Whether the main file was written last so many seconds ago.
  fileprivate func isOld(seconds: Int64) -> Bool {
    let now = Int64(Date().timeIntervalSince1970)
    return modifiedNanoseconds / 1_000_000_000 < now - seconds
  }
}
