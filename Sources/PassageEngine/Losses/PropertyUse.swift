internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning

/// Which properties of a step's source its entity mappings use.
///
/// A property is used if an expression of a destination property reads it, directly or within a key
/// path, or if a relationship mapping follows it. A relationship is also kept by its inverse. A
/// property that only a filter reads is not used.
struct PropertyUse {
  private struct Property: Hashable {
    var entity: String
    var name: String
  }

  private let model: Model
  /// The entities of elements, which lead to source objects.
  private var elements: [String: Entity] = [:]
  private var used: Set<Property> = []
  /// The relationships whose inverse is followed.
  private var mirrored: Set<Property> = []

  init(of step: PlannedStep, policies: PolicyRegistry) {
    model = step.source
    for mapping in step.passes.flatMap(\.entityMappings) where mapping.destination != nil {
      if let list = mapping.elements {
        elements[list.entity.name] = list.entity
        add(list.list)
      }
      if let merge = mapping.merge { add(merge.value) }
      for attribute in mapping.attributes {
        add(attribute.value)
        if let fallback = attribute.fallback { add(fallback) }
      }
      for relationship in mapping.relationships {
        guard let source = mapping.elements?.entity ?? mapping.source else { continue }
        walk(relationship.path, from: source)
        switch relationship.selection?.choice {
        case .objects(let list): add(list)
        case .addedBy(let value, _): add(value)
        case .added, nil: break
        }
      }
      if let source = mapping.source, let names = policies.readProperties(of: mapping) {
        for name in names { add(name, of: source) }
      }
    }
  }

  func contains(_ name: String, of entity: Entity) -> Bool {
    used.contains(Property(entity: entity.name, name: name)) || isMirrored(name, of: entity)
  }

  /// Whether a relationship is used by its inverse only.
  func isMirrored(_ name: String, of entity: Entity) -> Bool {
    let property = Property(entity: entity.name, name: name)
    return mirrored.contains(property) && !used.contains(property)
  }

  private mutating func add(_ expression: BoundExpression) {
    add(expression.keyPaths, expression.relatedObjects, expression.lookups)
  }

  private mutating func add(_ list: BoundList) {
    add(list.keyPaths, list.relatedObjects, list.lookups)
  }

  private mutating func add(
    _ keyPaths: [ResolvedKeyPath], _ relatedObjects: [RelatedObjects], _ lookups: [ObjectLookup]
  ) {
    for path in keyPaths { add(path) }
    for related in relatedObjects {
      if let start = model.entity(named: related.startEntityName) {
        walk(related.relationships, from: start)
      }
      for path in related.keyPaths { add(path, isOfFamily: true) }
    }
    for lookup in lookups {
      guard let entity = model.entity(named: lookup.entityName) else { continue }
      let names =
        switch lookup.content {
        case .value(let key, let result): [key, result]
        case .object(let key): [key]
        case .depth(let relationship): [relationship]
        case .path(let relationship, let attribute, _): [relationship, attribute]
        case .place, .named, .members, .store: [String]()
        }
      for member in model.family(of: entity) {
        for name in names { add(name, of: member) }
        // Where a relationship is followed from object to object, its other side is read with it.
        switch lookup.content {
        case .depth(let name), .path(let name, _, _):
          walk(model.relationships(of: member).filter { $0.name == name }, from: member)
        default: break
        }
      }
    }
  }

  private mutating func add(_ path: ResolvedKeyPath, isOfFamily: Bool = false) {
    guard let start = model.entity(named: path.entityName) ?? elements[path.entityName] else {
      return
    }
    let end = walk(path.relationships, from: start)
    let isOfFamily = isOfFamily || !path.relationships.isEmpty
    for entity in isOfFamily ? model.family(of: end) : [end] {
      switch path.leaf {
      case .attribute(let attribute): add(attribute.name, of: entity)
      case .relationship(let relationship): walk([relationship], from: entity)
      case .object: break
      }
    }
  }

  /// - Returns: the entity that the path ends at.
  @discardableResult
  private mutating func walk(_ path: [Relationship], from start: Entity) -> Entity {
    var entity = start
    for (place, relationship) in path.enumerated() {
      for member in place == 0 ? [entity] : model.family(of: entity) {
        add(relationship.name, of: member)
      }
      guard let next = model.entity(named: relationship.destinationEntityName) else { break }
      if let inverse = model.inverse(of: relationship) {
        for member in model.family(of: next) {
          mirrored.insert(Property(entity: member.name, name: inverse.name))
        }
      }
      entity = next
    }
    return entity
  }

  private mutating func add(_ name: String, of entity: Entity) {
    used.insert(Property(entity: entity.name, name: name))
  }
}

extension PolicyRegistry {
  /// The properties that the policy of a mapping declares it reads; `nil` if it has no policy, or
  /// the policy does not declare them.
  func readProperties(of mapping: BoundEntityMapping) -> [String]? {
    mapping.mapping.policy.flatMap { self[$0.name.value]?.readProperties }
  }

  /// Whether it is unknown which properties of its source entity a mapping uses, because a policy
  /// receives the objects and does not declare what it reads.
  func isUseUnknown(of mapping: BoundEntityMapping) -> Bool {
    guard let reference = mapping.mapping.policy else { return false }
    guard readProperties(of: mapping) == nil else { return false }
    let expressions = mapping.attributes.flatMap { [$0.value, $0.fallback].compactMap(\.self) }
    return self[reference.name.value]?.hooks.isEmpty != true
      || expressions.contains(where: \.handsObjectOver)
  }

  /// Whether a policy relates the objects of a mapping one by one. It decides which links it leaves behind, and
  /// those are not counted.
  func areLinksDecided(of mapping: BoundEntityMapping) -> Bool {
    !mapping.relationships.isEmpty && hooks(of: mapping.mapping).contains(.createRelationships)
  }

  /// Whether everything is counted that a mapping leaves behind, because no policy decides it.
  func areLossesKnown(of mapping: BoundEntityMapping) -> Bool {
    mapping.source == nil || mapping.destination == nil
      || !isUseUnknown(of: mapping) && !areLinksDecided(of: mapping)
  }
}

extension MigrationPlan {
  /// Marks the entity mappings whose losses cannot be determined.
  mutating func noteUnknownLosses(_ planned: [PlannedStep], _ policies: PolicyRegistry) {
    for (step, pass, mapping) in places {
      let bound = planned[step].passes[pass].entityMappings[mapping]
      steps[step].passes[pass].mappings[mapping].areLossesKnown =
        policies.areLossesKnown(of: bound)
    }
  }

  private var places: [(Int, Int, Int)] {
    steps.indices.flatMap { step in
      steps[step].passes.indices.flatMap { pass in
        steps[step].passes[pass].mappings.indices.map { (step, pass, $0) }
      }
    }
  }
}
