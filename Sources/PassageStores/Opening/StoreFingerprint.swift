package import PassageFiles

/// The properties of a store's files that can be seen without opening them. They change when the
/// store does.
///
/// A fingerprint shows that a store was written or replaced between two runs. It proves nothing
/// about the contents.
package struct StoreFingerprint: Sendable, Hashable {
  /// The size of the main file in bytes.
  package var bytes: Int64
  /// The modification time of the main file, in nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  package var inode: UInt64
  /// The number of transactions written to the main file.
  package var changeCounter: UInt32
  /// The size of the `-wal` file in bytes; 0 if it does not exist.
  package var walBytes: Int64
  /// The modification time of the `-wal` file; 0 if it is empty or does not exist.
  package var walModifiedNanoseconds: Int64
  /// The two salts in the log's header, which change each time the log is restarted.
  package var walSalt: UInt64

  /// Reads the properties of the files.
  ///
  /// - Throws: ``StoreError``, as ``StoreFile/open(path:busyTimeout:)`` does before it opens the
  ///   file.
  package init(path: String) throws(StoreError) {
    try self.init(StoreFile.look(at: StoreUnit(path: path)), path: path)
  }

  /// The properties of files that were looked at.
  ///
  /// - Throws: ``StoreError`` when there is a log that cannot be read.
  init(_ look: StoreLook, path: String) throws(StoreError) {
    try self.init(
      path: path, main: look.status, log: look.log, changeCounter: look.header.changeCounter)
  }

  /// Reads the properties of the files without opening the main file, so that a connection of this
  /// process keeps its locks on it (https://www.sqlite.org/howtocorrupt.html, section 2.2).
  ///
  /// - Parameter changeCounter: the number of transactions that the main file's header had when it
  ///   was last read.
  package init(path: String, changeCounter: UInt32) throws(StoreError) {
    let main: FileSystem.Status
    do {
      main = try FileSystem.status(path)
    } catch {
      throw StoreError(error, path: path)
    }
    try self.init(
      path: path, main: main, log: Self.logStatus(StoreUnit(path: path).walPath, of: path),
      changeCounter: changeCounter)
  }

  /// The properties of a store without a log whose file was looked at.
  ///
  /// - Parameter start: the bytes of its header.
  /// - Returns: `nil` if they are not those of a header.
  package init?(_ status: FileSystem.Status, start: [UInt8]) {
    guard let header = DatabaseHeader(start) else { return nil }
    bytes = status.bytes
    modifiedNanoseconds = status.modifiedNanoseconds
    inode = status.inode
    changeCounter = header.changeCounter
    (walBytes, walModifiedNanoseconds, walSalt) = (0, 0, 0)
  }

  private init(
    path: String, main: FileSystem.Status, log wal: FileSystem.Status?, changeCounter: UInt32
  ) throws(StoreError) {
    bytes = main.bytes
    modifiedNanoseconds = main.modifiedNanoseconds
    inode = main.inode
    self.changeCounter = changeCounter
    let walPath = StoreUnit(path: path).walPath
    // An empty log is ignored, because a reader may create one.
    walBytes = wal?.bytes ?? 0
    walModifiedNanoseconds = walBytes > 0 ? wal?.modifiedNanoseconds ?? 0 : 0
    let prefix: [UInt8]
    do {
      prefix = walBytes > 0 ? try FileSystem.prefix(walPath, count: 24) : []
    } catch {
      // The log was removed since its status was read.
      guard error.isMissing else { throw StoreError(error, path: path) }
      prefix = []
    }
    // https://www.sqlite.org/fileformat2.html, section 4.1: salts in bytes 16 to 23.
    walSalt = prefix.count == 24 ? prefix[16...].reduce(0) { $0 << 8 | UInt64($1) } : 0
  }

  /// The log's status; `nil` if there is no log. Fails if that cannot be determined.
  private static func logStatus(
    _ walPath: String, of path: String
  ) throws(StoreError) -> FileSystem.Status? {
    do {
      return try FileSystem.status(walPath)
    } catch {
      if error.isMissing { return nil }
      throw StoreError(error, path: path)
    }
  }

  /// Whether the files at a path still have the same sizes, times and identity, without opening
  /// them.
  ///
  /// Use this while a connection holds a lock on the store: the operating system drops a process's
  /// locks on a file as soon as any descriptor of that file is closed
  /// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
  package func isUnchanged(at path: String) throws(StoreError) -> Bool {
    let main: FileSystem.Status
    do {
      main = try FileSystem.status(path)
    } catch {
      throw StoreError(error, path: path)
    }
    return isOf(main, log: try Self.logStatus(StoreUnit(path: path).walPath, of: path))
  }

  /// Whether files have the same sizes, times and identity as those of the store.
  ///
  /// - Parameter wal: the status of the log; `nil` if there is none.
  package func isOf(_ main: FileSystem.Status, log wal: FileSystem.Status?) -> Bool {
    let logBytes = wal?.bytes ?? 0
    return main.bytes == bytes && main.modifiedNanoseconds == modifiedNanoseconds
      && main.inode == inode && logBytes == walBytes
      && (logBytes == 0 || wal?.modifiedNanoseconds == walModifiedNanoseconds)
  }
}

extension StoreFingerprint: CustomStringConvertible {
  /// A text that is equal for equal fingerprints. It is kept beside a store that is being replaced, so
  /// it stays as it is in later versions.
  package var description: String {
    "StoreFingerprint(bytes: \(bytes), modifiedNanoseconds: \(modifiedNanoseconds), "
      + "inode: \(inode), changeCounter: \(changeCounter), walBytes: \(walBytes), "
      + "walModifiedNanoseconds: \(walModifiedNanoseconds), walSalt: \(walSalt))"
  }
}
