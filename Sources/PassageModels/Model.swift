/// The shape of a store at one version: Core Data's `NSManagedObjectModel`.
public struct Model: Sendable, Hashable {
  /// The version's name for people: a history's version, a file's name. No part of any hash.
  public var name: String

  /// Core Data's version identifiers, as written in the model.
  public var versionIdentifiers: [String]

  /// The entities, sorted by name in code-unit order.
  public let entities: [Entity]

  private let indexByName: [String: Int]

  /// Makes a model of checked entities. A name that stands twice keeps its first entity; the
  /// checks of `ModelChecker` report it.
  public init(name: String, versionIdentifiers: [String] = [], entities: [Entity]) {
    self.name = name
    self.versionIdentifiers = versionIdentifiers
    self.entities = entities.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.indexByName = Dictionary(
      self.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity with this name.
  ///
  /// - Complexity: O(1).
  public func entity(named name: String) -> Entity? { indexByName[name].map { entities[$0] } }
}

extension Model {
  /// The entity and its ancestors, the root last. A parent that is missing or that leads back in a
  /// circle ends the list.
  public func lineage(of entity: Entity) -> [Entity] {
    var lineage = [entity]
    var seen: Set = [entity.name]
    while let parent = lineage[lineage.count - 1].parentName.flatMap(self.entity(named:)),
      seen.insert(parent.name).inserted
    {
      lineage.append(parent)
    }
    return lineage
  }

  /// The topmost ancestor: the entity that owns the table.
  public func root(of entity: Entity) -> Entity {
    let lineage = lineage(of: entity)
    return lineage[lineage.count - 1]
  }

  /// The direct children, sorted by name in code-unit order.
  public func children(of entity: Entity) -> [Entity] {
    entities.filter { $0.parentName == entity.name }
  }

  /// Whether `entity` is `ancestor` or one of its descendants.
  public func isKind(_ entity: Entity, of ancestor: Entity) -> Bool {
    lineage(of: entity).contains { $0.name == ancestor.name }
  }

  /// The entity itself and all its descendants, in pre-order.
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
