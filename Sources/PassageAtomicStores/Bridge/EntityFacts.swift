internal import PassageModels
internal import PassageStores

/// Properties of an entity that are often needed, looked up once.
struct EntityFacts {
  let entity: Entity
  let rootName: String
  /// The stored attributes, including inherited ones, by name.
  let attributes: [String: Attribute]
  /// The stored relationships, including inherited ones, by name.
  let relationships: [String: Relationship]
  /// The inverse of each relationship that has one, by the relationship's name.
  let inverses: [String: Relationship]
  /// The root entity of each relationship's destination.
  let targetRoots: [String: String]
  /// For each relationship, the entities whose objects it may lead to.
  let targetFamilies: [String: Set<String>]
  /// The names of required attributes, in code-unit order.
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

  /// Whether the links of a relationship are written as rows, not as a column of an object. Where the
  /// two sides are written alike, one is enough.
  func writesRows(of name: String, in layout: EntityLayout?) -> Bool {
    let inverse = inverses[name]
    let isOrdered = relationships[name]?.isOrdered == true
    return switch layout?.storage(ofRelationship: name) {
    case .inverseForeignKey: inverse == nil || isOrdered
    // Without order, either side does.
    case .joinTable:
      isOrdered || inverse?.isOrdered == true || inverse.map { name <= $0.name } ?? true
    default: false
    }
  }

  /// The facts of every entity, by name.
  static func all(_ model: Model) -> [String: EntityFacts] {
    Dictionary(
      model.entities.map { ($0.name, EntityFacts($0, model: model)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The facts of the entities that are not abstract, by name in code-unit order.
  static func sorted(_ facts: [String: EntityFacts]) -> [EntityFacts] {
    facts.values.filter { !$0.entity.isAbstract }
      .sorted { $0.entity.name.utf8.lexicographicallyPrecedes($1.entity.name.utf8) }
  }
}
