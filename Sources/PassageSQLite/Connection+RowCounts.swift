internal import CSQLite
package import PassageValues

/// The rows of tables, and the bound of what a foreign file may show of them.
extension Connection {
  /// The number of rows of a table.
  ///
  /// - Throws: `SQLITE_CORRUPT` if a table of a foreign file reports more rows than the file can
  ///   hold: pages that refer to the same pages can produce any number of rows.
  /// - Complexity: O(n) in the rows of its smallest b-tree.
  package func rowCount(ofTable name: String) throws(SQLiteError) -> Int64 {
    guard let maximum = limits.maximumRows else {
      let statement = try prepare(overTable: name) { "SELECT count(*) FROM \($0)" }
      return try statement.step() ? statement.integer(at: 0) : 0
    }
    let statement = try prepare(overTable: name) {
      "SELECT count(*) FROM (SELECT 1 FROM \($0) LIMIT \(maximum + 1))"
    }
    let count = try statement.step() ? statement.integer(at: 0) : 0
    guard count <= maximum else { throw Self.tooManyRows(name) }
    return count
  }

  /// Checks that a table of a foreign file reports no more rows than the file can hold, in whatever order
  /// they are read. Passage's own files are not checked.
  ///
  /// - Throws: the errors of ``rowCount(ofTable:)``.
  /// - Complexity: O(n) in the rows of the table and of each of its indexes.
  package func checkRowCount(ofTable name: String) throws(SQLiteError) {
    guard limits.maximumRows != nil else { return }
    _ = try rowCount(ofTable: name)
    try checkRowCountByIndexes(ofTable: name)
  }

  /// Checks the same of a table that has indexes, and of each of them. What else is wrong with one is told where it
  /// is used.
  ///
  /// - Throws: `SQLITE_CORRUPT` if one reports more rows than the file can hold.
  /// - Complexity: O(n) in the rows of the table and of each index; O(1) without an index.
  package func checkRowCountByIndexes(ofTable name: String) throws(SQLiteError) {
    guard let maximum = limits.maximumRows else { return }
    let indexes = try indexNames(ofTable: name).map { "INDEXED BY \($0.quotedIdentifier)" }
    for order in indexes.isEmpty ? [] : indexes + ["NOT INDEXED"] {
      let rows: Int64
      do {
        rows = try count(name, order, upTo: maximum)
      } catch  where error.isDamage || error.isStatementError || error.isMissingCollation {
        continue
      }
      guard rows <= maximum else { throw Self.tooManyRows(name) }
    }
  }

  /// The names of the indexes that hold every row of a table.
  private func indexNames(ofTable name: String) throws(SQLiteError) -> [String] {
    try rows("SELECT name FROM pragma_index_list(?) WHERE NOT partial", [.text(name)])
      .compactMap { $0[0].string }
  }

  /// - Returns: at most one more than `maximum`.
  private func count(
    _ table: String, _ order: String, upTo maximum: Int64
  ) throws(SQLiteError) -> Int64 {
    try integer(
      "SELECT count(*) FROM (SELECT 1 FROM \(table.quotedIdentifier) \(order) LIMIT \(maximum + 1))"
    )
  }

  /// Counts the rows of a table for each value in a column.
  ///
  /// - Parameter body: called with each value and the number of its rows. A file may have as many values
  ///   as rows, so that they are not all kept.
  /// - Throws: the errors of ``rowCount(ofTable:)``.
  /// - Complexity: O(n) in the rows of the table.
  package func countRows(
    ofTable name: String, byColumn column: String, _ body: (Value, Int64) -> Void
  ) throws(SQLiteError) {
    let statement = try prepare(overTable: name) {
      "SELECT \(column.quotedIdentifier), count(*) FROM \($0) GROUP BY 1"
    }
    // A row takes a few instructions.
    try boundedByRows(of: name, instructions: 32) { () throws(SQLiteError) in
      while try statement.step() { body(statement.value(at: 0), statement.integer(at: 1)) }
    }
  }

  /// Runs statements that take at most so many instructions for each row that a foreign file can hold.
  ///
  /// - Parameters:
  ///   - table: the table that is read, for the error.
  ///   - instructions: for each row.
  /// - Throws: `SQLITE_CORRUPT` when they take more.
  package func boundedByRows<Result>(
    of table: String? = nil, instructions: Int64, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    do {
      return try bounded(
        instructions: limits.maximumRows.map { ($0 + 1_000) * instructions }, body)
    } catch {
      guard limits.maximumRows != nil, error.isInterrupt, watch?.isAsked() != true,
        progressBox?.isCancelled() != true
      else { throw error }
      throw Self.tooManyRows(table)
    }
  }

  static func tooManyRows(_ table: String?) -> SQLiteError {
    SQLiteError(
      code: SQLITE_CORRUPT,
      message:
        "\(table.map { "the table \($0)" } ?? "a table") has more rows than the file can hold")
  }
}
