internal import CSQLite
internal import PassagePlatform
package import PassageValues

/// One compiled statement. As in SQLite, columns are numbered from 0 and parameters from 1.
package final class Statement {
  let handle: OpaquePointer
  /// Keeps the connection open while the statement exists.
  let connection: Connection

  /// The number of cells in each row. It may change with the schema, until the first row is there.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The text under which the connection takes the statement back; `nil` to end with this object.
  private let reusableText: String?

  init(handle: OpaquePointer, connection: Connection, reusableText: String? = nil) {
    self.handle = handle
    self.connection = connection
    self.reusableText = reusableText
  }

  deinit {
    if let reusableText {
      connection.putBack(handle, reusableText)
    } else {
      sqlite3_finalize(handle)
    }
  }

  /// Moves to the next row. Returns `false` if there is none, and then resets the statement.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(handle)
      return false
    case let code:
      let failure = connection.error(code, sql: sql)
      sqlite3_reset(handle)
      throw failure
    }
  }

  /// Runs a statement that returns no rows, and resets it.
  package func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Resets the statement so that it can run again. Bound values are kept.
  package func reset() { sqlite3_reset(handle) }

  /// Releases all bound values, of which SQLite keeps copies until then.
  package func clearBindings() { sqlite3_clear_bindings(handle) }

  /// The statement's text.
  package var sql: String { String(cString: sqlite3_sql(handle)) }

  /// The names of the columns, in order.
  package var columnNames: [String] {
    (0..<Int32(columnCount)).map { String(cString: sqlite3_column_name(handle, $0)) }
  }

  // MARK: Binding

  /// Binds values to the parameters 1, 2, 3 …
  package func bind(_ values: [Value]) throws(SQLiteError) {
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  package func bind(_ value: Value, at index: Int) throws(SQLiteError) {
    let index = Int32(truncatingIfNeeded: index)
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, index)
    case .integer(let value): code = sqlite3_bind_int64(handle, index, value)
    case .real(let value): code = sqlite3_bind_double(handle, index, value)
    case .text(var value):
      code = value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          // An empty buffer may have no address, and SQLite would treat a null pointer as NULL.
          passage_sqlite3_bind_text_transient(
            handle, index, characters.baseAddress ?? emptyText, UInt64(characters.count))
        }
      }
    case .blob(let value):
      code =
        value.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : value.withUnsafeBytes {
          passage_sqlite3_bind_blob_transient(handle, index, $0.baseAddress, UInt64($0.count))
        }
    case .malformedText(let value):
      code = value.withUnsafeBytes {
        $0.withMemoryRebound(to: CChar.self) {
          passage_sqlite3_bind_text_transient(
            handle, index, $0.baseAddress ?? emptyText, UInt64($0.count))
        }
      }
    }
    if code != SQLITE_OK { throw connection.error(code, sql: sql) }
  }

  package func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    let code = sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), value)
    if code != SQLITE_OK { throw connection.error(code, sql: sql) }
  }

  /// Binds a cell of another statement's current row without decoding it.
  package func bind(cell column: Int, of row: Statement, at index: Int) throws(SQLiteError) {
    let code = sqlite3_bind_value(
      handle, Int32(truncatingIfNeeded: index),
      sqlite3_column_value(row.handle, Int32(truncatingIfNeeded: column)))
    if code != SQLITE_OK { throw connection.error(code, sql: sql) }
  }

  /// Binds a cell without copying it. It must stay valid until the statement has run and
  /// ``clearBindings()`` was called.
  package func bind(lent cell: RawCell, at index: Int) throws(SQLiteError) {
    let index = Int32(truncatingIfNeeded: index)
    let code: Int32
    switch cell {
    case .null: code = sqlite3_bind_null(handle, index)
    case .integer(let value): code = sqlite3_bind_int64(handle, index, value)
    case .real(let value): code = sqlite3_bind_double(handle, index, value)
    case .text(let bytes):
      // Without a destructor the bytes are not copied (SQLITE_STATIC). An empty buffer may have no
      // address, and SQLite would treat a null pointer as NULL.
      code = sqlite3_bind_text64(
        handle, index,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? emptyText, UInt64(bytes.count),
        nil, UInt8(SQLITE_UTF8))
    case .blob(let bytes):
      code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
    }
    if code != SQLITE_OK { throw connection.error(code, sql: sql) }
  }

  /// Binds cells to consecutive parameters.
  package func bind(_ values: [Value], from first: Int) throws(SQLiteError) {
    var index = first
    for value in values {
      try bind(value, at: index)
      index += 1
    }
  }

  // MARK: Reading the current row

  /// Reads consecutive cells of the current row into an array that is reused for each row.
  ///
  /// - Parameters:
  ///   - values: the array; its size is the number of cells to read.
  ///   - first: the column of the first cell.
  /// - Returns: the total size of texts and blobs in bytes.
  package func read(into values: inout [Value], from first: Int) -> Int {
    var byteCount = 0
    for index in values.indices {
      let cell = rawCell(at: first + index)
      byteCount += cell.byteCount
      values[index] = Value(cell)
    }
    return byteCount
  }

  /// A cell of the current row, not decoded. It is valid until the next step of the statement.
  package func rawCell(at column: Int) -> RawCell {
    // Without a mutex, a connection does not distinguish protected and unprotected values
    // (https://www.sqlite.org/c3ref/value.html), and one look-up of the column is enough.
    let cell = sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
    switch sqlite3_value_type(cell) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(cell))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(cell))
    case SQLITE_TEXT:
      let text = sqlite3_value_text(cell)
      return .text(
        UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(cell))))
    case SQLITE_BLOB:
      let blob = sqlite3_value_blob(cell)
      return .blob(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(cell))))
    default: return .null
    }
  }

  /// A cell of the current row, decoded.
  package func value(at column: Int) -> Value { Value(rawCell(at: column)) }

  package func integer(at column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  package func isNull(at column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  /// The size of a text or blob in bytes; 0 for numbers and NULL.
  package func byteCount(at column: Int) -> Int {
    let column = Int32(truncatingIfNeeded: column)
    return switch sqlite3_column_type(handle, column) {
    case SQLITE_TEXT, SQLITE_BLOB: Int(sqlite3_column_bytes(handle, column))
    default: 0
    }
  }

  /// Every cell of the current row.
  package func values() -> [Value] { (0..<columnCount).map(value(at:)) }
}

/// An empty text with an address that is valid as long as the program runs.
private var emptyText: UnsafePointer<CChar> {
  let text: StaticString = ""
  return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
