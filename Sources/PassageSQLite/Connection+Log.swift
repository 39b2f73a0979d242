internal import CSQLite

/// Where the write-ahead log of a database ends, as its index says: readers see no frame behind it. The
/// index lacks a transaction whose frames are in the log already while it is being committed.
package struct LogEnd: Sendable, Hashable {
  /// The frames of the log.
  package let frames: UInt32
  /// Two numbers that each frame of this log repeats.
  package let salts: UInt64
}

extension Connection {
  /// Where the log ends at the moment; `nil` when somebody changes the index just then, or when there
  /// is none. To be asked only of a connection that has read a database in WAL mode: on another one
  /// SQLite would make an index.
  ///
  /// The index is asked for by way of SQLite, because closing its file would drop the locks that the
  /// process holds on it. https://www.sqlite.org/walformat.html, section 2.1.
  package var logEnd: LogEnd? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, Self.indexRegionBytes, 0, &region) == SQLITE_OK, let region else {
      return nil
    }
    let header = UnsafeRawBufferPointer(start: region, count: Self.indexHeaderBytes)
    let first = Array(header)
    methods.pointee.xShmBarrier?(file)
    // Whoever changes it writes the second copy first.
    let second = Array(
      UnsafeRawBufferPointer(start: region + Self.indexHeaderBytes, count: Self.indexHeaderBytes))
    guard first == second else { return nil }
    return first.withUnsafeBytes { bytes in
      LogEnd(
        frames: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self),
        // As they are in the log.
        salts: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)))
    }
  }

  private static var indexRegionBytes: Int32 { 32_768 }
  private static var indexHeaderBytes: Int { 48 }
}
