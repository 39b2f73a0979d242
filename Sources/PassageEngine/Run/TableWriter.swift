internal import PassageSQLite
internal import PassageValues

/// The one narrow door through which rows reach a destination table.
///
/// The rows of one entity mapping arrive in ascending key order: batch after batch in the set lane,
/// row after row in the row lane. Mappings that share a source table arrive one after the other, so
/// a table may get several ascending runs. A writer that builds the table's pages itself can stand
/// behind this protocol; the one here gives the rows to SQLite.
protocol TableWriter {
  /// Appends the rows of a query over the source.
  ///
  /// - Returns: the number of rows.
  func append(selecting query: BoundQuery) throws -> Int64

  /// Appends one row: `Z_PK`, then the other cells in the order of the writer's columns.
  func append(key: Int64, cells: [Value]) throws
}

/// A query prepared once and run for one range of keys after the other.
struct BoundQuery {
  /// A complete INSERT … SELECT whose last two parameters are the range.
  let statement: Statement
  /// Parameters before the range.
  let parameterCount: Int
  var range: ClosedRange<Int64>
}

/// Writes through SQLite.
struct SQLTableWriter: TableWriter {
  private let connection: Connection
  private let insert: Statement

  /// - Parameters:
  ///   - columns: the columns after `Z_PK`, in the order of the cells.
  init(connection: Connection, table: String, columns: [String]) throws {
    self.connection = connection
    let names = (["Z_PK"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
    let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    insert = try connection.prepare(
      "INSERT INTO main.\(table.quotedIdentifier) (\(names)) VALUES (\(marks))")
  }

  func append(selecting query: BoundQuery) throws -> Int64 {
    try query.statement.bind(query.range.lowerBound, at: query.parameterCount + 1)
    try query.statement.bind(query.range.upperBound, at: query.parameterCount + 2)
    try query.statement.run()
    return connection.changes
  }

  func append(key: Int64, cells: [Value]) throws {
    try insert.bind(key, at: 1)
    for index in cells.indices { try insert.bind(cells[index], at: index + 2) }
    try insert.run()
  }
}
