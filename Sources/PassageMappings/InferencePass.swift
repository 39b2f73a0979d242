import PassageDiagnostics
import PassageModels

/// Infers one mapping model, entity by entity, and collects everything that cannot be inferred. In a
/// draft, a marked proposal takes its place.
struct InferencePass {
  let source: Model
  let destination: Model
  let isDraft: Bool
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
  /// In a draft, why an entity mapping is only a proposal, by destination entity.
  private var marks: [String: String] = [:]
  /// In a draft, why leaving an entity behind is only a proposal, by source entity.
  private var removalMarks: [String: String] = [:]
  /// In a draft, the entity mappings that make objects of a new entity from attributes of another,
  /// by destination entity.
  var extractions: [String: [EntityMapping]] = [:]
  /// In a draft, how many more names may be compared to recognize what became an entity or an
  /// attribute. Without a limit a large model would take time in the square of its properties.
  private var remainingComparisons = 500_000

  /// The corresponding properties of a pair of entities, including inherited ones, by their newer
  /// names.
  struct PropertyMatching {
    var oldNames: [String: String]
    /// The older names that have a counterpart.
    let keptNames: Set<String>
    var ambiguities: [InferenceMatching.Ambiguity]
  }

  init(source: Model, destination: Model, isDraft: Bool = false) {
    self.source = source
    self.destination = destination
    self.isDraft = isDraft
    var matching = InferenceMatching(
      old: source.entities.map { .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier) },
      new: destination.entities.map {
        .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier)
      })
    if isDraft { matching.decide() }
    oldEntities = matching.oldByNew
    newEntities = Dictionary(
      matching.oldByNew.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    entityAmbiguities = matching.ambiguities
    sourceHashes = source.versionHashes
    destinationHashes = destination.versionHashes
  }

  /// The entity mappings in order. Unless this is a draft, they are complete only if there are no errors
  /// in ``findings``.
  mutating func entityMappings() -> [EntityMapping] {
    for ambiguity in entityAmbiguities {
      let obstacle = reportAmbiguity(ambiguity, "entity", of: nil)
      for name in ambiguity.new { mark(name, obstacle) }
      for name in ambiguity.old { removalMarks[name] = obstacle.mark }
    }
    checkHierarchies()
    // An ambiguous rename is reported once, not again as added and removed.
    guard entityAmbiguities.isEmpty || isDraft else { return [] }
    var mappings: [EntityMapping] = []
    for new in destination.entities {
      guard let old = sourceEntity(of: new), !old.isAbstract else {
        if !new.isAbstract { mappings.append(addMapping(new)) }
        continue
      }
      if new.isAbstract {
        if let proposal = abstractMapping(old, new) { mappings.append(proposal) }
      } else {
        mappings.append(Self.marked(entityMapping(old, new), marks[new.name]))
      }
    }
    for old in source.entities where !old.isAbstract && newEntities[old.name] == nil {
      mappings.append(Self.marked(removeMapping(old), removalMarks[old.name]))
    }
    return mappings.flatMap { mapping in
      guard mapping.kind == .add, let name = mapping.destinationEntityName?.value else {
        return [mapping]
      }
      return extractedMappings(into: name) ?? [mapping]
    }
  }

  private func addMapping(_ new: Entity) -> EntityMapping {
    Self.marked(
      EntityMapping(name: "IEM_Add_\(new.name)", kind: .add, destination: new.name),
      marks[new.name])
  }

  private func removeMapping(_ old: Entity) -> EntityMapping {
    EntityMapping(name: "IEM_Remove_\(old.name)", kind: .remove, source: old.name)
  }

  /// The proposal for the objects of an entity that became abstract: they become objects of its
  /// first subentity that is not, or are left behind. `nil` unless this is a draft.
  private mutating func abstractMapping(_ old: Entity, _ new: Entity) -> EntityMapping? {
    let obstacle = InferenceObstacle(
      "INF-003", "the entity “\(new.name)” became abstract",
      reason: "its source objects cannot be objects of an abstract entity",
      remedy: "map them to one of its subentities, or remove them, in a mapping model")
    report(obstacle, at: nil)
    guard isDraft else { return nil }
    let heir = destination.family(of: new).first { !$0.isAbstract }
    return Self.marked(heir.map { entityMapping(old, $0) } ?? removeMapping(old), obstacle.mark)
  }

  /// The entity mapping, marked as a proposal if there is a reason.
  private static func marked(_ mapping: EntityMapping, _ reason: String?) -> EntityMapping {
    var mapping = mapping
    mapping.draft = reason.map { Located($0) }
    return mapping
  }

  /// Marks the mapping to a destination entity as a proposal; without effect unless this is a draft.
  mutating func mark(_ destinationEntity: String, _ obstacle: InferenceObstacle) {
    let former = marks[destinationEntity].map { "\($0); " } ?? ""
    if isDraft { marks[destinationEntity] = former + obstacle.mark }
  }

  private mutating func entityMapping(_ old: Entity, _ new: Entity) -> EntityMapping {
    let properties = propertyMatching(old, new)
    var unclear: [String: String] = [:]
    for ambiguity in properties.ambiguities {
      let obstacle = reportAmbiguity(ambiguity, "property", of: new)
      for name in ambiguity.new { unclear[name] = obstacle.mark }
    }
    let attributes = destination.attributes(of: new).filter { isDraft || unclear[$0.name] == nil }
      .compactMap {
        Self.marked(
          attributeMapping($0, old: properties.oldNames[$0.name], old, new), $0.name,
          unclear[$0.name])
      }
    let relationships = destination.relationships(of: new)
      .filter { isDraft || unclear[$0.name] == nil }
      .compactMap {
        Self.marked(
          relationshipMapping($0, old: properties.oldNames[$0.name], old, new), $0.name,
          unclear[$0.name])
      }
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

  /// The mapping of a property, marked as a proposal if there is a reason.
  private static func marked(
    _ mapping: PropertyMapping?, _ name: String, _ reason: String?
  ) -> PropertyMapping? {
    guard let reason else { return mapping }
    var mapping = mapping ?? PropertyMapping(name: name, source: .leftAtDefault)
    mapping.draft = Located(mapping.draft.map { "\(reason); \($0.value)" } ?? reason)
    return mapping
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
    var matching = InferenceMatching(
      old: Self.properties(of: old, in: source), new: Self.properties(of: new, in: destination))
    if isDraft { matching.decide() }
    let found = PropertyMatching(
      oldNames: matching.oldByNew, keptNames: Set(matching.oldByNew.values),
      ambiguities: matching.ambiguities)
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
  /// - Parameter property: the destination entity and the property, for the message.
  mutating func report(
    _ obstacle: InferenceObstacle, at property: (entity: Entity, name: String)?
  ) {
    add(obstacle, .error, at: property)
  }

  /// Warns of something that is inferred with a loss, once for each declaration.
  mutating func remark(
    _ loss: InferenceObstacle, at property: (entity: Entity, name: String)
  ) {
    add(loss, .warning, at: property)
  }

  private mutating func add(
    _ obstacle: InferenceObstacle, _ severity: Diagnostic.Severity,
    at property: (entity: Entity, name: String)?
  ) {
    var subject = ""
    if let property {
      subject = "“\(declaring(property.name, of: property.entity).name).\(property.name)” "
    }
    let finding = Diagnostic(
      obstacle.code, subject + obstacle.message, severity: severity, reason: obstacle.reason,
      remedy: obstacle.remedy)
    if reported.insert(finding).inserted { findings.append(finding) }
  }

  /// Reports that a property cannot be inferred.
  ///
  /// - Returns: in a draft the proposal, marked with the reason and what the proposal assumes;
  ///   otherwise `nil`.
  mutating func refuse(
    _ obstacle: InferenceObstacle, at property: (entity: Entity, name: String),
    proposing proposal: PropertyMapping
  ) -> PropertyMapping? {
    report(obstacle, at: property)
    return isDraft ? Self.marked(proposal, property.name, obstacle.mark) : nil
  }

  /// Whether a draft recognizes what became an entity or an attribute: until too many names have been
  /// compared.
  var recognizesNames: Bool { isDraft && remainingComparisons > 0 }

  /// Counts comparisons of names; `false` if they are more than are left.
  mutating func spendComparisons(_ count: Int) -> Bool {
    remainingComparisons = max(0, remainingComparisons - count)
    return remainingComparisons > 0
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
  ) -> InferenceObstacle {
    let new = ambiguity.new.map { "“\($0)”" }.joined(separator: ", ")
    let old = ambiguity.old.map { "“\($0)”" }.joined(separator: ", ")
    let owner = entity.map { declaring(ambiguity.new[0], of: $0).name }
    let place = owner.map { " of “\($0)”" } ?? ""
    let obstacle = InferenceObstacle(
      "INF-001",
      "it cannot be determined which \(what)\(place) became which: \(old) may have become \(new)",
      reason: "several names or renaming identifiers lead to the same \(what)",
      remedy: "remove the wrong renaming identifier from the model, or write a mapping model")
    report(obstacle, at: nil)
    return obstacle
  }
}
