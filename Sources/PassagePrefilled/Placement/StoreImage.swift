internal import PassageDiagnostics
package import PassageEngine
package import PassageFiles
internal import PassageSQLite
package import PassageStores

/// A private copy of a store's main file with everything that is committed, made without changing
/// the store or its folder.
///
/// If no program has the store open, its files are copied, including the log or journal, and SQLite
/// then applies these to the copy. SQLite itself would create its index beside the store, which is
/// impossible in a read-only folder. A store that is in use is read through SQLite, page by page,
/// inside one read transaction.
package struct StoreImage {
  private let files: FileSystem
  private let control: RunControl

  /// The number of attempts if the store changes while it is copied.
  private static let attempts = 5

  package init(files: FileSystem, control: RunControl) {
    self.files = files
    self.control = control
  }

  /// Makes the copy: one file that only its owner can read, not synced.
  ///
  /// - Parameters:
  ///   - source: the store.
  ///   - path: where the copy is made; no file may exist there.
  /// - Throws: `StoreError`, as `StoreFile.open` does; `SourceChanged` when another program writes
  ///   faster than the store can be copied.
  package func make(of source: StoreUnit, at path: String) throws {
    let copy = StoreUnit(path: path)
    for _ in 0..<Self.attempts {
      try control.checkCancellation()
      if try isInUse(source), try copyPages(of: source, to: path) { return }
      if try copyFiles(of: source, to: copy) { return try fold(copy) }
      for path in [copy.path] + copy.sidecarPaths { try files.remove(path) }
    }
    throw SourceChanged()
  }

  /// Whether a program has the store open, or was killed while it did: the log's index exists as
  /// long as the store is open. A journal that is not empty belongs to a running transaction or to
  /// one that was never finished.
  private func isInUse(_ source: StoreUnit) throws -> Bool {
    _ = try StoreFile.readHeader(path: source.path)
    if try files.exists(source.sharedMemoryPath) { return true }
    guard try files.byteCount(source.journalPath) > 0 else { return false }
    do {
      _ = try StoreFile.open(path: source.path)
      return true
    } catch {
      // A journal that is a link is copied as the file that it leads to.
      guard [.unfinishedTransaction, .sidecarNotAFile].contains(error.kind) else { throw error }
      return false
    }
  }

  /// - Returns: `false` when SQLite cannot read the log where it is.
  private func copyPages(of source: StoreUnit, to path: String) throws -> Bool {
    let store: OpenStore
    do {
      store = try StoreFile.open(path: source.path)
    } catch {
      // A log that is a link is copied as the file that it leads to.
      guard [.walInReadOnlyFolder, .sidecarNotAFile].contains(error.kind) else { throw error }
      return false
    }
    try files.makeFile(path)
    let copy = try Connection(path: path, mode: .readWrite)
    try copy.execute("PRAGMA synchronous = OFF")
    try store.connection.copyPages(to: copy, isCancelled: { control.shouldStop })
    return true
  }

  /// Copies the main file, the log and the journal.
  ///
  /// - Returns: whether the copies are consistent: no file changed while it was copied.
  private func copyFiles(of source: StoreUnit, to copy: StoreUnit) throws -> Bool {
    let before = try StoreFingerprint(path: source.path)
    let hasIndex = try files.exists(source.sharedMemoryPath)
    let pairs = try [
      (source.path, copy.path), (source.walPath, copy.walPath),
      (source.journalPath, copy.journalPath),
    ].filter { try files.byteCount($0.0) > 0 }
    let check = { [control] in try control.checkCancellation() }
    for (original, copied) in pairs { try files.copy(original, to: copied, check: check) }
    for (original, copied) in pairs {
      guard try FileSystem.haveEqualContents(original, copied, check: check) else { return false }
    }
    return try StoreFingerprint(path: source.path) == before
      && files.exists(source.sharedMemoryPath) == hasIndex
      && (files.byteCount(source.journalPath) > 0)
        == pairs.contains { $0.0 == source.journalPath }
  }

  /// Lets SQLite apply the copy's log or journal to its main file.
  private func fold(_ copy: StoreUnit) throws {
    guard try files.byteCount(copy.walPath) > 0 || files.byteCount(copy.journalPath) > 0 else {
      return
    }
    do {
      let connection = try Connection(path: copy.path, mode: .readWrite)
      try connection.execute("PRAGMA synchronous = OFF")
      control.stopStatements(of: connection)
      _ = try connection.integer("SELECT count(*) FROM sqlite_master")
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    // The last connection removed its sidecars; any that remain are empty.
    for path in copy.sidecarPaths { try files.remove(path) }
  }
}
