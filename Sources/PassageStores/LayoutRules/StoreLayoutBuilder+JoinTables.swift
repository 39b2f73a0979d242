internal import PassageDiagnostics
internal import PassageModels

extension StoreLayoutBuilder {
  /// Creates one join table for each many-to-many relationship and its inverse.
  ///
  /// The end with the lower entity number owns it. If both ends are in one entity, Core Data's
  /// dictionaries decide which of them owns it: ``ReflexiveNaming``. A column is named after the
  /// entity whose keys it holds and the relationship that leads to it. Names are unique within each
  /// entity: those in other entities' tables come first, in alphabetical order of its own
  /// relationships.
  mutating func makeJoinTables() {
    var ends: [(id: PropertyID, inverse: PropertyID)] = []
    var columnNames: [PropertyID: String] = [:]
    var owners: [PropertyID: Bool] = [:]
    for entity in ordered {
      var own: [String: PropertyID] = [:]
      var foreign: [(id: PropertyID, inverse: PropertyID)] = []
      for relationship in sorted(entity.relationships)
      where relationship.isToMany && !relationship.isTransient {
        let id = PropertyID(entity: entity.name, name: relationship.name)
        guard owners[id] == nil, let inverse = mutualInverse(of: relationship, in: entity),
          self.relationship(inverse)?.isToMany == true
        else { continue }
        let isOwner = isOwner(id, inverse: inverse)
        owners[id] = isOwner
        if isOwner || id.entity == inverse.entity {
          own[id.name] = inverse
        } else {
          foreign.append((id, inverse))
        }
      }
      var made = own.keys.sorted(by: isOrderedByCodeUnits)
      if made.count > 1 { made = naming(of: entity).making(made) }
      let owned = made.compactMap { name in
        own[name].map { (id: PropertyID(entity: entity.name, name: name), inverse: $0) }
      }
      var names = UniqueNames()
      for (id, inverse) in foreign + owned {
        guard let number = numbers[entity.name] else { continue }
        columnNames[id] = names.unique("Z_\(number)\(inverse.name.uppercased())")
        ends.append((id, inverse))
      }
    }
    var tableNames = UniqueNames(
      taken: BookkeepingTable.allCases.map(\.rawValue) + self.tableNames.values)
    for (id, inverse) in ends where owners[id] == true {
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

  private mutating func isOwner(_ id: PropertyID, inverse: PropertyID) -> Bool {
    guard id.entity == inverse.entity, let entity = model.entity(named: id.entity) else {
      return (numbers[id.entity] ?? 0) < (numbers[inverse.entity] ?? 0)
    }
    guard id.name != inverse.name else { return true }
    for end in [id, inverse] {
      let told = relationship(end)?.userInfo[ReflexiveNaming.userInfoKey]
      if told == id.name { return true }
      if told == inverse.name { return false }
    }
    let owner = naming(of: entity).owner(of: id.name, inverse.name)
    // Each pair is met twice, and told of once.
    if owner == id.name { tellUnproved(id, inverse: inverse) }
    return owner == id.name
  }

  private mutating func tellUnproved(_ id: PropertyID, inverse: PropertyID) {
    unsupported.append(
      Diagnostic(
        "STO-206",
        "the join table of \(id.entity).\(id.name) and “\(inverse.name)” is named after "
          + "“\(id.name)”, but no store of this version has confirmed that",
        severity: .warning,
        reason: "both relationships belong to one entity, and the rule by which Core Data chooses "
          + "one of them was found from stores of other models",
        remedy: "to use the name in a store that the app made at this version, add --models STORE; "
          + "or write “\(id.name)” or “\(inverse.name)” into the user info "
          + "“\(ReflexiveNaming.userInfoKey)” of one of the two relationships"))
  }

  /// The naming of an entity, made once: each of its relationships to itself asks.
  private mutating func naming(of entity: Entity) -> ReflexiveNaming {
    if let known = namings[entity.name] { return known }
    let naming = ReflexiveNaming(
      properties: storedProperties(of: entity), foreignKeys: foreignKeyColumns(of: entity))
    namings[entity.name] = naming
    return naming
  }

  /// The names of the entity's properties that are stored, inherited ones too.
  private func storedProperties(of entity: Entity) -> Set<String> {
    var names: Set<String> = []
    for ancestor in model.lineage(of: entity) {
      names.formUnion(ancestor.attributes.lazy.filter { !$0.isTransient }.map(\.name))
      names.formUnion(ancestor.relationships.lazy.filter { !$0.isTransient }.map(\.name))
    }
    return names
  }

  /// The columns of the entity's to-one relationships, inherited ones too, in alphabetical order.
  private func foreignKeyColumns(of entity: Entity) -> [ForeignKeyColumns] {
    model.lineage(of: entity).flatMap { ancestor in
      ancestor.relationships.filter { !$0.isToMany }.compactMap {
        foreignKeys[PropertyID(entity: ancestor.name, name: $0.name)]
      }
    }
    .sorted { isOrderedByCodeUnits($0.key, $1.key) }
  }

  /// The order column for the key column `Z_3ASSETS` is `Z_FOK_3ASSETS`.
  private func orderColumn(of column: String) -> String {
    "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
  }
}
