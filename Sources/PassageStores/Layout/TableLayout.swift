/// The table of one root entity and all its descendants.
package struct TableLayout: Sendable, Hashable {
  /// The name in the store: `Z` and the root entity's name in upper case.
  package var name: String
  /// The root entity, which owns the table.
  package var rootEntityName: String
  /// Whether objects of several entities share the table.
  package var hasSubentities: Bool
  /// In the order of the table. The first three are `Z_PK`, `Z_ENT` and `Z_OPT`.
  package var columns: [Column]

  package init(name: String, rootEntityName: String, hasSubentities: Bool, columns: [Column]) {
    self.name = name
    self.rootEntityName = rootEntityName
    self.hasSubentities = hasSubentities
    self.columns = columns
  }

  /// The statement that creates the table, as Core Data writes it.
  package var createStatement: String {
    let definitions = columns.map { column in
      let suffix = column.role == .key ? " PRIMARY KEY" : ""
      return "\(column.name.layoutIdentifier) \(column.type.rawValue)\(suffix)"
    }
    return "CREATE TABLE \(name.layoutIdentifier) ( \(definitions.joined(separator: ", ")) )"
  }
}
