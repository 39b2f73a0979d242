internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The rows of a table, ordered by key.
struct TableRows {
  let columns: [String]
  let keyCount: Int
  /// The columns that may have large values. If there are any, the key must be the row number.
  var large: [Int] = []
  /// The columns whose values are also read from files of external data.
  var external: Set<Int> = []
  /// The columns with places in lists of which only the order counts, and the column with the owner of each list.
  var ranked: [Int: String] = [:]
  /// The columns with links of which only those count that lead to an object, and the table of the objects.
  var linked: [Int: String] = [:]

  func cursor(_ store: OpenStore, table: String) throws -> Cursor {
    let connection = try store.connection
    return Cursor(
      rows: self, store, connection, table: table, try statement(connection, table: table))
  }

  private func statement(_ connection: Connection, table: String) throws -> Statement {
    var cells = columns.map(\.quotedIdentifier)
    // A large value is left out of the row and read in pieces.
    for column in large {
      let cell = columns[column].quotedIdentifier
      let condition = LargeValue.condition(cell, markerBytes: external.contains(column) ? 1 : 0)
      cells[column] = "CASE WHEN \(condition) THEN NULL ELSE \(cell) END"
      cells.append("\(condition)")
    }
    let keys = columns.prefix(keyCount).map(\.quotedIdentifier).joined(separator: ", ")
    for (column, table) in linked {
      let key = columns[column].quotedIdentifier
      cells[column] = "(SELECT Z_PK FROM \(table.quotedIdentifier) WHERE Z_PK = o.\(key))"
    }
    for (column, owner) in ranked {
      let place = columns[column].quotedIdentifier
      cells[column] =
        "CASE WHEN \(place) IS NOT NULL THEN row_number() OVER "
        + "(PARTITION BY \(owner.quotedIdentifier) ORDER BY \(place), \(keys)) END"
    }
    return try connection.prepare(
      "SELECT \(cells.joined(separator: ", ")) FROM \(table.quotedIdentifier) AS o ORDER BY \(keys)"
    )
  }

  /// Iterates over the rows of one store. Large values are replaced by their summaries.
  final class Cursor {
    private let rows: TableRows
    private let connection: Connection
    private let table: String
    private let statement: Statement
    private let folder: ExternalFolder

    init(
      rows: TableRows, _ store: OpenStore, _ connection: Connection, table: String,
      _ statement: Statement
    ) {
      self.rows = rows
      self.table = table
      self.statement = statement
      self.connection = connection
      folder = ExternalFolder(path: store.unit.externalDataPath, dropsMissingFiles: true)
    }

    /// The cells of the next row; `nil` at the end.
    func next() throws -> [Value]? {
      guard try statement.step() else { return nil }
      let count = rows.columns.count
      var values = (0..<count).map(statement.value(at:))
      for (place, column) in rows.large.enumerated()
      where statement.integer(at: count + place) != 0 {
        values[column] = try LargeValue.summary(
          connection, table: table, column: rows.columns[column],
          row: statement.integer(at: 0), isExternal: rows.external.contains(column))
      }
      for column in rows.external {
        guard let bytes = values[column].bytes else { continue }
        values[column] = try value(ofCell: bytes)
      }
      return values
    }

    private func value(ofCell bytes: [UInt8]) throws -> Value {
      if let file = try folder.file(ofCell: bytes), file.byteCount > LargeValue.limit {
        var large = LargeValue()
        _ = try folder.pieces(ofCell: bytes, longerThan: LargeValue.limit) { large.take($0) }
        return large.summary
      }
      let value = try folder.value(ofCell: bytes)
      guard let whole = value.bytes, whole.count > LargeValue.limit else { return value }
      var large = LargeValue()
      large.take(whole)
      return large.summary
    }
  }
}
