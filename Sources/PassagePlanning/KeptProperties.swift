internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// Where the values of each stored property of a model are after some mapping models that copy
/// them.
struct KeptProperties {
  struct Property: Hashable {
    var entity: String
    var name: String
  }

  /// The properties that hold the values now, by property of the first model.
  private var places: [Property: Set<Property>] = [:]

  /// Starts with every stored property in its own place.
  init(of model: Model) {
    for entity in model.entities where !entity.isAbstract {
      let attributes = model.attributes(of: entity).filter { $0.isStored && $0.derivation == nil }
      let relationships = model.relationships(of: entity).filter { !$0.isTransient }
      for name in attributes.map(\.name) + relationships.map(\.name) {
        let property = Property(entity: entity.name, name: name)
        places[property] = [property]
      }
    }
  }

  /// The properties whose values are no longer held by any property.
  var lost: Set<Property> { Set(places.filter { $0.value.isEmpty }.keys) }

  /// The result after one more mapping model.
  ///
  /// - Returns: `nil` when the mapping model does not fit the two models.
  func through(_ mapping: MappingModel, from source: Model, to destination: Model) -> Self? {
    let checked = MappingChecker.check(
      mapping, source: source, destination: destination, policies: [])
    guard let bound = checked.bound else { return nil }
    var next: [Property: Set<Property>] = [:]
    func hold(_ name: String, of entity: String, in newName: String, of newEntity: String) {
      next[Property(entity: entity, name: name), default: []].insert(
        Property(entity: newEntity, name: newName))
    }
    let takers = Dictionary(grouping: bound.entityMappings.indices) {
      bound.entityMappings[$0].source?.name ?? ""
    }
    for entityMapping in bound.entityMappings {
      guard let from = entityMapping.source, let to = entityMapping.destination else { continue }
      for attribute in entityMapping.attributes {
        guard let path = attribute.value.copiedCell, path.components.count == 1 else { continue }
        hold(path.name, of: from.name, in: attribute.attribute.name, of: to.name)
      }
      for relationship in entityMapping.relationships where relationship.path.count == 1 {
        hold(
          relationship.path[0].name, of: from.name, in: relationship.relationship.name, of: to.name)
        // The inverse consists of the same links.
        guard let back = source.inverse(of: relationship.path[0]),
          let newBack = destination.inverse(of: relationship.relationship)
        else { continue }
        for end in source.family(of: relationship.pathEnd) {
          for taker in takers[end.name] ?? [] {
            guard let newEnd = bound.entityMappings[taker].destination else { continue }
            hold(back.name, of: end.name, in: newBack.name, of: newEnd.name)
          }
        }
      }
    }
    var result = self
    for (property, held) in places {
      result.places[property] = held.reduce(into: []) { $0.formUnion(next[$1] ?? []) }
    }
    return result
  }
}
