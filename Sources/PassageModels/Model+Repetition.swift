internal import PassageDiagnostics

extension Model {
  /// The model without properties that an entity declares again although it inherits the same ones,
  /// with a warning for each. Core Data accepts such a model; a property belongs to the topmost
  /// entity that declares it.
  ///
  /// A property that is declared again in another way stays, and is an error of ``ModelChecker``. So
  /// do those of entities that are in a cycle or too deep, which ``ModelChecker`` refuses too.
  ///
  /// - Complexity: O(n · d) for n properties and d levels of inheritance.
  func withoutRepeatedProperties(
    locations: ModelLocations
  ) -> (model: Model, warnings: Diagnostics) {
    var entities = entities
    var warnings = Diagnostics()
    for position in positionsOfAllowedDepth {
      let entity = entities[position]
      let ancestors = lineage(of: entity).dropFirst()
      guard !ancestors.isEmpty else { continue }
      func isRepeated<Property: Equatable>(
        _ name: String, _ own: Property, _ inherited: (Entity, Int) -> Property?
      ) -> Bool {
        let owner = ancestors.last { ancestor in
          tree.positionByName[ancestor.name].map { inherited(ancestor, $0) == own } ?? false
        }
        guard let owner else { return false }
        warnings.append(
          Diagnostic(
            "MOD-017", "“\(entity.name).\(name)” is declared again", severity: .warning,
            at: locations.location(of: .init(entity: entity.name, property: name)),
            reason: "the entity inherits the same property from “\(owner.name)”",
            remedy: "remove it from “\(entity.name)”: nothing changes"))
        return true
      }
      entities[position].attributes.removeAll { own in
        isRepeated(own.name, own.withoutUserInfo) { ancestor, place in
          tree.attributes[place][own.name].map { ancestor.attributes[$0].withoutUserInfo }
        }
      }
      entities[position].relationships.removeAll { own in
        isRepeated(own.name, own.withoutUserInfo) { ancestor, place in
          tree.relationships[place][own.name].map { ancestor.relationships[$0].withoutUserInfo }
        }
      }
    }
    guard !warnings.all.isEmpty else { return (self, warnings) }
    let model = Model(
      name: name, versionIdentifiers: versionIdentifiers, entities: entities,
      configurations: configurations, fetchRequestTemplates: fetchRequestTemplates)
    return (model, warnings)
  }

  /// The positions of the entities that are not deeper than a model allows, in order. The walk upwards
  /// from one in a cycle, or from one that is deeper, can pass all entities of the model.
  ///
  /// - Complexity: O(n log n) for n entities.
  private var positionsOfAllowedDepth: [Int] {
    var level = entities.indices.filter { tree.parents[$0] == nil }
    var found: [Int] = []
    for _ in 0..<ModelChecker.maximumDepth {
      found += level
      level = level.flatMap { tree.children[$0] }
    }
    return found.sorted()
  }
}

extension Attribute {
  fileprivate var withoutUserInfo: Attribute {
    var attribute = self
    attribute.userInfo = [:]
    return attribute
  }
}

extension Relationship {
  fileprivate var withoutUserInfo: Relationship {
    var relationship = self
    relationship.userInfo = [:]
    return relationship
  }
}
