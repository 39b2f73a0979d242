import PassageModels

/// A model without what depends on the kind of file it was read from: the order of properties, and
/// what only some kinds keep.
struct ComparableModel: Equatable {
  var versionIdentifiers: [String]
  var entities: [Entity]

  /// - Parameter keepsClassNames: whether the kinds compared keep the classes of entities: a store
  ///   written by an app without them does not.
  init(_ model: Model, keepsClassNames: Bool) {
    versionIdentifiers = model.versionIdentifiers
    entities = model.entities.map { entity in
      var entity = entity
      entity.attributes.sort { $0.name < $1.name }
      entity.relationships.sort { $0.name < $1.name }
      entity.fetchedPropertyNames.sort()
      entity.indexes.sort { $0.name < $1.name }
      if !keepsClassNames { entity.className = nil }
      return entity
    }
  }

  /// Every difference, in words, for the message of a failure.
  func differences(from other: ComparableModel) -> [String] {
    var lines: [String] = []
    if versionIdentifiers != other.versionIdentifiers {
      lines.append("identifiers \(versionIdentifiers) and \(other.versionIdentifiers)")
    }
    if entities.map(\.name) != other.entities.map(\.name) {
      lines.append("entities \(entities.map(\.name)) and \(other.entities.map(\.name))")
    }
    for (one, two) in zip(entities, other.entities) where one != two {
      for (a, b) in zip(one.attributes, two.attributes) where a != b { lines.append("\(one.name): \(a)\n   and \(b)") }
      for (a, b) in zip(one.relationships, two.relationships) where a != b {
        lines.append("\(one.name): \(a)\n   and \(b)")
      }
      var one = one
      var two = two
      (one.attributes, two.attributes) = ([], [])
      (one.relationships, two.relationships) = ([], [])
      if one != two { lines.append("\(one)\n   and \(two)") }
    }
    return lines
  }
}
