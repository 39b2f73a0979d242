internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The tables that a plain database declares, as SQLite reports them.
struct TableSchema: Sendable {
  struct Column: Sendable, Hashable {
    var name: String
    /// The declared type in upper case; empty if there is none.
    var type: String
    var isRequired: Bool
    /// The default value in SQL.
    var defaultText: String?
  }

  struct ForeignKey: Sendable, Hashable {
    /// In the order of the key.
    var columns: [String]
    var parentTable: String
    /// `nil` for the parent's primary key.
    var parentColumns: [String]?
    /// `CASCADE`, `SET NULL`, `RESTRICT`, `NO ACTION` or `SET DEFAULT`.
    var onDelete: String
  }

  struct Index: Sendable {
    var name: String
    var isUnique: Bool
    /// Whether it was created by a statement, not by a constraint.
    var isNamed: Bool
    var columns: [(name: String, isAscending: Bool)]
  }

  struct Table: Sendable {
    var name: String
    /// `table`, `view`, `virtual` or `shadow`.
    var kind: String
    /// The name of the row id; `nil` for a table WITHOUT ROWID, and for a table whose columns use
    /// all of its names.
    var rowIdentifier: String?
    var isWithoutRowID = false
    var columns: [Column]
    /// Generated columns that are not stored. Reading them runs expressions of the file.
    var computedColumns: [String] = []
    /// The columns of the primary key, in its order; empty if there is none.
    var primaryKey: [String]
    /// The column that is an alias of the row id (INTEGER PRIMARY KEY).
    var rowIdentifierColumn: String?
    var foreignKeys: [ForeignKey]
    /// The indexes that have only columns and no condition.
    var indexes: [Index]

    func column(named name: String) -> Column? {
      columns.first { SQLName.areSame($0.name, name) }
    }

    /// The declared name of a generated column that is not stored.
    func computedColumn(named name: String) -> String? {
      computedColumns.first { SQLName.areSame($0, name) }
    }

    /// The foreign key that is declared for these columns, in this order.
    func foreignKey(of columns: [String]) -> ForeignKey? {
      let wanted = columns.map(SQLName.init)
      return foreignKeys.first { $0.columns.map(SQLName.init) == wanted }
    }

    /// The column to which a foreign key of one column refers.
    func parentColumn(of column: String, in schema: TableSchema) -> String? {
      guard let key = foreignKey(of: [column]) else { return nil }
      return key.parentColumns?.first ?? schema.table(named: key.parentTable)?.primaryKey.first
    }

    /// Whether rows can be found by values of these columns without reading the whole table.
    func isIndexed(by columns: [String]) -> Bool {
      let wanted = Set(columns.map(SQLName.init))
      return ([primaryKey] + indexes.map { $0.columns.map(\.name) }).contains {
        Set($0.prefix(wanted.count).map(SQLName.init)) == wanted
      }
    }
  }

  /// In the order of the database's schema, without SQLite's own.
  let tables: [Table]

  private let indexes: [SQLName: Int]

  /// - Complexity: O(1): it is asked for each foreign key.
  func table(named name: String) -> Table? { indexes[SQLName(name)].map { tables[$0] } }

  /// Reads the schema of `main`.
  init(_ connection: Connection) throws(SQLiteError) {
    // https://www.sqlite.org/pragma.html#pragma_table_list
    let rows = try connection.rows(
      """
      SELECT l.name, l.type, l.wr FROM pragma_table_list AS l
      LEFT JOIN sqlite_master AS m ON m.name = l.name
      WHERE l.schema = 'main' AND substr(lower(l.name), 1, 7) <> 'sqlite_' ORDER BY m.rowid, l.name
      """)
    var tables: [Table] = []
    for row in rows {
      guard let name = row[0].string, let kind = row[1].string else { continue }
      // Only the module of a virtual table knows its columns.
      guard kind == "table" else {
        tables.append(
          Table(
            name: name, kind: kind, columns: [], primaryKey: [], foreignKeys: [], indexes: []))
        continue
      }
      tables.append(try Self.table(name, isWithoutRowID: row[2].integer == 1, connection))
    }
    self.tables = tables
    indexes = Dictionary(
      tables.enumerated().map { (SQLName($1.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func table(
    _ name: String, isWithoutRowID: Bool, _ connection: Connection
  ) throws(SQLiteError) -> Table {
    var table = Table(
      name: name, kind: "table", isWithoutRowID: isWithoutRowID, columns: [], primaryKey: [],
      foreignKeys: [], indexes: [])
    var key: [(position: Int64, name: String)] = []
    for row in try connection.rows(
      "SELECT name, upper(type), \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?) "
        + "WHERE hidden <> 1 ORDER BY cid", [.text(name)])
    {
      guard let column = row[0].string else { continue }
      guard row[5].integer != 2 else {
        table.computedColumns.append(column)
        continue
      }
      table.columns.append(
        Column(
          name: column, type: row[1].string ?? "", isRequired: row[2].integer == 1,
          defaultText: row[3].string))
      if let position = row[4].integer, position > 0 { key.append((position, column)) }
    }
    table.primaryKey = key.sorted { $0.position < $1.position }.map(\.name)
    var hasKeyIndex = false
    for row in try connection.rows(
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?) ORDER BY name",
      [.text(name)])
    {
      guard let index = row[0].string else { continue }
      if row[2].string == "pk" { hasKeyIndex = true }
      let elements = try connection.rows(
        "SELECT name, \"desc\" FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno",
        [.text(index)])
      let columns = elements.compactMap { element in
        element[0].string.map { (name: $0, isAscending: element[1].integer != 1) }
      }
      // An element without a name is an expression.
      guard row[3].integer == 0, columns.count == elements.count, row[2].string != "pk" else {
        continue
      }
      table.indexes.append(
        Index(
          name: index, isUnique: row[1].integer == 1, isNamed: row[2].string == "c",
          columns: columns))
    }
    // https://www.sqlite.org/lang_createtable.html#rowid: such a key has no separate index.
    if table.primaryKey.count == 1, !isWithoutRowID, !hasKeyIndex {
      table.rowIdentifierColumn = table.primaryKey[0]
    }
    if !isWithoutRowID {
      table.rowIdentifier =
        table.rowIdentifierColumn
        ?? ["rowid", "_rowid_", "oid"].first { table.column(named: $0) == nil }
    }
    let computed = Set(table.computedColumns.map(SQLName.init))
    table.foreignKeys = try foreignKeys(of: name, connection).filter { key in
      key.columns.allSatisfy { !computed.contains(SQLName($0)) }
    }
    return table
  }

  private static func foreignKeys(
    of table: String, _ connection: Connection
  ) throws(SQLiteError) -> [ForeignKey] {
    var keys: [(id: Int64, key: ForeignKey)] = []
    for row in try connection.rows(
      "SELECT id, \"table\", \"from\", \"to\", upper(on_delete) FROM pragma_foreign_key_list(?) "
        + "ORDER BY id DESC, seq", [.text(table)])
    {
      guard let id = row[0].integer, let parent = row[1].string, let column = row[2].string else {
        continue
      }
      if keys.last?.id != id {
        keys.append(
          (
            id,
            ForeignKey(
              columns: [], parentTable: parent, parentColumns: row[3].string == nil ? nil : [],
              onDelete: row[4].string ?? "NO ACTION")
          ))
      }
      keys[keys.count - 1].key.columns.append(column)
      if let to = row[3].string { keys[keys.count - 1].key.parentColumns?.append(to) }
    }
    return keys.map(\.key)
  }
}
