internal import PassageExpressions
internal import PassageSQLite
internal import PassageValues

/// Inserts the result of a query into a destination table inside SQLite, so that no row leaves it.
/// The counterpart of ``RowSink`` for many rows at once.
struct QueryRows {
  /// How a row that already exists is treated.
  enum Repetition {
    /// Each row must be new; a second one is an error.
    case isRefused
    /// A row that already exists is skipped.
    case isLeftOut
    /// A row that already exists gets one cell of the new one.
    case gives(column: String)
  }

  private let connection: Connection
  private let insert: Statement
  private let parameterCount: Int

  /// - Parameters:
  ///   - columns: the columns that the query returns, in order.
  ///   - query: a SELECT; the parameters that ``append(_:)`` binds come after those of its
  ///     bindings.
  init(
    of query: SQLFragment, into table: String, columns: [String],
    repetition: Repetition = .isRefused, on connection: Connection
  ) throws {
    self.connection = connection
    try Journal.noteRows(cameOrWentIn: table, on: connection)
    let names = columns.map(\.quotedIdentifier).joined(separator: ", ")
    let rows = "INTO main.\(table.quotedIdentifier) (\(names)) \(query.sql)"
    let statement =
      switch repetition {
      case .isRefused: "INSERT OR FAIL \(rows)"
      case .isLeftOut: "INSERT OR IGNORE \(rows)"
      case .gives(let column):
        "INSERT \(rows) ON CONFLICT DO UPDATE SET \(column.quotedIdentifier) = "
          + "excluded.\(column.quotedIdentifier)"
      }
    insert = try connection.prepare(statement)
    try insert.bind(query.bindings)
    parameterCount = query.bindings.count
  }

  /// Inserts the result of the query.
  ///
  /// - Parameter values: the values of the remaining parameters, for instance a range of keys.
  /// - Returns: the number of new rows.
  @discardableResult
  func append(_ values: [Value] = []) throws -> Int64 {
    try insert.bind(values, from: parameterCount + 1)
    try insert.run()
    return connection.changes
  }
}
