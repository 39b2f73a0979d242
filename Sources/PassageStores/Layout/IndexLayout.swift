/// One index of a store.
package struct IndexLayout: Sendable, Hashable {
  package struct Element: Sendable, Hashable {
    package var column: String
    /// The direction, for the fetch indexes of a model, whose statements write collation and
    /// direction out; `nil` for the indexes that Core Data creates by itself.
    package var isAscending: Bool?

    package init(column: String, isAscending: Bool? = nil) {
      self.column = column
      self.isAscending = isAscending
    }
  }

  /// The name in the store.
  package var name: String
  package var tableName: String
  package var isUnique: Bool
  /// In the order of the index.
  package var elements: [Element]
  /// The condition of a partial index in SQL; `nil` if the index covers every row.
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

  /// Whether Core Data creates the index by itself, without a fetch index in the model.
  package var isAutomatic: Bool { !isUnique && elements.allSatisfy { $0.isAscending == nil } }

  /// The name that Core Data gives to the index of a uniqueness constraint.
  ///
  /// - Parameters:
  ///   - entity: the name of the entity that has the constraint.
  ///   - constraint: the names of the constraint's properties.
  package static func uniqueName(of entity: String, _ constraint: [String]) -> String {
    "Z_\(entity)_UNIQUE_\(constraint.joined(separator: "_"))"
  }

  /// The statement that creates the index, as Core Data writes it.
  package var createStatement: String { statement(condition: "") }

  /// The same statement, which does nothing if an index with this name exists, for a continued run.
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
