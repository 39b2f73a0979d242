internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels

/// What an entity mapping does with the properties, as the mapping model and both models say.
struct PropertyChanges {
  private let mapping: EntityMapping
  private let old: [MigrationPage.Property]
  private let new: [MigrationPage.Property]
  private let sourceName: String
  private let destinationName: String
  /// The names of the source properties that nothing reads: `Entity.property`.
  private let lost: Set<String>

  /// - Returns: `nil` for a mapping without two entities, or of entities that the models do not have.
  init?(mapping: EntityMapping, from source: Model, to destination: Model, lost: Set<String>) {
    guard let oldName = mapping.sourceEntityName?.value,
      let newName = mapping.destinationEntityName?.value,
      let oldEntity = source.entity(named: oldName),
      let newEntity = destination.entity(named: newName)
    else { return nil }
    self.mapping = mapping
    self.lost = lost
    sourceName = oldName
    destinationName = newName
    old = Self.properties(of: oldEntity, in: source)
    new = Self.properties(of: newEntity, in: destination)
  }

  /// The properties that change, by name: attributes, relationships, then those of the source that
  /// nothing takes over.
  var entity: MigrationPage.ChangedEntity {
    let before = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let listed = Dictionary(
      (mapping.attributeMappings + mapping.relationshipMappings).map { ($0.name.value, $0) }
    ) { first, _ in first }
    var rows: [MigrationPage.ChangedProperty] = []
    var used: Set<String> = []
    var unchangedCount = 0
    for property in new {
      let origin = origin(of: property.name, listed[property.name], before)
      used.formUnion(origin.names)
      let first = origin.names.compactMap { before[$0] }.first
      if origin.isCopy, first == property {
        unchangedCount += 1
      } else {
        rows.append(
          MigrationPage.ChangedProperty(
            before: first, after: property, words: origin.words, code: origin.code))
      }
    }
    for property in old where !used.contains(property.name) {
      let isLost = lost.contains("\(sourceName).\(property.name)")
      rows.append(
        MigrationPage.ChangedProperty(
          before: property, after: nil,
          words: isLost
            ? "not read: its values are lost"
            : mapping.policy == nil ? "not taken over here" : "the policy decides",
          isLost: isLost))
    }
    return MigrationPage.ChangedEntity(
      mapping: mapping.name.value, source: sourceName, destination: destinationName, rows: rows,
      unchangedCount: unchangedCount)
  }

  // MARK: Origins

  /// Where the value of a property comes from.
  private struct Origin {
    var words: String
    var code: String?
    /// The source properties that are named.
    var names: [String] = []
    /// Whether the value is taken over as it is.
    var isCopy = false
  }

  private func origin(
    of name: String, _ listed: PropertyMapping?, _ before: [String: MigrationPage.Property]
  ) -> Origin {
    let copied = Origin(words: "taken over", names: [name], isCopy: true)
    guard let listed else {
      if mapping.policy != nil {
        return Origin(words: "the policy decides:", code: mapping.policy?.name.value)
      }
      return mapping.kind == .copy && before[name] != nil ? copied : Origin(words: "default value")
    }
    var origin: Origin
    switch listed.source {
    case .sameName: origin = copied
    case .leftAtDefault: return Origin(words: "default value")
    case .expression(let text):
      let names = Self.names(in: text.value).filter { before[$0] != nil }
      origin =
        if let only = names.first, text.value == "$source.\(only)" {
          Origin(words: "taken over", names: [only], isCopy: only == name)
        } else {
          Origin(words: "is", code: text.value, names: names)
        }
    }
    if let combination = listed.combination {
      origin.words = "combined (\(combination.rawValue)):"
      origin.code = origin.code ?? origin.names.first
      origin.isCopy = false
    }
    if let fallback = listed.fallback {
      origin.code = "\(origin.code ?? origin.names.first ?? name), or \(fallback.value)"
      origin.words = origin.words == "taken over" ? "is" : origin.words
      origin.isCopy = false
    }
    return origin
  }

  /// The names directly after `$source.`, in the order in which they occur.
  private static func names(in expression: String) -> [String] {
    expression.split(separator: "$source.", omittingEmptySubsequences: false).dropFirst().map {
      rest in
      String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  // MARK: Properties

  private static func properties(of entity: Entity, in model: Model) -> [MigrationPage.Property] {
    model.attributes(of: entity).map { MigrationPage.Property(name: $0.name, traits: $0.traits) }
      + model.relationships(of: entity).map {
        MigrationPage.Property(name: $0.name, traits: $0.traits)
      }
  }
}
