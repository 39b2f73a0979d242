public import Passage

/// Compares two models in what every kind of model file can express.
///
/// It ignores what only some kinds can express: the order of properties; a renaming identifier that
/// repeats the name; the classes of entities, and of values that a compiled model does not name;
/// the names of indexes, which older models do not have; the requests of fetched properties;
/// recorded hashes.
public struct ModelComparison {
  /// Every difference as text; empty if the models are equal.
  public let differences: [String]

  /// - Complexity: O(p log p) in the properties of both models.
  public init(_ model: Model, _ other: Model) {
    differences = Side(model).differences(from: Side(other))
  }

  private struct Side {
    var versionIdentifiers: [String]
    var entities: [Entity]
    /// What the indexes of each entity cover.
    var indexed: [String: Set<[Entity.Index.Element]>]

    init(_ model: Model) {
      versionIdentifiers = model.versionIdentifiers
      entities = model.entities.map(Self.comparable)
      indexed = Dictionary(
        model.entities.map { entity in
          let single = entity.attributes.filter { $0.isIndexed && $0.isStored }
            .map { [Entity.Index.Element(propertyName: $0.name)] }
          return (entity.name, Set(entity.indexes.map(\.elements) + single))
        }, uniquingKeysWith: { first, _ in first })
    }

    private static func comparable(_ entity: Entity) -> Entity {
      var entity = entity
      entity.attributes.sort { $0.name < $1.name }
      entity.relationships.sort { $0.name < $1.name }
      entity.fetchedProperties = entity.fetchedProperties.map {
        Entity.FetchedProperty(name: $0.name)
      }
      .sorted { $0.name < $1.name }
      // Only some files contain one.
      entity.recordedVersionHash = nil
      entity.className = nil
      entity.indexes = []
      entity.renamingIdentifier = renaming(entity.renamingIdentifier, entity.name)
      entity.attributes = entity.attributes.map { attribute in
        var attribute = attribute
        attribute.isIndexed = false
        attribute.valueClassName = nil
        attribute.renamingIdentifier = renaming(attribute.renamingIdentifier, attribute.name)
        return attribute
      }
      entity.relationships = entity.relationships.map { relationship in
        var relationship = relationship
        relationship.renamingIdentifier = renaming(
          relationship.renamingIdentifier, relationship.name)
        return relationship
      }
      return entity
    }

    private static func renaming(_ identifier: String?, _ name: String) -> String? {
      identifier == name ? nil : identifier
    }

    func differences(from other: Side) -> [String] {
      var lines: [String] = []
      if versionIdentifiers != other.versionIdentifiers {
        lines.append("identifiers \(versionIdentifiers) and \(other.versionIdentifiers)")
      }
      if entities.map(\.name) != other.entities.map(\.name) {
        lines.append("entities \(entities.map(\.name)) and \(other.entities.map(\.name))")
      }
      for (one, two) in zip(entities, other.entities) where one != two {
        lines.append("\(one.name) differs")
        for (a, b) in zip(one.attributes, two.attributes) where a != b {
          lines.append("\(one.name): \(a) and \(b)")
        }
        for (a, b) in zip(one.relationships, two.relationships) where a != b {
          lines.append("\(one.name): \(a) and \(b)")
        }
      }
      for (name, elements) in indexed.sorted(by: { $0.key < $1.key })
      where elements != other.indexed[name] {
        lines.append("indexes of \(name): \(elements) and \(other.indexed[name] ?? [])")
      }
      return lines
    }
  }
}
