/// The table of one root entity and all its descendants.
package struct TableLayout: Sendable, Hashable {
  /// The name as it is in the store: `Z` and the root entity's name in capitals.
  package var name: String
  /// The entity without parent that owns the table.
  package var rootEntityName: String
  /// Whether objects of several entities share the table.
  package var hasSubentities: Bool
  /// In the order of the table; the first three are `Z_PK`, `Z_ENT` and `Z_OPT`.
  package var columns: [Column]

  package init(name: String, rootEntityName: String, hasSubentities: Bool, columns: [Column]) {
    self.name = name
    self.rootEntityName = rootEntityName
    self.hasSubentities = hasSubentities
    self.columns = columns
  }

  /// The statement that makes the table, in the words Core Data writes.
  package var createStatement: String {
    let definitions = columns.map { column in
      let suffix = column.role == .key ? " PRIMARY KEY" : ""
      return "\(column.name.layoutIdentifier) \(column.type.rawValue)\(suffix)"
    }
    return "CREATE TABLE \(name.layoutIdentifier) ( \(definitions.joined(separator: ", ")) )"
  }
}
