import PassageModels

/// A model without what only some kinds of file keep: the order of properties; an identifier that
/// repeats the name; the classes of entities, and of values that a compiled model does not name; the
/// names of indexes, which older models do not have.
struct ComparableModel: Equatable {
  var versionIdentifiers: [String]
  var entities: [Entity]
  /// What each entity has indexes over.
  var indexed: [String: Set<[Index.Element]>]

  init(_ model: Model) {
    versionIdentifiers = model.versionIdentifiers
    indexed = [:]
    entities = model.entities.map { entity in
      var entity = entity
      entity.attributes.sort { $0.name < $1.name }
      entity.relationships.sort { $0.name < $1.name }
      entity.fetchedProperties = entity.fetchedProperties.map { FetchedProperty(name: $0.name) }
        .sorted { $0.name < $1.name }
      // Only some files record one.
      entity.recordedVersionHash = nil
      entity.className = nil
      entity.indexes = []
      entity.renamingIdentifier = Self.renaming(entity.renamingIdentifier, entity.name)
      for position in entity.attributes.indices {
        var attribute = entity.attributes[position]
        attribute.isIndexed = false
        attribute.valueClassName = nil
        attribute.renamingIdentifier = Self.renaming(attribute.renamingIdentifier, attribute.name)
        entity.attributes[position] = attribute
      }
      for position in entity.relationships.indices {
        let relationship = entity.relationships[position]
        entity.relationships[position].renamingIdentifier = Self.renaming(
          relationship.renamingIdentifier, relationship.name)
      }
      return entity
    }
    for entity in model.entities {
      indexed[entity.name] = Set(
        entity.indexes.map(\.elements)
          + entity.attributes.filter { $0.isIndexed && $0.isStored }.map {
            [Index.Element(propertyName: $0.name)]
          })
    }
  }

  private static func renaming(_ identifier: String?, _ name: String) -> String? {
    identifier == name ? nil : identifier
  }

  /// Every difference, in words; empty when the models are equal.
  func differences(from other: ComparableModel) -> [String] {
    var lines: [String] = []
    if versionIdentifiers != other.versionIdentifiers {
      lines.append("identifiers \(versionIdentifiers) and \(other.versionIdentifiers)")
    }
    if entities.map(\.name) != other.entities.map(\.name) {
      lines.append("entities \(entities.map(\.name)) and \(other.entities.map(\.name))")
    }
    for (one, two) in zip(entities, other.entities) where one != two {
      for (a, b) in zip(one.attributes, two.attributes) where a != b {
        lines.append("\(one.name): \(a)\n   and \(b)")
      }
      for (a, b) in zip(one.relationships, two.relationships) where a != b {
        lines.append("\(one.name): \(a)\n   and \(b)")
      }
      lines.append("\(one.name) differs")
    }
    for (name, elements) in indexed where elements != other.indexed[name] {
      lines.append("indexes of \(name): \(elements)\n   and \(other.indexed[name] ?? [])")
    }
    return lines
  }
}
