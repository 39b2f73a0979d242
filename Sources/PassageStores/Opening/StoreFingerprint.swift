internal import PassageFiles

/// What is seen of a store's files without opening them: a changed store has another fingerprint.
///
/// It notices a store that was written or replaced between two runs. It proves nothing about the
/// contents.
package struct StoreFingerprint: Sendable, Hashable {
  /// The main file's bytes.
  package var bytes: Int64
  /// When the main file was written last, in nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  package var inode: UInt64
  /// Counts the transactions written to the main file.
  package var changeCounter: UInt32
  /// The `-wal` file's bytes; 0 when there is none.
  package var walBytes: Int64
  /// When the `-wal` file was written last; 0 when it is empty or missing.
  package var walModifiedNanoseconds: Int64
  /// The two salts of the log's header, which change each time the log starts again.
  package var walSalt: UInt64

  /// Looks at the files.
  ///
  /// - Throws: ``StoreError``, as ``StoreFile/open(path:busyTimeout:)`` does before it opens.
  package init(path: String) throws(StoreError) {
    let header = try StoreFile.readHeader(path: path)
    do {
      let main = try FileSystem.status(path)
      bytes = main.bytes
      modifiedNanoseconds = main.modifiedNanoseconds
      inode = main.inode
    } catch {
      throw StoreError(error, path: path)
    }
    changeCounter = header.changeCounter
    let walPath = StoreUnit(path: path).walPath
    let wal = try Self.logStatus(walPath, of: path)
    // An empty log says nothing, and a reader may make one.
    walBytes = wal?.bytes ?? 0
    walModifiedNanoseconds = walBytes > 0 ? wal?.modifiedNanoseconds ?? 0 : 0
    let prefix: [UInt8]
    do {
      prefix = walBytes > 0 ? try FileSystem.prefix(walPath, count: 24) : []
    } catch {
      // Taken away since it was looked at.
      guard error.isMissing else { throw StoreError(error, path: path) }
      prefix = []
    }
    // https://www.sqlite.org/fileformat2.html, section 4.1: salts in bytes 16 to 23.
    walSalt = prefix.count == 24 ? prefix[16...].reduce(0) { $0 << 8 | UInt64($1) } : 0
  }

  /// The log's status; `nil` when there is none. One that cannot be seen is not taken for none.
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

  /// Whether the files at a path still have the sizes, times and identity seen, without opening any.
  ///
  /// For use while a connection holds a lock on the store: the operating system drops a process's
  /// locks on a file as soon as any descriptor of that file is closed
  /// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
  package func isUnchanged(at path: String) throws(StoreError) -> Bool {
    let main: FileSystem.Status
    do {
      main = try FileSystem.status(path)
    } catch {
      throw StoreError(error, path: path)
    }
    let wal = try Self.logStatus(StoreUnit(path: path).walPath, of: path)
    let logBytes = wal?.bytes ?? 0
    return main.bytes == bytes && main.modifiedNanoseconds == modifiedNanoseconds
      && main.inode == inode && logBytes == walBytes
      && (logBytes == 0 || wal?.modifiedNanoseconds == walModifiedNanoseconds)
  }
}
