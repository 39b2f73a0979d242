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
  /// The generated columns, by the table's name in upper case.
  package private(set) var generatedColumns: [String: [String]] = [:]
  /// The tables, by name in upper case, that have an index over an expression, or a partial index
  /// whose condition calls a function.
  package private(set) var computedIndexTables: Set<String> = []

  /// Reads the schema of `main` without evaluating anything in it.
  ///
  /// - Parameter tables: the names of the tables to look at, in upper case; `nil` for all.
  /// - Complexity: O(n) in the columns and indexes.
  package init(_ connection: Connection, of tables: Set<String>? = nil) throws(SQLiteError) {
    // https://www.sqlite.org/pragma.html#pragma_table_xinfo: 2 is VIRTUAL, 3 STORED.
    let columns = try connection.prepare(
      """
      SELECT upper(m.name), x.name FROM sqlite_master AS m
      JOIN pragma_table_xinfo(m.name, 'main') AS x
      WHERE m.type = 'table' AND m.rootpage > 0 AND x.hidden IN (2, 3)
      \(Self.condition(tables)) ORDER BY m.rowid, x.cid
      """)
    while try columns.step() {
      guard let table = columns.value(at: 0).string, let name = columns.value(at: 1).string else {
        continue
      }
      generatedColumns[table, default: []].append(name)
    }
    let indexes = try connection.prepare(
      """
      SELECT upper(m.tbl_name), m.sql,
        EXISTS (SELECT 1 FROM pragma_index_xinfo(m.name, 'main') WHERE cid = -2)
      FROM sqlite_master AS m WHERE m.type = 'index' AND m.sql NOT NULL \(Self.condition(tables))
      """)
    while try indexes.step() {
      guard let table = indexes.value(at: 0).string, let sql = indexes.value(at: 1).string else {
        continue
      }
      if indexes.integer(at: 2) != 0 || SchemaText.callsInCondition(sql) {
        computedIndexTables.insert(table)
      }
    }
  }

  private static func condition(_ tables: Set<String>?) -> String {
    guard let tables else { return "" }
    return
      "AND upper(m.tbl_name) IN (\(tables.sorted().map(\.quotedLiteral).joined(separator: ", ")))"
  }

  /// Whether the schema computes nothing.
  package var isEmpty: Bool { generatedColumns.isEmpty && computedIndexTables.isEmpty }

  /// Whether reading, checking or writing the table evaluates an expression of the schema.
  package func computes(inTable name: String) -> Bool {
    let name = name.uppercased()
    return generatedColumns[name] != nil || computedIndexTables.contains(name)
  }

  /// Refuses generated columns in tables that Core Data creates without any.
  ///
  /// - Throws: ``StoreError`` of kind `generatedColumn`, with all of these tables.
  package func refuseGeneratedColumns(
    ofTables names: some Sequence<String>, path: String
  ) throws(StoreError) {
    let found = names.flatMap { name in
      (generatedColumns[name.uppercased()] ?? []).map { "\(name).\($0)" }
    }
    guard !found.isEmpty else { return }
    let rest = found.count > 20 ? " and \(found.count - 20) more" : ""
    throw StoreError(
      .generatedColumn, path: path,
      detail: "\(found.prefix(20).joined(separator: ", "))\(rest): an expression of the file would "
        + "run for each row that is read, and Core Data never creates such columns")
  }
}
