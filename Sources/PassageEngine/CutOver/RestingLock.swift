package import PassageFiles
package import PassageStores

/// An exclusive lock on a store that nobody has open, taken without SQLite on the bytes that SQLite
/// locks: while it is held, no connection can read the store or begin a log for it.
///
/// SQLite itself would create a log in order to remove it, and sync a journal for a page that a power
/// failure may leave either way.
package struct RestingLock {
  private let files: FileSystem
  private let lock: RangeLock
  /// The status of the store's file under the lock.
  private let status: FileSystem.Status
  /// The bytes of the header.
  private let start: [UInt8]
  /// The store's header.
  package let header: DatabaseHeader

  /// The bytes that stand for SQLite's locks, of which an exclusive lock takes all: PENDING, RESERVED
  /// and 510 of SHARED. https://www.sqlite.org/src/file/src/os.h, `PENDING_BYTE`.
  private static let lockBytes = (start: Int64(0x4000_0000), count: Int64(512))

  /// Locks a store; `nil` if a file is beside it, or if the lock cannot be had: SQLite then waits for
  /// it, or says what is wrong.
  ///
  /// - Parameters:
  ///   - unit: the store. The lock is to be had only if no program has it open, this one included.
  ///   - isKnownClosed: whether the caller knows that none has; otherwise the system is asked, and the
  ///     lock cannot be had if it does not show who has a file open.
  /// - Throws: `FileSystem.Failure` when the file cannot be read.
  package init?(_ unit: StoreUnit, _ files: FileSystem, isKnownClosed: Bool) throws {
    guard
      let lock = RangeLock(
        unit.path, start: Self.lockBytes.start, count: Self.lockBytes.count,
        isOnlyOpenHere: !isKnownClosed),
      let status = lock.status,
      // Whoever opened the store before the lock would have created one of them in order to write.
      unit.sidecarPaths.allSatisfy({ files.entry($0) == nil })
    else { return nil }
    start = try lock.prefix(DatabaseHeader.byteCount)
    guard let header = DatabaseHeader(start) else { return nil }
    (self.files, self.lock, self.status, self.header) = (files, lock, status, header)
  }

  /// Whether the store was as a fingerprint says when it was locked.
  func isUnchanged(since fingerprint: StoreFingerprint) -> Bool {
    fingerprint.isOf(status, log: nil) && header.changeCounter == fingerprint.changeCounter
  }

  /// Whether the locked file, as it was then, is still the one at its path: a program that asks for no
  /// lock may have put another one there.
  var isStillThere: Bool { (try? FileSystem.ownStatus(lock.path)) == status }

  /// Has the system give back the memory of the store, which was replaced: see
  /// `FileSystem.dropFromCache(_:)`. The lock is held until then.
  func dropFromCache() { files.dropFromCache(lock) }

  /// Ends the log's mode, as SQLite does in a transaction of its own, so that a program that opened the
  /// file while it was locked cannot write a log beside the new store.
  ///
  /// The bytes are in one sector. They need not be durable: with the old ones, too, the file is the
  /// whole old store. Called once.
  ///
  /// - Throws: `FileSystem.Failure` when they cannot be written.
  package func leaveLogMode() throws {
    guard header.isWAL else { return }
    var bytes = start
    bytes.replaceSubrange(18..<20, with: [1, 1])
    // The change counter, and the counter for which the size in pages is valid: section 1.3 of
    // https://www.sqlite.org/fileformat2.html.
    let counter = withUnsafeBytes(of: (header.changeCounter &+ 1).bigEndian) { Array($0) }
    if bytes[24..<28] == bytes[92..<96] { bytes.replaceSubrange(92..<96, with: counter) }
    bytes.replaceSubrange(24..<28, with: counter)
    try files.overwrite(Array(bytes[18..<96]), in: lock, at: 18)
  }
}
