extension Model {
  /// The entity and its ancestors, the root last. A missing parent, or a cycle, ends the list.
  ///
  /// - Complexity: O(d) for d levels of inheritance.
  public func lineage(of entity: Entity) -> [Entity] {
    var lineage = [entity]
    var next = entity.parentName.flatMap { tree.positionByName[$0] }
    guard let first = next else { return lineage }
    if tree.isEndless[first] {
      var seen: Set = [entity.name]
      while let position = next, seen.insert(entities[position].name).inserted {
        lineage.append(entities[position])
        next = tree.parents[position]
      }
    } else {
      while let position = next {
        lineage.append(entities[position])
        next = tree.parents[position]
      }
    }
    return lineage
  }

  /// The topmost ancestor: the entity that owns the table.
  ///
  /// - Complexity: O(d) for d levels of inheritance.
  public func root(of entity: Entity) -> Entity {
    let lineage = lineage(of: entity)
    return lineage[lineage.count - 1]
  }

  /// The direct children, sorted by name in code-unit order.
  ///
  /// - Complexity: O(c) for c children.
  public func children(of entity: Entity) -> [Entity] {
    guard let position = tree.positionByName[entity.name] else { return [] }
    return tree.children[position].map { entities[$0] }
  }

  /// Whether `entity` is `ancestor` or one of its descendants.
  ///
  /// - Complexity: O(d) for d levels of inheritance.
  public func isKind(_ entity: Entity, of ancestor: Entity) -> Bool {
    lineage(of: entity).contains { $0.name == ancestor.name }
  }

  /// The entity itself and all its descendants, in pre-order.
  ///
  /// - Complexity: O(n) for a family of n entities.
  public func family(of entity: Entity) -> [Entity] {
    var family: [Entity] = []
    var pending = [entity]
    var seen: Set<String> = []
    while let next = pending.popLast() {
      guard seen.insert(next.name).inserted else { continue }
      family.append(next)
      pending += children(of: next).reversed()
    }
    return family
  }

  /// The entity's attributes, inherited ones included, sorted by name in code-unit order.
  public func attributes(of entity: Entity) -> [Attribute] {
    lineage(of: entity).flatMap(\.attributes)
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The entity's relationships, inherited ones included, sorted by name in code-unit order.
  public func relationships(of entity: Entity) -> [Relationship] {
    lineage(of: entity).flatMap(\.relationships)
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// An attribute of the entity or of an ancestor.
  ///
  /// - Complexity: O(d) for d levels of inheritance, for an existing name.
  public func attribute(_ name: String, of entity: Entity) -> Attribute? {
    find(name, of: entity, in: \.attributes, at: \.attributes, named: \.name)
  }

  /// A relationship of the entity or of an ancestor.
  ///
  /// - Complexity: O(d) for d levels of inheritance, for an existing name.
  public func relationship(_ name: String, of entity: Entity) -> Relationship? {
    find(name, of: entity, in: \.relationships, at: \.relationships, named: \.name)
  }

  /// A relationship of one of the model's entities or of an ancestor.
  ///
  /// - Complexity: O(d) for d levels of inheritance, whether it exists or not.
  func relationship(_ name: String, ofEntityNamed entityName: String) -> Relationship? {
    guard let entity = entity(named: entityName) else { return nil }
    for level in lineage(of: entity) {
      guard let position = tree.positionByName[level.name] else { continue }
      if let place = tree.relationships[position][name] { return level.relationships[place] }
    }
    return nil
  }

  /// Whether one of the model's entities declares such a relationship itself.
  ///
  /// - Complexity: O(1).
  package func declaresRelationship(_ name: String, entityNamed entityName: String) -> Bool {
    tree.positionByName[entityName].map { tree.relationships[$0][name] != nil } ?? false
  }

  /// The entity that declares an attribute: the entity or its nearest ancestor that does.
  ///
  /// - Complexity: O(d) for d levels of inheritance.
  package func declaringEntity(ofAttribute name: String, in entity: Entity) -> Entity? {
    lineage(of: entity).first { level in
      tree.positionByName[level.name].map { tree.attributes[$0][name] != nil } ?? false
    }
  }

  /// The relationship's inverse, on its destination entity.
  public func inverse(of relationship: Relationship) -> Relationship? {
    relationship.inverseName.flatMap {
      self.relationship($0, ofEntityNamed: relationship.destinationEntityName)
    }
  }

  private func find<Property>(
    _ name: String, of entity: Entity, in properties: KeyPath<Entity, [Property]>,
    at places: KeyPath<ModelTree, [[String: Int]]>, named nameOf: KeyPath<Property, String>
  ) -> Property? {
    for (level, ancestor) in lineage(of: entity).enumerated() {
      let own = ancestor[keyPath: properties]
      if let position = tree.positionByName[ancestor.name] {
        if let place = tree[keyPath: places][position][name], own.indices.contains(place),
          own[place][keyPath: nameOf] == name
        {
          return own[place]
        }
        // Ancestors are entities of the model; the given entity may be a changed copy.
        if level > 0 { continue }
      }
      if let found = own.first(where: { $0[keyPath: nameOf] == name }) { return found }
    }
    return nil
  }
}
