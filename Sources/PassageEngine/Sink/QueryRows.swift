internal import PassageExpressions
internal import PassageSQLite
internal import PassageValues

/// Rows that enter a destination table as the result of a query, where source and sink are both SQL's:
/// no row leaves SQLite. The counterpart of ``RowSink`` for many rows at once.
struct QueryRows {
  /// What becomes of a row that is there already.
  enum Repetition: String {
    /// Each row comes once: another is a mistake.
    case isRefused = "FAIL"
    /// It is the same row.
    case isLeftOut = "IGNORE"
  }

  private let connection: Connection
  private let insert: Statement
  private let parameterCount: Int

  /// - Parameters:
  ///   - columns: those that the query gives, in its order.
  ///   - query: a SELECT; parameters that ``append(_:)`` binds come after those it has bindings for.
  init(
    of query: SQLFragment, into table: String, columns: [String],
    repetition: Repetition = .isRefused, on connection: Connection
  ) throws {
    self.connection = connection
    let names = columns.map(\.quotedIdentifier).joined(separator: ", ")
    insert = try connection.prepare(
      "INSERT OR \(repetition.rawValue) INTO main.\(table.quotedIdentifier) (\(names)) "
        + query.sql)
    try insert.bind(query.bindings)
    parameterCount = query.bindings.count
  }

  /// Appends what the query gives.
  ///
  /// - Parameter values: of the parameters that have none yet, for instance a range of keys.
  /// - Returns: the number of rows that are new.
  @discardableResult
  func append(_ values: [Value] = []) throws -> Int64 {
    try insert.bind(values, from: parameterCount + 1)
    try insert.run()
    return connection.changes
  }
}
