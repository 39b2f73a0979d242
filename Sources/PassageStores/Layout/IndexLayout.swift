/// One index of a store.
package struct IndexLayout: Sendable, Hashable {
  package struct Element: Sendable, Hashable {
    package var column: String
    /// The direction when it is written out with the collation, as indexes that a model names are;
    /// `nil` for the indexes Core Data makes by itself.
    package var isAscending: Bool?

    package init(column: String, isAscending: Bool? = nil) {
      self.column = column
      self.isAscending = isAscending
    }
  }

  /// The name as it is in the store.
  package var name: String
  package var tableName: String
  package var isUnique: Bool
  /// In the order of the index.
  package var elements: [Element]
  /// The condition of a partial index in SQL; `nil` for an index of every row.
  package var condition: String?

  package init(
    name: String, tableName: String, isUnique: Bool = false, elements: [Element],
    condition: String? = nil
  ) {
    self.condition = condition
    self.name = name
    self.tableName = tableName
    self.isUnique = isUnique
    self.elements = elements
  }

  /// Whether Core Data makes the index by itself, without being asked by the model.
  package var isAutomatic: Bool { !isUnique && elements.allSatisfy { $0.isAscending == nil } }

  /// The statement that makes the index, in the words Core Data writes.
  package var createStatement: String { statement(condition: "") }

  /// The same statement, doing nothing when an index of this name exists: for a run that continues.
  package var createIfMissingStatement: String { statement(condition: "IF NOT EXISTS ") }

  private func statement(condition: String) -> String {
    let columns = elements.map { element in
      let order = element.isAscending.map { " COLLATE BINARY \($0 ? "ASC" : "DESC")" } ?? ""
      return element.column.layoutIdentifier + order
    }
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(condition)\(name.layoutIdentifier) "
      + "ON \(tableName.layoutIdentifier) (\(columns.joined(separator: ", ")))"
      + (self.condition.map { " WHERE \($0)" } ?? "")
  }
}
