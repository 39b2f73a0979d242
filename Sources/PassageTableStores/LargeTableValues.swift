internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Writes large values of attributes that allow external storage into an ordinary table: a row is
/// written with zeros in their place, and the zeros are then overwritten in pieces.
///
/// SQLite builds a record in memory before it stores it, so each value is in memory at most twice
/// (https://www.sqlite.org/c3ref/blob_open.html, and `MakeRecord` in its virtual machine).
struct LargeTableValues {
  let connection: Connection
  /// The name of the schema with the finished store.
  let source: String
  let folder: ExternalFolder

  /// Larger values, in bytes, are copied in pieces.
  private static let limit = 1 << 16

  private static func isLarge(_ cell: String) -> String {
    BlobHandle.isLonger(cell, than: limit)
  }

  /// The SQL of a cell's value, with zeros in place of a large one.
  static func value(_ cell: String) -> String {
    let fileBytes = "\(TableFunctions.fileBytes)(\(cell))"
    return "CASE WHEN \(isLarge(cell)) THEN zeroblob(length(\(cell)) - 1) "
      + "WHEN \(fileBytes) > \(limit) THEN zeroblob(\(fileBytes)) "
      + "ELSE \(TableFunctions.unpack)(\(cell)) END"
  }

  /// Writes the large values of one column.
  ///
  /// - Throws: `SQLiteError`, and `Diagnostic` with `STO-311` for a file that cannot be read.
  func fill(
    _ table: String, _ column: String, key: String, from stored: String, _ storedColumn: String
  ) throws {
    let cell = "s.\(storedColumn.quotedIdentifier)"
    let rows = try connection.prepare(
      "SELECT s.Z_PK, CASE WHEN \(Self.isLarge(cell)) THEN NULL ELSE \(cell) END "
        + "FROM \(source).\(stored.quotedIdentifier) AS s "
        + "WHERE typeof(\(cell)) = 'blob' AND (length(\(cell)) > \(Self.limit) "
        + "OR \(TableFunctions.fileBytes)(\(cell)) > \(Self.limit)) ORDER BY s.Z_PK")
    while try rows.step() {
      let row = rows.integer(at: 0)
      if let reference = rows.value(at: 1).bytes {
        try fill(table, column, row, fromFileOf: reference)
      } else {
        try fill(table, column, key, row, fromCellOf: stored, storedColumn)
      }
    }
  }

  private func fill(
    _ table: String, _ column: String, _ row: Int64, fromFileOf reference: [UInt8]
  ) throws {
    let copy = try BlobHandle(
      connection, table: table, column: column, row: row, isWritable: true)
    var offset = 0
    _ = try folder.pieces(ofCell: reference, longerThan: Self.limit) { piece in
      // A file that has grown in the meantime is reported below.
      if offset + piece.count <= copy.byteCount { try copy.write(piece, at: offset) }
      offset += piece.count
    }
    guard offset == copy.byteCount else {
      throw StoreError(
        .inputOutput, path: folder.path, detail: "a file of external data was changed")
    }
  }

  private func fill(
    _ table: String, _ column: String, _ key: String, _ row: Int64, fromCellOf stored: String,
    _ storedColumn: String
  ) throws {
    let value = try BlobHandle(
      connection, schema: source, table: stored, column: storedColumn, row: row)
    guard try value.firstByte() == ExternalValue.inlineMarker else {
      // A form that has not been seen: the column holds the value itself.
      return try connection.execute(
        "UPDATE main.\(table.quotedIdentifier) SET \(column.quotedIdentifier) = "
          + "(SELECT \(storedColumn.quotedIdentifier) FROM \(source).\(stored.quotedIdentifier) "
          + "WHERE Z_PK = ?1) WHERE \(key.quotedIdentifier) = ?1", [.integer(row)])
    }
    let copy = try BlobHandle(
      connection, table: table, column: column, row: row, isWritable: true)
    var offset = 0
    try value.forEachPiece(from: 1) { piece in
      try copy.write(piece, at: offset)
      offset += piece.count
    }
  }
}
