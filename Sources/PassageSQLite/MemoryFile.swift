internal import CSQLite

/// The bytes of a ``MemoryDatabase``, read and written at any offset like those of a file.
///
/// Nobody may use a connection to the database while bytes are written. The next transaction sees the
/// change if the header of the file counts it.
// Unchecked: SQLite guards the memory of a shared database with a lock of its own, and this object
// keeps the database open.
package final class MemoryFile: @unchecked Sendable {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods
  private let keeper: Connection

  /// - Throws: `SQLITE_ERROR` when the connection's database is not in memory.
  init(_ keeper: Connection) throws(SQLiteError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(keeper.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods?.pointee else {
      throw Self.failure(code == SQLITE_OK ? SQLITE_ERROR : code)
    }
    self.file = file
    self.methods = methods
    self.keeper = keeper
  }

  private static func failure(_ code: Int32) -> SQLiteError {
    SQLiteError(
      code: code, message: "the memory of a database: \(String(cString: sqlite3_errstr(code)))")
  }

  private static func check(_ code: Int32?) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    throw failure(code ?? SQLITE_ERROR)
  }

  /// The size in bytes.
  package var byteCount: Int64 {
    get throws(SQLiteError) {
      var size: sqlite3_int64 = 0
      try Self.check(methods.xFileSize?(file, &size))
      return size
    }
  }

  /// Fills a buffer with the bytes at an offset.
  ///
  /// - Returns: how many bytes were read: fewer than the buffer takes only at the end.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SQLiteError) -> Int {
    let left = Int(clamping: max(0, try byteCount &- max(0, offset)))
    let count = min(buffer.count, left)
    guard count > 0 else { return 0 }
    guard let length = Int32(exactly: count) else { throw Self.failure(SQLITE_TOOBIG) }
    // The buffer has room for as many bytes.
    try Self.check(methods.xRead?(file, buffer.baseAddress, length, offset))
    return count
  }

  /// Writes bytes at an offset; the database grows when they end beyond it.
  ///
  /// - Throws: `SQLITE_FULL` if it would become larger than it may be.
  package func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) throws(SQLiteError) {
    guard !bytes.isEmpty else { return }
    guard let length = Int32(exactly: bytes.count) else { throw Self.failure(SQLITE_TOOBIG) }
    try Self.check(methods.xWrite?(file, bytes.baseAddress, length, offset))
  }

  /// Drops what lies beyond a size.
  package func truncate(to byteCount: Int64) throws(SQLiteError) {
    guard try self.byteCount > byteCount else { return }
    try Self.check(methods.xTruncate?(file, byteCount))
  }
}
