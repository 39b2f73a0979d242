extension Model {
  /// The entity and its ancestors, the root last. A parent that is missing or that leads back in a
  /// circle ends the list.
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
  public func attribute(_ name: String, of entity: Entity) -> Attribute? {
    lineage(of: entity).lazy.flatMap(\.attributes).first { $0.name == name }
  }

  /// A relationship of the entity or of an ancestor.
  public func relationship(_ name: String, of entity: Entity) -> Relationship? {
    lineage(of: entity).lazy.flatMap(\.relationships).first { $0.name == name }
  }

  /// The relationship's inverse, on its destination entity.
  public func inverse(of relationship: Relationship) -> Relationship? {
    guard let name = relationship.inverseName,
      let destination = entity(named: relationship.destinationEntityName)
    else { return nil }
    return self.relationship(name, of: destination)
  }
}
