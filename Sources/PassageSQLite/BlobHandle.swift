internal import CSQLite

/// One cell with bytes, read and written in pieces: the whole value is never in memory.
///
/// https://www.sqlite.org/c3ref/blob_open.html: the handle fails with `SQLITE_ABORT` once its row is
/// changed by a statement. Not shared between threads.
package final class BlobHandle {
  /// The bytes of a piece.
  package static let pieceBytes = 1 << 18

  private let handle: OpaquePointer
  /// Keeps the connection open for as long as the handle lives.
  private let connection: Connection

  /// The bytes of the cell.
  package let byteCount: Int

  /// Whether a cell is a blob of more bytes than `count`, as a condition in SQL. SQLite does not read a
  /// value to find its length.
  package static func isLonger(_ cell: String, than count: Int) -> String {
    "typeof(\(cell)) = 'blob' AND length(\(cell)) > \(count)"
  }

  /// Opens a cell that holds text or a blob, as a statement has found just now.
  ///
  /// - Parameters:
  ///   - table: one with row numbers; no view.
  ///   - row: the row's number.
  /// - Throws: what `isDamage` where there is no such cell: then a table leads to other rows by its keys
  ///   than in its order.
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
    self.connection = connection
    handle = opened
    byteCount = Int(sqlite3_blob_bytes(opened))
  }

  deinit { sqlite3_blob_close(handle) }

  /// Reads the bytes from an offset, piece by piece.
  package func forEachPiece(from offset: Int = 0, _ body: ([UInt8]) throws -> Void) throws {
    var offset = offset
    while offset < byteCount {
      let count = min(Self.pieceBytes, byteCount - offset)
      var code = SQLITE_OK
      // The call fills the array's own memory, which has room for just so many bytes.
      let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        code = sqlite3_blob_read(handle, buffer.baseAddress, Int32(count), Int32(offset))
        filled = code == SQLITE_OK ? count : 0
      }
      if code != SQLITE_OK { throw connection.error(code) }
      try body(piece)
      offset += count
    }
  }

  /// All bytes, in memory once.
  package func bytes() throws(SQLiteError) -> [UInt8] {
    var code = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, filled in
      code = sqlite3_blob_read(handle, buffer.baseAddress, Int32(byteCount), 0)
      filled = code == SQLITE_OK ? byteCount : 0
    }
    if code != SQLITE_OK { throw connection.error(code) }
    return bytes
  }

  /// The first byte; `nil` for an empty cell.
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
  /// Reads a cell of the current row without copying it.
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
