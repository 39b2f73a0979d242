internal import PassageDiagnostics
internal import PassageModels

extension StoreLayoutBuilder {
  /// Names the columns of every table, entity by entity in the order of their numbers. For each
  /// entity: attributes, to-one relationships, then to-many relationships without inverse whose
  /// destination it is. The second of two equal names gets a 1, as in `ZTEXT1`.
  mutating func nameColumns() {
    findIncoming()
    for root in ordered where roots[root.name] == root.name {
      var names = UniqueNames(taken: ["Z_PK", "Z_ENT", "Z_OPT"])
      for entity in family(ofRoot: root.name) {
        for attribute in sorted(entity.attributes) where attribute.hasColumn {
          let id = PropertyID(entity: entity.name, name: attribute.name)
          guard columns[id] == nil else { continue }
          columns[id] = names.unique("Z" + attribute.name.uppercased())
        }
        for relationship in sorted(entity.relationships)
        where !relationship.isTransient && !relationship.isToMany {
          nameForeignKey(of: relationship, in: entity, names: &names)
        }
        for id in incoming[entity.name] ?? [] {
          guard let number = numbers[id.entity], let relationship = relationship(id) else {
            continue
          }
          let key = names.unique("Z\(number)\(id.name.uppercased())")
          let order = relationship.isOrdered ? names.unique("Z_FOK_\(key.dropFirst())") : nil
          foreignKeys[id] = ForeignKeyColumns(key: key, entity: nil, order: order)
        }
      }
    }
  }

  private mutating func nameForeignKey(
    of relationship: Relationship, in entity: Entity, names: inout UniqueNames
  ) {
    let id = PropertyID(entity: entity.name, name: relationship.name)
    guard foreignKeys[id] == nil else { return }
    let key = names.unique("Z" + relationship.name.uppercased())
    var foreign = ForeignKeyColumns(key: key)
    let destination = relationship.destinationEntityName
    if let number = numbers[destination], let last = lastNumbers[destination], last > number {
      foreign.entity = names.unique("Z\(number)_\(key.dropFirst())")
    }
    if let inverse = mutualInverse(of: relationship, in: entity).flatMap(self.relationship),
      inverse.isToMany, inverse.isOrdered
    {
      foreign.order = names.unique("Z_FOK_\(key.dropFirst())")
    }
    foreignKeys[id] = foreign
  }

  /// Finds, for each entity, the to-many relationships without inverse whose destination it is.
  private mutating func findIncoming() {
    for entity in ordered {
      for relationship in sorted(entity.relationships)
      where relationship.isToMany && !relationship.isTransient {
        let destination = relationship.destinationEntityName
        guard keyInverse(of: relationship, in: entity) == nil else { continue }
        guard numbers[destination] != nil else {
          unsupported.append(
            Diagnostic(
              "STO-204",
              "\(entity.name).\(relationship.name) has no destination entity and is not "
                + "stored",
              severity: .warning, reason: "the model has no entity “\(destination)”"))
          continue
        }
        incoming[destination, default: []].append(
          PropertyID(entity: entity.name, name: relationship.name))
      }
    }
  }

  /// The tables with their columns in Core Data's order: by kind of value, then by the entity's
  /// number, then by the name's code units. Order columns come after the other integers.
  func makeTables() -> [TableLayout] {
    ordered.compactMap { root in
      guard roots[root.name] == root.name, let name = tableNames[root.name] else { return nil }
      let family = family(ofRoot: root.name)
      var result = [
        Column(name: "Z_PK", type: .integer, role: .key),
        Column(name: "Z_ENT", type: .integer, role: .entityNumber),
        Column(name: "Z_OPT", type: .integer, role: .saveCount),
      ]
      var order: [Column] = []
      for entity in family {
        result += attributeColumns(of: entity, group: .integers)
        appendForeignKeys(of: entity, to: &result, order: &order)
      }
      result += order
      for group in ColumnGroup.allCases where group != .integers {
        for entity in family { result += attributeColumns(of: entity, group: group) }
      }
      return TableLayout(
        name: name, rootEntityName: root.name, hasSubentities: family.count > 1, columns: result)
    }
  }

  private func attributeColumns(of entity: Entity, group: ColumnGroup) -> [Column] {
    var seen: Set<String> = []
    return sorted(entity.attributes).compactMap { attribute in
      guard attribute.hasColumn, seen.insert(attribute.name).inserted,
        let kind = ColumnGroup(attribute.type), kind == group,
        let name = columns[PropertyID(entity: entity.name, name: attribute.name)]
      else { return nil }
      return Column(
        name: name, type: attribute.type.declaredType,
        role: .attribute(entity: entity.name, name: attribute.name))
    }
  }

  private func appendForeignKeys(
    of entity: Entity, to result: inout [Column], order: inout [Column]
  ) {
    let own = sorted(entity.relationships)
      .filter { !$0.isTransient && !$0.isToMany }
      .map { PropertyID(entity: entity.name, name: $0.name) }
    var seen: Set<PropertyID> = []
    for id in own + (incoming[entity.name] ?? []) {
      guard seen.insert(id).inserted, let foreign = foreignKeys[id] else { continue }
      result.append(
        Column(
          name: foreign.key, type: .integer,
          role: .foreignKey(entity: id.entity, relationship: id.name)))
      if let name = foreign.entity {
        result.append(
          Column(
            name: name, type: .integer,
            role: .foreignEntity(entity: id.entity, relationship: id.name)))
      }
      if let name = foreign.order {
        order.append(
          Column(
            name: name, type: .integer, role: .order(entity: id.entity, relationship: id.name)))
      }
    }
  }

  func sorted(_ attributes: [Attribute]) -> [Attribute] {
    attributes.sorted { isOrderedByCodeUnits($0.name, $1.name) }
  }

  func sorted(_ relationships: [Relationship]) -> [Relationship] {
    relationships.sorted { isOrderedByCodeUnits($0.name, $1.name) }
  }
}
