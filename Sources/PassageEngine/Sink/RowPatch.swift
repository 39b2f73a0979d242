internal import PassageSQLite
internal import PassageValues

/// The one door for changes of rows that are in a destination table already: links that had to wait,
/// what policies change, what is quarantined.
struct RowPatch {
  let connection: Connection

  /// Changes cells.
  ///
  /// - Parameters:
  ///   - cells: columns, and the SQL that gives each its cell.
  ///   - row: what `cells` and `condition` call the table's row; its own name when it is `nil`.
  ///   - other: what follows FROM; `nil` where the cells need no other table.
  ///   - condition: holds for the rows to be changed.
  ///   - values: of the parameters in `cells` and `condition`.
  func set(
    _ cells: [(column: String, sql: String)], in table: String, as row: String? = nil,
    from other: String? = nil, where condition: String, _ values: [Value] = []
  ) throws {
    try connection.execute(Self.text(cells, table, row, other, condition), values)
  }

  /// Empties the rows' links in these columns; a column that is `nil` is left out.
  func empty(_ columns: [String?], in table: String, where condition: String) throws {
    try set(
      columns.compactMap { $0.map { ($0, "NULL") } }, in: table, where: condition)
  }

  /// Removes rows.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func remove(from table: String, where condition: String) throws -> Int64 {
    try connection.execute("DELETE FROM main.\(table.quotedIdentifier) WHERE \(condition)")
    return connection.changes
  }

  /// The change of one row at a time, all its cells given.
  ///
  /// - Returns: a statement with a parameter for each column, then the key, then the entity's number.
  func oneByOne(_ columns: [String], in table: String) throws -> Statement {
    try connection.prepare(
      Self.text(columns.map { ($0, "?") }, table, nil, nil, "Z_PK = ? AND Z_ENT = ?"))
  }

  private static func text(
    _ cells: [(column: String, sql: String)], _ table: String, _ row: String?, _ other: String?,
    _ condition: String
  ) -> String {
    let sets = cells.map { "\($0.column.quotedIdentifier) = \($0.sql)" }.joined(separator: ", ")
    let source = other.map { " FROM \($0)" } ?? ""
    let name = row.map { " AS \($0)" } ?? ""
    return "UPDATE main.\(table.quotedIdentifier)\(name) SET \(sets)\(source) WHERE \(condition)"
  }
}
