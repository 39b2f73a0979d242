extension StoreLayout {
  /// The layout with some columns renamed.
  ///
  /// - Parameter renamed: for each table, the new names by the old names.
  func renamingColumns(_ renamed: [String: [String: String]]) -> StoreLayout {
    guard !renamed.isEmpty else { return self }
    var layout = self
    for index in layout.tables.indices {
      guard let names = renamed[layout.tables[index].name] else { continue }
      for column in layout.tables[index].columns.indices {
        let name = layout.tables[index].columns[column].name
        layout.tables[index].columns[column].name = names[name] ?? name
      }
    }
    for index in layout.indexes.indices {
      guard let names = renamed[layout.indexes[index].tableName] else { continue }
      for element in layout.indexes[index].elements.indices {
        let name = layout.indexes[index].elements[element].column
        layout.indexes[index].elements[element].column = names[name] ?? name
      }
    }
    for index in layout.entities.indices {
      let table = layout.entities[index].tableName
      layout.entities[index].storages = layout.entities[index].storages.mapValues {
        $0.renamingColumns(renamed, ofEntityIn: table)
      }
    }
    return layout
  }
}

extension RelationshipStorage {
  fileprivate func renamingColumns(
    _ renamed: [String: [String: String]], ofEntityIn table: String
  ) -> RelationshipStorage {
    switch self {
    case .foreignKey(let column, let entityColumn, let orderColumn):
      guard let names = renamed[table] else { return self }
      return .foreignKey(
        column: names[column] ?? column, entityColumn: entityColumn.map { names[$0] ?? $0 },
        orderColumn: orderColumn.map { names[$0] ?? $0 })
    case .inverseForeignKey(let holder, let column, let entityColumn, let orderColumn):
      guard let names = renamed[holder] else { return self }
      return .inverseForeignKey(
        table: holder, column: names[column] ?? column,
        entityColumn: entityColumn.map { names[$0] ?? $0 },
        orderColumn: orderColumn.map { names[$0] ?? $0 })
    case .joinTable: return self
    }
  }
}

extension Column.Role {
  /// Whether the column's name may contain an entity's number.
  var isNumbered: Bool {
    switch self {
    case .foreignKey, .foreignEntity, .order: true
    case .key, .entityNumber, .saveCount, .attribute: false
    }
  }
}
