internal import CSQLite

/// Reads and writes the bytes of one cell in pieces, so that the whole value is never in memory.
///
/// https://www.sqlite.org/c3ref/blob_open.html: the handle fails with `SQLITE_ABORT` after a
/// statement has changed its row. Not shared between threads.
package final class BlobHandle {
  /// The size of a piece in bytes.
  package static let pieceBytes = 1 << 18

  private let handle: OpaquePointer
  /// Keeps the connection open while the handle exists.
  private let connection: Connection

  /// The size of the cell in bytes.
  package let byteCount: Int

  /// An SQL condition that a cell is a blob of more than `count` bytes. SQLite finds the length
  /// without reading the value.
  package static func isLonger(_ cell: String, than count: Int) -> String {
    "typeof(\(cell)) = 'blob' AND length(\(cell)) > \(count)"
  }

  /// Opens a cell that, as a statement has just found, holds text or a blob.
  ///
  /// - Parameters:
  ///   - table: a table with row ids; not a view.
  ///   - row: the row id.
  /// - Throws: an error with `isDamage` if there is no such cell: a look-up by key then finds other
  ///   rows of the table than reading it in order.
  package init(
    _ connection: Connection, schema: String = "main", table: String, column: String, row: Int64,
    isWritable: Bool = false
  ) throws(SQLiteError) {
    var opened: OpaquePointer?
    let code = sqlite3_blob_open(
      connection.handle, schema, table, column, row, isWritable ? 1 : 0, &opened)
    guard code == SQLITE_OK, let opened else {
      var error = connection.error(code)
      if error.isStatementError { error.code = SQLITE_CORRUPT }
      throw error
    }
    let bytes = sqlite3_blob_bytes(opened)
    // Pages that refer to themselves can make a value of any size.
    if let maximum = connection.limits.maximumRows, Int64(bytes) / 4 > maximum {
      sqlite3_blob_close(opened)
      throw SQLiteError(
        code: SQLITE_CORRUPT, message: "a value of \(table) is larger than the file")
    }
    self.connection = connection
    handle = opened
    byteCount = Int(bytes)
  }

  deinit { sqlite3_blob_close(handle) }

  /// Reads the bytes from an offset, piece by piece.
  package func forEachPiece(from offset: Int = 0, _ body: ([UInt8]) throws -> Void) throws {
    var offset = offset
    while offset < byteCount {
      let count = min(Self.pieceBytes, byteCount - offset)
      var code = SQLITE_OK
      // The call fills the array's memory, which has room for exactly this number of bytes.
      let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        code = sqlite3_blob_read(handle, buffer.baseAddress, Int32(count), Int32(offset))
        filled = code == SQLITE_OK ? count : 0
      }
      if code != SQLITE_OK { throw connection.error(code) }
      try body(piece)
      offset += count
    }
  }

  /// All bytes, with one copy in memory.
  package func bytes() throws(SQLiteError) -> [UInt8] {
    // An array without room is the one that all threads share.
    guard byteCount > 0 else { return [] }
    var code = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, filled in
      code = sqlite3_blob_read(handle, buffer.baseAddress, Int32(byteCount), 0)
      filled = code == SQLITE_OK ? byteCount : 0
    }
    if code != SQLITE_OK { throw connection.error(code) }
    return bytes
  }

  /// The first byte; `nil` if the cell is empty.
  package func firstByte() throws(SQLiteError) -> UInt8? {
    guard byteCount > 0 else { return nil }
    var byte: UInt8 = 0
    let code = sqlite3_blob_read(handle, &byte, 1, 0)
    if code != SQLITE_OK { throw connection.error(code) }
    return byte
  }

  /// Replaces bytes at an offset; the length of the cell does not change.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SQLiteError) {
    let code = bytes.withUnsafeBytes {
      sqlite3_blob_write(handle, $0.baseAddress, Int32($0.count), Int32(offset))
    }
    if code != SQLITE_OK { throw connection.error(code) }
  }
}

/// A cell as SQLite holds it, valid until the next step of its statement.
package enum CellBytes {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}

extension Statement {
  /// Passes a cell of the current row to `body` without copying it.
  package func withCell<Result>(
    at column: Int, _ body: (CellBytes) throws -> Result
  ) rethrows -> Result {
    let column = Int32(truncatingIfNeeded: column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return try body(.integer(sqlite3_column_int64(handle, column)))
    case SQLITE_FLOAT: return try body(.real(sqlite3_column_double(handle, column)))
    case SQLITE_TEXT:
      let text = UnsafeRawPointer(sqlite3_column_text(handle, column))
      let count = Int(sqlite3_column_bytes(handle, column))
      return try body(.text(UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : count)))
    case SQLITE_BLOB:
      let blob = sqlite3_column_blob(handle, column)
      let count = Int(sqlite3_column_bytes(handle, column))
      return try body(.blob(UnsafeRawBufferPointer(start: blob, count: blob == nil ? 0 : count)))
    default: return try body(.null)
    }
  }
}
