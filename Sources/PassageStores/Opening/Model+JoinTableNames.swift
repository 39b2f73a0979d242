package import PassageModels

extension Model {
  /// The model with what a store of it shows: after which end it names each join table between an
  /// entity and itself. A store whose tables do not fit the model changes nothing.
  package func namingJoinTables(as store: OpenStore) -> Model {
    let predicted = StoreLayout(model: self)
    guard predicted.joinTables.contains(where: \.isReflexivePair),
      let layout = try? predicted.fitted(to: store.schema, path: store.unit.path)
    else { return self }
    var named: [String: [String: String]] = [:]
    for table in layout.joinTables where table.isReflexivePair {
      let title = NumberedName(table.name.uppercased())?.rest
      let ends = [table.owner, table.other].map(\.relationshipName)
      let found = ends.filter { $0.uppercased() == title }
      guard found.count == 1 else { continue }
      for end in ends { named[table.owner.entityName, default: [:]][end] = found[0] }
    }
    return namingJoinTables(named)
  }

  /// The model with the names of join tables that another model of the same shape tells, for those
  /// that it does not tell itself.
  package func adoptingJoinTableNames(of other: Model) -> Model {
    var named: [String: [String: String]] = [:]
    for entity in other.entities {
      for relationship in entity.relationships {
        let own = self.entity(named: entity.name)?.relationships.first {
          $0.name == relationship.name
        }
        guard own?.userInfo[ReflexiveNaming.userInfoKey] == nil else { continue }
        named[entity.name, default: [:]][relationship.name] =
          relationship.userInfo[ReflexiveNaming.userInfoKey]
      }
    }
    return namingJoinTables(named)
  }

  /// Whether it tells the name of a join table.
  package var tellsJoinTableNames: Bool {
    entities.contains { entity in
      entity.relationships.contains { $0.userInfo[ReflexiveNaming.userInfoKey] != nil }
    }
  }

  /// - Parameter named: by entity and relationship, the end after which the table is named.
  private func namingJoinTables(_ named: [String: [String: String]]) -> Model {
    guard named.contains(where: { !$0.value.isEmpty }) else { return self }
    var entities = entities
    for position in entities.indices {
      guard let own = named[entities[position].name] else { continue }
      for place in entities[position].relationships.indices {
        guard let end = own[entities[position].relationships[place].name] else { continue }
        entities[position].relationships[place].userInfo[ReflexiveNaming.userInfoKey] = end
      }
    }
    return recording(entities: entities)
  }
}

extension JoinTable {
  /// Whether it joins an entity with itself by two relationships.
  fileprivate var isReflexivePair: Bool {
    owner.entityName == other.entityName && !isSelfInverse
  }
}
