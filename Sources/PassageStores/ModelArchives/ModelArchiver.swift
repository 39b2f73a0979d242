internal import PassageModels

/// Archives a model in the form that stores of frameworks 847 to 1344 share: every entity lists
/// copies of its inherited properties, and lists of indexes are present even if they are empty.
///
/// Apple does not document the form. Classes and keys are those found in public stores.
struct ModelArchiver {
  let model: Model
  var archiver = KeyedArchiver()
  /// The place of each entity, by name.
  private(set) var entities: [String: KeyedArchiver.Reference] = [:]
  /// The places of each entity's properties, by the name of the entity and of the property.
  private(set) var properties: [String: [String: KeyedArchiver.Reference]] = [:]
  /// The derivations of the model's derived attributes, by their texts.
  let derivations: [String: ArchivedDerivation]

  /// - Returns: `nil` if a version hash depends on a part that has no known archived form.
  init?(_ model: Model) {
    self.model = model
    var derivations: [String: ArchivedDerivation] = [:]
    for attribute in model.entities.lazy.flatMap(\.attributes) {
      guard attribute.type != .composite else { return nil }
      guard attribute.derivation != nil else { continue }
      guard let derivation = ArchivedDerivation(attribute) else { return nil }
      derivations[ArchivedDerivation.key(attribute)] = derivation
    }
    self.derivations = derivations
  }

  /// The bytes of the archive.
  mutating func archive() -> [UInt8] {
    let root = archiver.reserve()
    // Entities and properties refer to each other in cycles, so all get their places first.
    for entity in model.entities {
      entities[entity.name] = archiver.reserve()
      var places: [String: KeyedArchiver.Reference] = [:]
      for name in propertyNames(of: entity) where places[name] == nil {
        places[name] = archiver.reserve()
      }
      properties[entity.name] = places
    }
    for entity in model.entities { fill(entity, root: root) }
    let templates = fetchRequestTemplates()
    let identifiers = versionIdentifiers()
    archiver.fill(
      root, .managedObjectModel,
      [
        PropertyList.Member("NSEntities", knownKeys(model.entities.map(\.name))),
        PropertyList.Member("NSFetchRequestTemplates", templates),
        PropertyList.Member("NSVersionIdentifiers", identifiers),
      ] + configurations())
    return archiver.archive(root: root.value)
  }

  private func propertyNames(of entity: Entity) -> [String] {
    model.lineage(of: entity).flatMap { ancestor in
      ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name)
        + ancestor.fetchedProperties.map(\.name)
    }
  }

  /// The dictionary that Core Data uses for the entities of a model in use: keys and values in two
  /// arrays, and a token that marks keys without a value.
  private mutating func knownKeys(_ names: [String]) -> PropertyList {
    let keys = archiver.list(names.map { archiver.text($0) }, .array)
    let strategy = archiver.add(
      .knownKeysStrategy,
      [
        PropertyList.Member("keys", keys),
        PropertyList.Member("length", .integer(Int64(names.count))),
        PropertyList.Member("version", .integer(1)),
      ])
    let token = archiver.text("__empty_slot_token_4c24_98dc_ac1e_b773__")
    let values = archiver.list(names.compactMap { entities[$0]?.value }, .array)
    return archiver.add(
      .knownKeysDictionary,
      [
        PropertyList.Member("searchMapping", strategy),
        PropertyList.Member("emptyToken", token),
        PropertyList.Member("values", values),
        PropertyList.Member("version", .integer(1)),
      ])
  }

  /// Xcode compiles a model without identifier to a model with an empty identifier.
  private mutating func versionIdentifiers() -> PropertyList {
    let identifiers = model.versionIdentifiers.isEmpty ? [""] : model.versionIdentifiers
    return archiver.list(identifiers.map { archiver.text($0) }, .set)
  }

  /// The named subsets of entities; absent if there are none.
  private mutating func configurations() -> [PropertyList.Member] {
    guard !model.configurations.isEmpty else { return [] }
    let entries = model.configurations.map { configuration in
      (
        key: configuration.name,
        value: archiver.list(configuration.entityNames.compactMap { entities[$0]?.value }, .set)
      )
    }
    return [PropertyList.Member("NSConfigurations", archiver.dictionary(entries))]
  }
}

extension KeyedArchiver.Class {
  fileprivate static let managedObjectModel = Self("NSManagedObjectModel")
  fileprivate static let knownKeysStrategy = Self(
    "NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy")
  fileprivate static let knownKeysDictionary = Self(
    "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary")
}
