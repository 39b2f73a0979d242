internal import PassageModels

extension StoreLayoutBuilder {
  /// Creates one join table for each many-to-many relationship and its inverse.
  ///
  /// The end with the lower entity number owns it. If both ends are in one entity, the one whose
  /// name comes second owns it. A column is named after the entity whose keys it holds and the
  /// relationship that leads to it. Names are unique within each entity, in the order of its own
  /// relationships.
  mutating func makeJoinTables() {
    var ends: [(id: PropertyID, inverse: PropertyID)] = []
    var columnNames: [PropertyID: String] = [:]
    for entity in ordered {
      var names = UniqueNames()
      for relationship in sorted(entity.relationships)
      where relationship.isToMany && !relationship.isTransient {
        let id = PropertyID(entity: entity.name, name: relationship.name)
        guard columnNames[id] == nil, let number = numbers[entity.name],
          let inverse = mutualInverse(of: relationship, in: entity),
          self.relationship(inverse)?.isToMany == true
        else { continue }
        columnNames[id] = names.unique("Z_\(number)\(inverse.name.uppercased())")
        ends.append((id, inverse))
      }
    }
    var tableNames = UniqueNames(
      taken: BookkeepingTable.allCases.map(\.rawValue) + self.tableNames.values)
    for (id, inverse) in ends where isOwner(id, inverse: inverse) {
      guard let number = numbers[id.entity], let column = columnNames[id],
        let isOrdered = relationship(id)?.isOrdered
      else { continue }
      let name = tableNames.unique("Z_\(number)\(id.name.uppercased())")
      let otherColumn = id == inverse ? "REFLEXIVE" : columnNames[inverse] ?? "REFLEXIVE"
      joinTableIndexes[id] = joinTables.count
      joinTableIndexes[inverse] = joinTables.count
      joinTables.append(
        JoinTable(
          name: name,
          owner: JoinTable.End(
            entityName: id.entity, relationshipName: id.name, column: column,
            orderColumn: isOrdered ? orderColumn(of: otherColumn) : nil),
          other: JoinTable.End(
            entityName: inverse.entity, relationshipName: inverse.name, column: otherColumn,
            orderColumn: relationship(inverse)?.isOrdered == true && id != inverse
              ? orderColumn(of: column) : nil)))
    }
  }

  private func isOwner(_ id: PropertyID, inverse: PropertyID) -> Bool {
    guard id.entity != inverse.entity else {
      return id.name == inverse.name || isOrderedByCodeUnits(inverse.name, id.name)
    }
    return (numbers[id.entity] ?? 0) < (numbers[inverse.entity] ?? 0)
  }

  /// The order column for the key column `Z_3ASSETS` is `Z_FOK_3ASSETS`.
  private func orderColumn(of column: String) -> String {
    "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
  }
}
