import PassageDiagnostics
import PassageModels

/// Infers one mapping model, entity by entity, and collects everything that cannot be inferred.
struct InferencePass {
  let source: Model
  let destination: Model
  /// The source entity of each destination entity that has one, by name.
  private let oldEntities: [String: String]
  /// The destination entity of each source entity that has one, by name.
  private let newEntities: [String: String]
  private let sourceHashes: [String: [UInt8]]
  private let destinationHashes: [String: [UInt8]]
  private let entityAmbiguities: [InferenceMatching.Ambiguity]
  /// By destination entity and source entity: the corresponding properties.
  private var knownMatchings: [[String]: PropertyMatching] = [:]
  private(set) var findings = Diagnostics()
  /// The findings so far: an inherited property is examined for every descendant, but reported
  /// once.
  private var reported: Set<Diagnostic> = []

  /// The corresponding properties of a pair of entities, including inherited ones, by their newer
  /// names.
  struct PropertyMatching {
    var oldNames: [String: String]
    var ambiguities: [InferenceMatching.Ambiguity]
  }

  init(source: Model, destination: Model) {
    self.source = source
    self.destination = destination
    let matching = InferenceMatching(
      old: source.entities.map { .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier) },
      new: destination.entities.map {
        .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier)
      })
    oldEntities = matching.oldByNew
    newEntities = Dictionary(
      matching.oldByNew.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    entityAmbiguities = matching.ambiguities
    sourceHashes = source.versionHashes
    destinationHashes = destination.versionHashes
  }

  /// The entity mappings in order. They are complete only if there are no ``findings``.
  mutating func entityMappings() -> [EntityMapping] {
    for ambiguity in entityAmbiguities { reportAmbiguity(ambiguity, "entity", of: nil) }
    checkHierarchies()
    // An ambiguous rename is reported once, not again as added and removed.
    guard entityAmbiguities.isEmpty else { return [] }
    var mappings: [EntityMapping] = []
    for new in destination.entities {
      let old = sourceEntity(of: new)
      switch old {
      case let old? where !old.isAbstract:
        if new.isAbstract {
          report(
            "INF-003", "the entity “\(new.name)” became abstract", at: nil,
            reason: "its source objects cannot be objects of an abstract entity",
            remedy: "map them to one of its subentities, or remove them, in a mapping model")
        } else {
          mappings.append(entityMapping(old, new))
        }
      default:
        if !new.isAbstract {
          mappings.append(
            EntityMapping(name: "IEM_Add_\(new.name)", kind: .add, destination: new.name))
        }
      }
    }
    for old in source.entities where !old.isAbstract && newEntities[old.name] == nil {
      mappings.append(
        EntityMapping(name: "IEM_Remove_\(old.name)", kind: .remove, source: old.name))
    }
    return mappings
  }

  private mutating func entityMapping(_ old: Entity, _ new: Entity) -> EntityMapping {
    let properties = propertyMatching(old, new)
    for ambiguity in properties.ambiguities { reportAmbiguity(ambiguity, "property", of: new) }
    let unclear = Set(properties.ambiguities.flatMap(\.new))
    let attributes = destination.attributes(of: new).filter { !unclear.contains($0.name) }
      .compactMap { attributeMapping($0, old: properties.oldNames[$0.name], old, new) }
    let relationships = destination.relationships(of: new).filter { !unclear.contains($0.name) }
      .compactMap { relationshipMapping($0, old: properties.oldNames[$0.name], old, new) }
    let isCopy =
      old.name == new.name && sourceHashes[old.name] == destinationHashes[new.name]
      && (attributes + relationships).allSatisfy { $0 == PropertyMapping(name: $0.name.value) }
      && isComplete(attributes, relationships, old, new)
    return EntityMapping(
      name: "IEM_\(isCopy ? "Copy" : "Transform")_\(old.name)", kind: isCopy ? .copy : .transform,
      source: old.name, destination: new.name, attributes: isCopy ? [] : attributes,
      relationships: isCopy ? [] : relationships)
  }

  /// Whether a copy mapping, which copies every property of equal name, has exactly this effect.
  private func isComplete(
    _ attributes: [PropertyMapping], _ relationships: [PropertyMapping], _ old: Entity,
    _ new: Entity
  ) -> Bool {
    let mapped = Set((attributes + relationships).map(\.name.value))
    let copied =
      destination.attributes(of: new).filter {
        $0.isStored && $0.derivation == nil
          && source.attribute($0.name, of: old)?.isStored == true
      }.map(\.name)
      + destination.relationships(of: new).filter {
        !$0.isTransient && source.relationship($0.name, of: old)?.isTransient == false
      }.map(\.name)
    return mapped == Set(copied)
  }

  // MARK: Pairs

  /// The source entity that became a destination entity; `nil` if it was added.
  func sourceEntity(of entity: Entity) -> Entity? {
    oldEntities[entity.name].flatMap { source.entity(named: $0) }
  }

  /// The destination entity that a source entity became; `nil` if it was removed.
  func destinationEntity(of entity: Entity) -> Entity? {
    newEntities[entity.name].flatMap { destination.entity(named: $0) }
  }

  /// The corresponding stored properties of a pair of entities.
  mutating func propertyMatching(_ old: Entity, _ new: Entity) -> PropertyMatching {
    let key = [new.name, old.name]
    if let known = knownMatchings[key] { return known }
    let matching = InferenceMatching(
      old: Self.properties(of: old, in: source), new: Self.properties(of: new, in: destination))
    let found = PropertyMatching(oldNames: matching.oldByNew, ambiguities: matching.ambiguities)
    knownMatchings[key] = found
    return found
  }

  /// The properties with stored values; transient ones have none to migrate.
  private static func properties(of entity: Entity, in model: Model) -> [InferenceMatching.Named] {
    model.attributes(of: entity).filter(\.isStored).map {
      .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier)
    }
      + model.relationships(of: entity).filter { !$0.isTransient }.map {
        .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier)
      }
  }

  // MARK: Findings

  /// Reports something that cannot be inferred, once for each declaration.
  ///
  /// - Parameter property: the declaring destination entity and the property, for the message.
  mutating func report(
    _ code: String, _ message: String, at property: (entity: Entity, name: String)?,
    reason: String, remedy: String
  ) {
    var subject = ""
    if let property {
      subject = "“\(declaring(property.name, of: property.entity).name).\(property.name)” "
    }
    let finding = Diagnostic(code, subject + message, reason: reason, remedy: remedy)
    if reported.insert(finding).inserted { findings.append(finding) }
  }

  /// The entity that declares a property of a destination entity.
  private func declaring(_ property: String, of entity: Entity) -> Entity {
    destination.lineage(of: entity).first { entity in
      entity.attributes.contains { $0.name == property }
        || entity.relationships.contains { $0.name == property }
    } ?? entity
  }

  private mutating func reportAmbiguity(
    _ ambiguity: InferenceMatching.Ambiguity, _ what: String, of entity: Entity?
  ) {
    let new = ambiguity.new.map { "“\($0)”" }.joined(separator: ", ")
    let old = ambiguity.old.map { "“\($0)”" }.joined(separator: ", ")
    let owner = entity.map { declaring(ambiguity.new[0], of: $0).name }
    let place = owner.map { " of “\($0)”" } ?? ""
    report(
      "INF-001",
      "it cannot be determined which \(what)\(place) became which: \(old) may have become \(new)",
      at: nil, reason: "several names or renaming identifiers lead to the same \(what)",
      remedy: "remove the wrong renaming identifier from the model, or write a mapping model")
  }
}
