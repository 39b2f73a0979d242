internal import PassagePlatform
package import PassageSQLite
internal import PassageValues

/// The tables of Core Data's persistent history, as a store declares them.
///
/// The statements that create them again are built from the names and types that SQLite reports,
/// never copied from the schema of the store.
package struct HistoryTables: Sendable {
  /// The names, in the order in which Core Data numbers their entities.
  package static let names = BookkeepingTable.historyNames

  /// The numbers of the history's entities in `Z_PRIMARYKEY`.
  package static let entityNumbers: ClosedRange<Int64> = 16_001...16_999

  /// The number of changes of one entity.
  package struct Changes: Sendable, Hashable {
    /// The entity's number.
    package var number: Int64
    package var count: Int64
    /// Updates with a bit mask that says which properties changed.
    package var maskCount: Int64
  }

  package struct Table: Sendable {
    package var name: String
    package var columns: [String]
    package var rowCount: Int64
    var createStatement: String
    var indexStatements: [String]
  }

  /// The tables that the store has, in the order of ``names``.
  package let tables: [Table]
  /// The number of rows in all tables.
  package let rowCount: Int64
  /// By entity number; `nil` when the changes are not in a known form.
  package let changes: [Changes]?

  /// Reads and counts the history tables of a store; `nil` if it has no history.
  ///
  /// - Complexity: O(n) in the number of changes.
  package init?(_ store: OpenStore) throws(StoreError) {
    let names = Self.names.filter { store.facts.hasTable(caseInsensitive: $0) }
    guard !names.isEmpty else { return nil }
    self = try store.reading { try Self.read(names, $0) }
  }

  private init(tables: [Table], rowCount: Int64, changes: [Changes]?) {
    self.tables = tables
    self.rowCount = rowCount
    self.changes = changes
  }

  private static func read(
    _ names: [String], _ connection: Connection
  ) throws -> HistoryTables {
    var tables: [Table] = []
    var rowCount: Int64 = 0
    for name in names {
      let table = try table(name, connection)
      tables.append(table)
      rowCount += table.rowCount
    }
    return HistoryTables(
      tables: tables, rowCount: rowCount, changes: try changes(tables, connection))
  }

  /// A store has at most a few hundred entities, so tables with more numbers are not a history.
  private static let maximumNumbers = 10_000

  private static func changes(
    _ tables: [Table], _ connection: Connection
  ) throws -> [Changes]? {
    guard let change = tables.first(where: { $0.name == names[0] }) else { return [] }
    let columns = Set(change.columns.map(\.uppercasedInASCII))
    guard columns.isSuperset(of: ["Z_PK", "ZENTITY", "ZENTITYPK"]) else { return nil }
    let masks = columns.contains("ZCOLUMNS") ? "count(ZCOLUMNS)" : "0"
    let rows = try connection.rows(
      "SELECT ZENTITY, count(*), \(masks) FROM ACHANGE NOT INDEXED GROUP BY 1 ORDER BY 1 "
        + "LIMIT \(maximumNumbers)")
    var changes: [Changes] = []
    for row in rows {
      guard case .integer(let number) = row[0] else { return nil }
      changes.append(
        Changes(
          number: number, count: row[1].integer ?? 0, maskCount: row[2].integer ?? 0))
    }
    return changes.count < maximumNumbers ? changes : nil
  }

  private static func table(_ name: String, _ connection: Connection) throws -> Table {
    let indexes = try connection.rows(
      "SELECT name, \"unique\", origin FROM pragma_index_list(?) ORDER BY name", [.text(name)])
    var statements: [String] = []
    var uniqueColumns: Set<SQLName> = []
    for index in indexes {
      guard let indexName = index[0].string else { continue }
      let columns = try connection.rows(
        "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno",
        [.text(indexName)])
      let names = columns.compactMap { $0[0].string }
      guard names.count == columns.count else { continue }
      if index[2].string == "u" {
        if names.count == 1 { uniqueColumns.insert(SQLName(names[0])) }
        continue
      }
      let list = columns.map { column in
        (column[0].string ?? "").quotedOrBare
          + (column[1].integer == 1 ? " COLLATE BINARY DESC" : " COLLATE BINARY ASC")
      }
      statements.append(
        "CREATE \(index[1].integer == 1 ? "UNIQUE " : "")INDEX IF NOT EXISTS "
          + "\(indexName.quotedOrBare) ON \(name.layoutIdentifier) "
          + "(\(list.joined(separator: ", ")))")
    }
    let columns = try connection.rows(
      "SELECT name, upper(type), pk FROM pragma_table_info(?) ORDER BY cid", [.text(name)])
    let definitions = columns.map { column in
      let columnName = column[0].string ?? ""
      let type = Column.DeclaredType(rawValue: column[1].string ?? "")?.rawValue ?? ""
      let key = column[2].integer == 1 ? " PRIMARY KEY" : ""
      return columnName.quotedOrBare + (type.isEmpty ? "" : " \(type)") + key
        + (uniqueColumns.contains(SQLName(columnName)) ? " UNIQUE" : "")
    }
    return Table(
      name: name, columns: columns.compactMap { $0[0].string },
      rowCount: try connection.integer("SELECT count(*) FROM \(name.quotedIdentifier)"),
      createStatement: "CREATE TABLE IF NOT EXISTS \(name) "
        + "( \(definitions.joined(separator: ", ")) )", indexStatements: statements)
  }

  /// Copies every row, with the tables, their indexes and their entries in `Z_PRIMARYKEY`, from an
  /// attached store into the main one, in one transaction. Repeating it changes nothing.
  ///
  /// - Parameter schema: the schema name under which the store that the tables were read from is
  ///   attached.
  package func copy(from schema: String, on connection: Connection) throws {
    let schema = schema.quotedIdentifier
    try connection.transaction {
      for table in tables {
        let name = table.name.quotedIdentifier
        let columns = table.columns.map(\.quotedIdentifier).joined(separator: ", ")
        try connection.execute(table.createStatement)
        try connection.execute("DELETE FROM main.\(name)")
        try connection.execute(
          "INSERT INTO main.\(name) (\(columns)) SELECT \(columns) FROM \(schema).\(name) "
            + "NOT INDEXED ORDER BY 1")
        for statement in table.indexStatements { try connection.execute(statement) }
      }
      try connection.execute(
        "INSERT OR REPLACE INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
          + "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM \(schema).Z_PRIMARYKEY "
          + "WHERE Z_ENT BETWEEN ? AND ?",
        [.integer(Self.entityNumbers.lowerBound), .integer(Self.entityNumbers.upperBound)])
    }
  }
}

extension String {
  /// The name unquoted if it is written like Core Data's names, otherwise in double quotes.
  fileprivate var quotedOrBare: String { hasPrefix("Z") ? layoutIdentifier : quotedIdentifier }
}
