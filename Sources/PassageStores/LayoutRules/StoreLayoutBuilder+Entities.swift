internal import PassageModels

extension StoreLayoutBuilder {
  /// The layouts of the entities with everything they inherit, in the order of their numbers.
  func makeEntities() -> [EntityLayout] {
    var layouts: [EntityLayout] = []
    layouts.reserveCapacity(ordered.count)
    for entity in ordered {
      guard let number = numbers[entity.name], let last = lastNumbers[entity.name],
        let root = roots[entity.name], let table = tableNames[root]
      else { continue }
      let parentNumber = parents[entity.name].flatMap { numbers[$0] } ?? 0
      var layout = EntityLayout(
        name: entity.name, number: number, parentNumber: parentNumber,
        isAbstract: entity.isAbstract, rootName: root, tableName: table,
        familyNumbers: number...max(number, last), columns: [:], storages: [:])
      // Parents come before their children.
      if parentNumber > 0, parentNumber <= layouts.count {
        layout.columns = layouts[parentNumber - 1].columns
        layout.storages = layouts[parentNumber - 1].storages
      }
      for attribute in entity.attributes where attribute.hasColumn {
        layout.columns[attribute.name] =
          columns[PropertyID(entity: entity.name, name: attribute.name)]
      }
      for relationship in entity.relationships where !relationship.isTransient {
        layout.storages[relationship.name] = storage(of: relationship, in: entity)
      }
      layouts.append(layout)
    }
    return layouts
  }

  private func storage(of relationship: Relationship, in entity: Entity) -> RelationshipStorage? {
    let id = PropertyID(entity: entity.name, name: relationship.name)
    if let foreign = foreignKeys[id] {
      guard relationship.isToMany else {
        return .foreignKey(
          column: foreign.key, entityColumn: foreign.entity, orderColumn: foreign.order)
      }
      return inverseForeignKey(foreign, in: relationship.destinationEntityName)
    }
    if let index = joinTableIndexes[id] {
      let table = joinTables[index]
      let isOwner =
        table.owner.entityName == id.entity && table.owner.relationshipName == id.name
      let this = isOwner ? table.owner : table.other
      let other = isOwner ? table.other : table.owner
      return .joinTable(
        table, thisColumn: this.column, otherColumn: other.column, orderColumn: this.orderColumn)
    }
    guard let inverse = keyInverse(of: relationship, in: entity),
      let foreign = foreignKeys[inverse]
    else { return nil }
    return inverseForeignKey(foreign, in: inverse.entity)
  }

  private func inverseForeignKey(
    _ foreign: ForeignKeyColumns, in entity: String
  ) -> RelationshipStorage? {
    guard let table = roots[entity].flatMap({ tableNames[$0] }) else { return nil }
    return .inverseForeignKey(
      table: table, column: foreign.key, entityColumn: foreign.entity, orderColumn: foreign.order)
  }
}
