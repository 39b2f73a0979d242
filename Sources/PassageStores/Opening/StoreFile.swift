package import PassageFiles
package import PassageSQLite

/// Opens store files, and reports everything that can be wrong with one.
package enum StoreFile {
  /// Opens a store read-only, inside one read transaction.
  ///
  /// Changes made meanwhile by other programs are not visible, and no byte of the store's file or
  /// its log changes. SQLite may create a `-shm` and an empty `-wal` file beside a store in WAL
  /// mode; both are caches.
  ///
  /// - Parameters:
  ///   - path: the main file.
  ///   - busyTimeout: milliseconds to wait for another program's lock.
  /// - Throws: ``StoreError``: `missing`, `isDirectory`, `notAFile`, `empty`, `truncated`,
  ///   `notSQLite`, `notACoreDataStore`, `noMetadata`, `damaged`, `locked`, `permissionDenied`,
  ///   `walInReadOnlyFolder`, `unfinishedTransaction`, `sidecarNotAFile`, `inputOutput`, `logMissing`.
  package static func open(
    path: String, busyTimeout: Int32 = 2_000
  ) throws(StoreError) -> OpenStore {
    let (header, mode) = try mode(of: path)
    return try OpenStore(
      unit: StoreUnit(path: path), header: header, mode: mode, busyTimeout: busyTimeout)
  }

  /// Opens a store that nobody can change while it is open, such as a finished one in a folder of
  /// Passage: without locks, and without a file beside it.
  ///
  /// - Throws: the errors of ``open(path:busyTimeout:)``.
  package static func openUnchanging(path: String) throws(StoreError) -> OpenStore {
    let unit = StoreUnit(path: path)
    guard walBytes(of: unit) == 0 else { return try open(path: path) }
    return try OpenStore(
      unit: unit, header: readHeader(path: path), mode: .immutable, busyTimeout: 0)
  }

  /// Opens a store in memory, inside one read transaction.
  ///
  /// - Parameter database: with all content in it, and no transaction.
  package static func open(inMemory database: MemoryDatabase) throws(StoreError) -> OpenStore {
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
    do throws(SQLiteError) {
      let file = try database.file()
      let read = try bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(SQLiteError) in try file.read(into: buffer, at: 0) }
      }.get()
      bytes.removeLast(bytes.count - read)
    } catch {
      throw StoreError(error, path: database.path)
    }
    guard let header = DatabaseHeader(bytes) else {
      throw StoreError(.damaged, path: database.path, detail: "the header is incomplete")
    }
    return try OpenStore(
      unit: StoreUnit(path: database.path), header: header, mode: .readOnly, busyTimeout: 0,
      limits: .own)
  }

  /// Reads a store's header and decides how to open the store.
  package static func mode(
    of path: String
  ) throws(StoreError) -> (header: DatabaseHeader, mode: Connection.Mode) {
    let unit = StoreUnit(path: path)
    let look = try look(at: unit)
    let mode = try mode(
      walBytes: look.log?.bytes ?? 0, mayWriteBeside: mayWriteBeside(unit),
      hasSharedMemory: (try? FileSystem.status(unit.sharedMemoryPath)) != nil, header: look.header,
      path: path)
    return (look.header, mode)
  }

  /// Reads and checks the file's first 100 bytes without SQLite.
  ///
  /// - Throws: ``StoreError``: `missing`, `isDirectory`, `notAFile`, `empty`, `truncated`,
  ///   `notSQLite`, `permissionDenied`, `inputOutput`, `sidecarNotAFile`, `strangeJournal`,
  ///   `tooManyOpenFiles`.
  package static func readHeader(path: String) throws(StoreError) -> DatabaseHeader {
    try look(at: StoreUnit(path: path)).header
  }

  /// Reads and checks a store's header, and looks at its files.
  ///
  /// - Throws: the errors of ``readHeader(path:)``.
  package static func look(at unit: StoreUnit) throws(StoreError) -> StoreLook {
    try open(unit).look
  }

  /// Looks at a store like ``look(at:)``, and keeps its file open.
  package static func open(
    _ unit: StoreUnit
  ) throws(StoreError) -> (look: StoreLook, file: PositionalFile) {
    let path = unit.path
    let (isLink, status): (Bool, FileSystem.Status)
    let file: PositionalFile
    let bytes: [UInt8]
    do {
      let own = try FileSystem.ownStatus(path)
      isLink = own.kind == .other
      let found = isLink ? try FileSystem.status(path) : own
      guard found.kind != .directory else { throw StoreError(.isDirectory, path: path) }
      guard found.kind == .file else { throw StoreError(.notAFile, path: path) }
      file = try PositionalFile(atOnce: path)
      status = try file.status
      bytes = try file.prefix(DatabaseHeader.byteCount)
    } catch let error as StoreError {
      throw error
    } catch let failure as FileSystem.Failure {
      throw StoreError(failure, path: path)
    } catch {
      throw StoreError(.inputOutput, path: path, detail: "\(error)")
    }
    guard !bytes.isEmpty else { throw StoreError(.empty, path: path) }
    let beside = try sidecars(of: unit)
    guard DatabaseHeader.magic.starts(with: bytes.prefix(DatabaseHeader.magic.count)) else {
      throw hasLostItsHeader(bytes, logBytes: beside.log?.bytes ?? 0)
        ? StoreError(
          .damaged, path: path,
          detail: "the first bytes, which say that it is an SQLite database, were overwritten")
        : StoreError(.notSQLite, path: path)
    }
    guard let header = DatabaseHeader(bytes) else {
      throw StoreError(
        bytes.count < DatabaseHeader.byteCount ? .truncated : .damaged, path: path,
        detail: "the file's header is incomplete")
    }
    if let encoding = header.strangeEncoding {
      throw StoreError(
        .damaged, path: path,
        detail: "its header gives \(encoding) as the encoding of its texts, which is none: "
          + "1 is UTF-8, 2 and 3 are UTF-16")
    }
    // Until the log is copied back, the main file may be shorter than its header says.
    if let pages = header.pageCount, beside.log?.bytes ?? 0 == 0,
      pages > status.bytes / header.pageBytes
    {
      throw StoreError(
        .truncated, path: path,
        detail: "its header counts \(pages) pages of \(header.pageBytes) bytes, "
          + "the file has \(status.bytes) bytes")
    }
    let look = StoreLook(
      header: header, start: bytes, status: status, log: beside.log, isAlone: beside.bytes == 0,
      isSingle: beside.isEmpty, isLink: isLink)
    return (look, file)
  }

  /// What is beside a store: its log, the size of all files, and whether there is none.
  ///
  /// SQLite opens whatever has their names; a pipe would block it forever.
  private static func sidecars(
    of unit: StoreUnit
  ) throws(StoreError) -> (log: FileSystem.Status?, bytes: Int64, isEmpty: Bool) {
    var log: FileSystem.Status?
    var (bytes, isEmpty) = (Int64(0), true)
    for (index, path) in unit.sidecarPaths.enumerated() {
      do {
        _ = try FileSystem.linkStatus(path)
      } catch {
        // A log that cannot be looked at may be there.
        if index > 0 || error.isMissing { continue }
        throw StoreError(error, path: unit.path)
      }
      isEmpty = false
      guard let status = try? FileSystem.status(path) else { continue }
      guard status.kind == .file else {
        throw StoreError(
          .sidecarNotAFile, path: unit.path,
          detail: "\(path) is \(status.kind == .directory ? "a folder" : "a pipe or a device")")
      }
      if path == unit.journalPath, status.bytes > 0, let name = StrangeJournal.name(in: path) {
        throw StoreError(
          .strangeJournal, path: unit.path,
          detail:
            "it names \(name.prefix(200)), which SQLite would open and remove when it rolls the journal back"
        )
      }
      if index == 0 { log = status }
      bytes = bytes.addingReportingOverflow(status.bytes).partialValue
    }
    return (log, bytes, isEmpty)
  }

  /// Whether this user may make files beside a store that those who may write to the store can write
  /// to as well: SQLite gives them the permissions of the store.
  package static func mayWriteBeside(_ unit: StoreUnit) -> Bool {
    FileSystem.isWritable(unit.folder) && FileSystem.isWritable(file: unit.path)
  }

  /// The mode in which to open a store: `immutable` if SQLite cannot create the sidecar files that
  /// a store in WAL mode needs, or cannot remove them. That is safe only if there is no log to copy back.
  package static func mode(
    walBytes: Int64, mayWriteBeside: Bool, hasSharedMemory: Bool, header: DatabaseHeader,
    path: String
  ) throws(StoreError) -> Connection.Mode {
    guard !mayWriteBeside, header.isWAL, !hasSharedMemory else { return .readOnly }
    guard walBytes == 0 else { throw StoreError(.walInReadOnlyFolder, path: path) }
    return .immutable
  }

  /// Whether a file was a database once: its first page is empty, most of its first 16 bytes are
  /// still SQLite's, or a log is beside it.
  private static func hasLostItsHeader(_ bytes: [UInt8], logBytes: Int64) -> Bool {
    let magic = DatabaseHeader.magic
    let kept = zip(bytes, magic).count { $0 == $1 }
    let isEmptyPage = bytes.count == DatabaseHeader.byteCount && bytes.allSatisfy { $0 == 0 }
    return isEmptyPage || kept * 2 > magic.count || logBytes > 0
  }

  static func walBytes(of unit: StoreUnit) -> Int64 {
    (try? FileSystem.status(unit.walPath))?.bytes ?? 0
  }
}
