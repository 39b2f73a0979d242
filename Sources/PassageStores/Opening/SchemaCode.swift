package import PassageSQLite
internal import PassageValues

/// What the schema of a file makes SQLite compute when a table is read, checked or written.
///
/// Triggers, views, virtual tables and CHECK constraints are never run (see `Connection`).
/// Generated columns and indexes over expressions cannot be switched off: SQLite evaluates them
/// wherever it meets them. A single instruction, such as `instr(zeroblob(…), …)`, can then run for
/// hours and cannot be interrupted. Tables that have them are therefore found before they are
/// touched.
package struct SchemaCode: Sendable, Hashable {
  /// The generated columns, by the table's name.
  package private(set) var generatedColumns: [SQLName: [String]] = [:]
  /// The tables that have an index over an expression, or a partial index whose condition calls a
  /// function.
  package private(set) var computedIndexTables: Set<SQLName> = []

  /// Reads the schema of `main` without evaluating anything in it.
  ///
  /// - Complexity: O(n) in the columns and indexes.
  package init(_ connection: Connection) throws(SQLiteError) {
    // https://www.sqlite.org/pragma.html#pragma_table_xinfo: 2 is VIRTUAL, 3 STORED.
    let columns = try connection.prepare(
      """
      SELECT m.name, x.name FROM sqlite_master AS m
      JOIN pragma_table_xinfo(m.name, 'main') AS x
      WHERE m.type = 'table' AND m.rootpage > 0 AND x.hidden IN (2, 3)
      ORDER BY m.rowid, x.cid
      """)
    while try columns.step() {
      guard let table = columns.value(at: 0).string, let name = columns.value(at: 1).string else {
        continue
      }
      generatedColumns[SQLName(table), default: []].append(name)
    }
    let indexes = try connection.prepare(
      """
      SELECT m.tbl_name, m.sql,
        EXISTS (SELECT 1 FROM pragma_index_xinfo(m.name, 'main') WHERE cid = -2)
      FROM sqlite_master AS m WHERE m.type = 'index' AND m.sql NOT NULL
      """)
    while try indexes.step() {
      guard let table = indexes.value(at: 0).string, let sql = indexes.value(at: 1).string else {
        continue
      }
      if indexes.integer(at: 2) != 0 || SchemaText.callsInCondition(sql) {
        computedIndexTables.insert(SQLName(table))
      }
    }
  }

  /// Whether the schema computes nothing.
  package var isEmpty: Bool { generatedColumns.isEmpty && computedIndexTables.isEmpty }

  /// Whether reading, checking or writing the table evaluates an expression of the schema.
  package func computes(inTable name: String) -> Bool {
    let name = SQLName(name)
    return generatedColumns[name] != nil || computedIndexTables.contains(name)
  }

  /// Refuses generated columns in tables that Core Data creates without any.
  ///
  /// - Throws: ``StoreError`` of kind `generatedColumn`, with all of these tables.
  package func refuseGeneratedColumns(
    ofTables names: some Sequence<String>, path: String
  ) throws(StoreError) {
    let found = names.flatMap { name in
      (generatedColumns[SQLName(name)] ?? []).map { "\(name).\($0)" }
    }
    guard !found.isEmpty else { return }
    let rest = found.count > 20 ? " and \(found.count - 20) more" : ""
    throw StoreError(
      .generatedColumn, path: path,
      detail: "\(found.prefix(20).joined(separator: ", "))\(rest): an expression of the file would "
        + "run for each row that is read, and Core Data never creates such columns")
  }
}
