internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// Converts the contents of an Xcode file into a ``MappingModel``, resolving names, types and
/// defaults.
///
/// A property without a written value copies the source property of the same name if there is one,
/// and otherwise keeps its default. Deciding that requires the models. Without a model, every
/// property is assumed to exist.
struct MappingResolver {
  let source: Model?
  let destination: Model?
  private(set) var findings = Diagnostics()
  private var namesBySource: [String: [String]] = [:]
  private var onlyMappings: [String: String?] = [:]

  init(source: Model?, destination: Model?) {
    self.source = source
    self.destination = destination
  }

  mutating func entityMappings(of foreign: ForeignMapping) -> [EntityMapping] {
    namesBySource = Self.namesBySource(foreign)
    return foreign.entityMappings.compactMap { entityMapping($0) }
  }

  private mutating func entityMapping(_ foreign: ForeignEntityMapping) -> EntityMapping? {
    let sourceEntity = foreign.sourceName.flatMap { source?.entity(named: $0) }
    let destinationEntity = foreign.destinationName.flatMap { destination?.entity(named: $0) }
    let name =
      foreign.name
      ?? EntityMapping.defaultName(source: foreign.sourceName, destination: foreign.destinationName)
    if takesNothing(foreign, sourceEntity, destinationEntity) {
      note(
        "IMP-024", "the entity mapping “\(name)” is left out", at: foreign.location,
        reason: "it maps an abstract entity, which has no objects of its own")
      return nil
    }
    var mapping = EntityMapping(
      name: name, kind: kind(of: foreign), source: foreign.sourceName,
      destination: foreign.destinationName)
    mapping.name.location = foreign.location
    mapping.sourceEntityName?.location = foreign.location
    mapping.destinationEntityName?.location = foreign.location
    mapping.filter = foreign.filter
    mapping.policy = policy(of: foreign, name: name)
    guard foreign.destinationName != nil else {
      noteUnmapped(foreign.attributes + foreign.relationships, of: name)
      return mapping
    }
    let owner = PropertyOwner(
      mappingName: name, source: sourceEntity, destination: destinationEntity,
      hasSource: foreign.sourceName != nil && (source == nil || sourceEntity != nil))
    mapping.attributeMappings = foreign.attributes.compactMap { attribute($0, of: owner) }
    mapping.relationshipMappings = foreign.relationships.compactMap { relationship($0, of: owner) }
    return mapping
  }

  /// Whether the mapping makes no objects, because its source entity or, if it has none, its
  /// destination entity is abstract. Xcode maps abstract entities too.
  private func takesNothing(
    _ foreign: ForeignEntityMapping, _ source: Entity?, _ destination: Entity?
  ) -> Bool {
    guard foreign.policyName == nil else { return false }
    if let source { return source.isAbstract }
    return foreign.sourceName == nil && destination?.isAbstract == true
  }

  private func kind(of foreign: ForeignEntityMapping) -> EntityMapping.Kind {
    switch (foreign.sourceName, foreign.destinationName) {
    case (nil, _): .add
    case (_, nil): .remove
    default: foreign.policyName != nil ? .custom : foreign.isPlainCopy ? .copy : .transform
    }
  }

  private mutating func policy(
    of foreign: ForeignEntityMapping, name: String
  ) -> EntityMapping.PolicyReference? {
    guard let policyName = foreign.policyName else {
      if !foreign.userInfo.isEmpty {
        let keys = foreign.userInfo.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
        note(
          "IMP-027", "the user info of “\(name)” is left out: \(keys)", at: foreign.location,
          severity: .warning, reason: "it has no policy, and nothing else reads it")
      }
      return nil
    }
    note(
      "IMP-023", "“\(name)” needs the policy “\(policyName.value)”", at: policyName.location,
      remedy: "write it in Swift and register it with the program that migrates")
    var policy = EntityMapping.PolicyReference(name: policyName.value, userInfo: foreign.userInfo)
    policy.name.location = policyName.location
    return policy
  }

  private mutating func noteUnmapped(_ properties: [ForeignProperty], of name: String) {
    for property in properties {
      guard case .expression = property.value else { continue }
      note(
        "IMP-025", "“\(property.name)” of “\(name)” is left out", at: property.location,
        severity: .warning, reason: "the entity mapping has no destination entity")
    }
  }

  // MARK: Findings

  mutating func note(
    _ code: String, _ message: String, at place: SourceLocation?,
    severity: Diagnostic.Severity = .note, reason: String? = nil, remedy: String? = nil
  ) {
    findings.append(
      Diagnostic(code, message, severity: severity, at: place, reason: reason, remedy: remedy))
  }

  /// The name of the only entity mapping that migrates objects of an entity or of its subentities;
  /// `nil` if there is none, or more than one.
  ///
  /// - Complexity: O(s) for s subentities, once for each entity.
  mutating func onlyMapping(takingObjectsOf entity: Entity) -> String? {
    if let known = onlyMappings[entity.name] { return known }
    let family = source?.family(of: entity) ?? []
    let names = family.flatMap { namesBySource[$0.name] ?? [] }
    let only = names.count == 1 ? names.first : nil
    onlyMappings[entity.name] = .some(only)
    return only
  }

  /// The names of the entity mappings that make objects, by source entity.
  private static func namesBySource(_ foreign: ForeignMapping) -> [String: [String]] {
    var names: [String: [String]] = [:]
    for mapping in foreign.entityMappings {
      guard let source = mapping.sourceName, let destination = mapping.destinationName else {
        continue
      }
      names[source, default: []].append(
        mapping.name ?? EntityMapping.defaultName(source: source, destination: destination))
    }
    return names
  }
}
