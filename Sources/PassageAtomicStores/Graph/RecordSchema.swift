internal import PassageModels
internal import PassageStores

/// The numbers by which the tables of ``RecordGraph`` refer to entities, hierarchies and
/// relationships.
struct RecordSchema {
  struct Link {
    let number: Int64
    let entity: EntityFacts
    let relationship: Relationship
    /// Whether its links are written as separate rows rather than as a column of their owner.
    let hasRows: Bool
    /// Whether its links are needed, including those that are only on the other side.
    let isWritten: Bool
  }

  /// The name of the schema that contains the tables.
  static let name = "passage_records"

  let facts: [String: EntityFacts]
  /// The entities that are not abstract; their positions are their numbers.
  let entities: [EntityFacts]
  /// The root entities; their positions are their numbers.
  let roots: [String]
  /// The relationships of each entity, including inherited ones; their positions are their numbers.
  let links: [Link]
  private let numbers: [String: Int64]
  private let rootNumbers: [String: Int64]
  private let linkNumbers: [String: [String: Int64]]

  init(model: Model, layout: StoreLayout) {
    facts = EntityFacts.all(model)
    entities = EntityFacts.sorted(facts)
    roots = Set(facts.values.map(\.rootName)).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    numbers = Self.numbered(entities.map(\.entity.name))
    rootNumbers = Self.numbered(roots)
    var links: [Link] = []
    var linkNumbers: [String: [String: Int64]] = [:]
    for entity in entities {
      let stored = layout.entity(named: entity.entity.name)
      for (name, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
        linkNumbers[entity.entity.name, default: [:]][name] = Int64(links.count)
        let isColumn =
          if case .foreignKey? = stored?.storage(ofRelationship: name) { true } else { false }
        let hasRows = entity.writesRows(of: name, in: stored)
        links.append(
          Link(
            number: Int64(links.count), entity: entity, relationship: relationship,
            hasRows: hasRows, isWritten: hasRows || isColumn))
      }
    }
    self.links = links
    self.linkNumbers = linkNumbers
  }

  private static func numbered(_ names: [String]) -> [String: Int64] {
    Dictionary(
      names.enumerated().map { ($1, Int64($0)) }, uniquingKeysWith: { first, _ in first })
  }

  func number(ofEntity name: String) -> Int64? { numbers[name] }
  func number(ofRoot name: String) -> Int64? { rootNumbers[name] }
  func number(of relationship: String, _ entity: String) -> Int64? {
    linkNumbers[entity]?[relationship]
  }

  /// The inverses of a relationship, by the entity of the related object.
  func inverses(of link: Link) -> [(entity: Int64, inverse: Link)] {
    guard let inverse = link.entity.inverses[link.relationship.name] else { return [] }
    return (link.entity.targetFamilies[link.relationship.name] ?? []).compactMap { name in
      guard let entity = numbers[name], let number = number(of: inverse.name, name) else {
        return nil
      }
      return (entity, links[Int(number)])
    }
  }
}
