internal import PassageModels

/// What the bridge asks of an entity again and again, looked up once.
struct EntityFacts {
  let entity: Entity
  let rootName: String
  /// Inherited ones included, those with a column.
  let attributes: [String: Attribute]
  /// Inherited ones included, those that are stored.
  let relationships: [String: Relationship]
  /// By relationship.
  let inverses: [String: Relationship]
  /// The root entity of each relationship's destination.
  let targetRoots: [String: String]
  /// The entities whose objects a relationship may lead to.
  let targetFamilies: [String: Set<String>]
  /// In code-unit order.
  let requiredAttributes: [String]

  init(_ entity: Entity, model: Model) {
    self.entity = entity
    rootName = model.root(of: entity).name
    let stored = model.attributes(of: entity).filter(\.isStored)
    let links = model.relationships(of: entity).filter { !$0.isTransient }
    attributes = Dictionary(stored.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    relationships = Dictionary(links.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var inverses: [String: Relationship] = [:]
    var roots: [String: String] = [:]
    var families: [String: Set<String>] = [:]
    for link in links {
      if let inverse = model.inverse(of: link), !inverse.isTransient {
        inverses[link.name] = inverse
      }
      guard let target = model.entity(named: link.destinationEntityName) else { continue }
      roots[link.name] = model.root(of: target).name
      families[link.name] = Set(model.family(of: target).map(\.name))
    }
    self.inverses = inverses
    targetRoots = roots
    targetFamilies = families
    requiredAttributes = stored.filter { !$0.isOptional && $0.derivation == nil }.map(\.name)
  }

  /// The facts of every entity, by name.
  static func all(_ model: Model) -> [String: EntityFacts] {
    Dictionary(
      model.entities.map { ($0.name, EntityFacts($0, model: model)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The facts of the entities with objects of their own, by name in code-unit order.
  static func sorted(_ facts: [String: EntityFacts]) -> [EntityFacts] {
    facts.values.filter { !$0.entity.isAbstract }
      .sorted { $0.entity.name.utf8.lexicographicallyPrecedes($1.entity.name.utf8) }
  }
}
