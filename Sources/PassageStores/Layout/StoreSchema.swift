internal import PassageSQLite

/// The tables that a store really has, for finding columns by name.
package struct StoreSchema: Sendable, Hashable {
  package struct Table: Sendable, Hashable {
    /// The name in the store.
    package var name: String
    /// The columns' names, in the order of the table.
    package var columns: [String]
    /// The column that is the table's `INTEGER PRIMARY KEY`, and so SQLite's row id
    /// (https://www.sqlite.org/lang_createtable.html#rowid); `nil` if the table has none.
    package var keyColumn: String?

    /// Creates a description of a table.
    ///
    /// - Parameters:
    ///   - name: the name in the store.
    ///   - columns: in the order of the table.
    ///   - keyColumn: the column that is the table's `INTEGER PRIMARY KEY`.
    package init(name: String, columns: [String], keyColumn: String? = nil) {
      self.name = name
      self.columns = columns
      self.keyColumn = keyColumn
    }
  }

  /// In the order of the store's schema, without views and virtual tables.
  package let tables: [Table]

  private let indexes: [SQLName: Int]
  private let columnNames: [Set<SQLName>]

  package init(tables: [Table]) {
    self.tables = tables
    self.indexes = Dictionary(
      tables.enumerated().map { (SQLName($1.name), $0) },
      uniquingKeysWith: { first, _ in first })
    self.columnNames = tables.map { Set($0.columns.map(SQLName.init)) }
  }

  /// The table with this name, as SQLite compares names: the case of ASCII does not matter.
  ///
  /// - Complexity: O(1).
  package func table(named name: String) -> Table? {
    indexes[SQLName(name)].map { tables[$0] }
  }

  /// Whether a table has a column, by names that are compared alike.
  ///
  /// - Complexity: O(1).
  package func hasColumn(_ column: String, inTable table: String) -> Bool {
    indexes[SQLName(table)].map { columnNames[$0].contains(SQLName(column)) } ?? false
  }
}
