internal import PassageSQLite
internal import PassageValues

/// The only way to change rows of a destination table: links written later, changes by policies,
/// the removal of quarantined objects.
struct RowPatch {
  let connection: Connection

  /// Changes cells.
  ///
  /// - Parameters:
  ///   - cells: columns, and an SQL expression for each.
  ///   - row: the alias of the table's row in `cells` and `condition`; `nil` for its own name.
  ///   - other: the tables after FROM; `nil` when the cells need no other table.
  ///   - condition: the condition for the rows to be changed.
  ///   - values: the values of the parameters in `cells` and `condition`.
  func set(
    _ cells: [(column: String, sql: String)], in table: String, as row: String? = nil,
    from other: String? = nil, where condition: String, _ values: [Value] = []
  ) throws {
    try connection.execute(Self.text(cells, table, row, other, condition), values)
  }

  /// Sets these columns of links to NULL; a `nil` in `columns` is skipped.
  func empty(_ columns: [String?], in table: String, where condition: String) throws {
    try set(
      columns.compactMap { $0.map { ($0, "NULL") } }, in: table, where: condition)
  }

  /// Removes rows.
  ///
  /// - Returns: the number of removed rows.
  @discardableResult
  func remove(from table: String, where condition: String) throws -> Int64 {
    try Journal.noteRows(cameOrWentIn: table, on: connection)
    try connection.execute("DELETE FROM main.\(table.quotedIdentifier) WHERE \(condition)")
    return connection.changes
  }

  /// A statement that changes one row at a time, with all its cells.
  ///
  /// - Returns: a statement with a parameter for each column, then the key, then the entity's
  ///   number.
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
