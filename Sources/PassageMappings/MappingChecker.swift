public import PassageDiagnostics
internal import PassageExpressions
public import PassageModels
internal import PassageValues

/// Finds everything wrong with a mapping model, and binds what is right to the two models.
public struct MappingChecker {
  private let model: MappingModel
  private let source: Model
  private let destination: Model
  private let policies: [String: PolicySignature]
  private let otherMappings: [EntityMapping]
  private(set) var diagnostics = Diagnostics()

  /// Checks a mapping model against its models.
  ///
  /// - Parameters:
  ///   - policies: the registered policies, by name.
  ///   - otherMappings: the entity mappings of the other passes of the step, which relationships
  ///     may refer to by name.
  /// - Returns: the bound mapping, `nil` when there are errors, and everything found: `MAP-010` to
  ///   `MAP-029` of this module, `PRE-` of the expressions.
  public static func check(
    _ model: MappingModel, source: Model, destination: Model, policies: [PolicySignature],
    otherMappings: [EntityMapping] = []
  ) -> (bound: BoundMapping?, diagnostics: Diagnostics) {
    var checker = MappingChecker(
      model: model, source: source, destination: destination,
      policies: Dictionary(
        policies.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
      otherMappings: otherMappings)
    let bound = checker.bind()
    return (checker.diagnostics.hasErrors ? nil : bound, checker.diagnostics)
  }

  private init(
    model: MappingModel, source: Model, destination: Model, policies: [String: PolicySignature],
    otherMappings: [EntityMapping]
  ) {
    self.model = model
    self.source = source
    self.destination = destination
    self.policies = policies
    self.otherMappings = otherMappings
  }

  private mutating func bind() -> BoundMapping {
    var names: Set<String> = []
    for mapping in model.entityMappings where !names.insert(mapping.name.value).inserted {
      report(
        "MAP-013", "two entity mappings are named \"\(mapping.name.value)\"", mapping.name.location,
        remedy: "give one of them another \"name\"")
    }
    return BoundMapping(
      model: model, source: source, destination: destination,
      entityMappings: model.entityMappings.map { bind($0) })
  }

  private mutating func bind(_ mapping: EntityMapping) -> BoundEntityMapping {
    let sourceEntity = entity(mapping.sourceEntityName, in: source, "source", "MAP-010")
    let destinationEntity = entity(
      mapping.destinationEntityName, in: destination, "destination", "MAP-011")
    if let destinationEntity, destinationEntity.isAbstract, mapping.policy == nil {
      report(
        "MAP-012", "\"\(destinationEntity.name)\" is abstract and can have no objects",
        mapping.destinationEntityName?.location,
        remedy: "map to one of its subentities")
    }
    checkPolicy(of: mapping)
    var bound = BoundEntityMapping(
      mapping: mapping, source: sourceEntity, destination: destinationEntity, attributes: [],
      relationships: [])
    if let filter = mapping.filter, let sourceEntity {
      bound.filter = keep(
        Result { () throws(Diagnostics) in
          try Binder.predicate(
            FormatParser.predicate(filter.value, at: filter.location),
            in: .filter(model: source, entity: sourceEntity), at: filter.location)
        })
    }
    guard let destinationEntity else { return bound }
    checkDuplicates(mapping.attributeMappings + mapping.relationshipMappings)
    let mapping = completed(mapping, sourceEntity, destinationEntity)
    bound.attributes = mapping.attributeMappings.compactMap {
      attribute($0, of: mapping, sourceEntity, destinationEntity)
    }
    bound.relationships = mapping.relationshipMappings.compactMap {
      relationship($0, of: mapping, sourceEntity, destinationEntity)
    }
    warnOfUnmapped(mapping, destinationEntity)
    return bound
  }

  /// A copy mapping takes every property over that both entities have; those listed in the file are
  /// taken as the file says.
  private func completed(
    _ mapping: EntityMapping, _ sourceEntity: Entity?, _ destinationEntity: Entity
  ) -> EntityMapping {
    guard mapping.kind == .copy, let sourceEntity else { return mapping }
    var mapping = mapping
    let listed = Set(
      (mapping.attributeMappings + mapping.relationshipMappings).map(\.name.value))
    func property(_ name: String) -> PropertyMapping {
      var property = PropertyMapping(name: name)
      property.name.location = mapping.name.location
      return property
    }
    for attribute in destination.attributes(of: destinationEntity)
    where attribute.isStored && attribute.derivation == nil && !listed.contains(attribute.name)
      && source.attribute(attribute.name, of: sourceEntity)?.isStored == true
    {
      mapping.attributeMappings.append(property(attribute.name))
    }
    for relationship in destination.relationships(of: destinationEntity)
    where !relationship.isTransient && !listed.contains(relationship.name)
      && source.relationship(relationship.name, of: sourceEntity)?.isTransient == false
    {
      mapping.relationshipMappings.append(property(relationship.name))
    }
    return mapping
  }

  private mutating func entity(
    _ name: Located<String>?, in model: Model, _ side: String, _ code: String
  ) -> Entity? {
    guard let name else { return nil }
    if let entity = model.entity(named: name.value) { return entity }
    report(
      code, "the \(side) model \"\(model.name)\" has no entity \"\(name.value)\"", name.location,
      remedy: suggestion(name.value, model.entities.map(\.name)))
    return nil
  }

  private mutating func checkPolicy(of mapping: EntityMapping) {
    guard let policy = mapping.policy, policies[policy.name.value] == nil else { return }
    let known = policies.keys.sorted()
    report(
      "MAP-019", "no policy is registered as \"\(policy.name.value)\"", policy.name.location,
      reason: known.isEmpty
        ? "this program has no policies" : "registered are: \(known.joined(separator: ", "))",
      remedy: nearest(to: policy.name.value, in: known).map { "did you mean \"\($0)\"?" }
        ?? "register the policy with the program that migrates")
  }

  private mutating func checkDuplicates(_ properties: [PropertyMapping]) {
    var names: Set<String> = []
    for property in properties where !names.insert(property.name.value).inserted {
      report("MAP-014", "\"\(property.name.value)\" is mapped twice", property.name.location)
    }
  }

  // MARK: Attributes

  private mutating func attribute(
    _ property: PropertyMapping, of mapping: EntityMapping, _ sourceEntity: Entity?,
    _ destinationEntity: Entity
  ) -> BoundAttribute? {
    let name = property.name.value
    guard let attribute = destination.attribute(name, of: destinationEntity) else {
      reportUnknown(property, destinationEntity, isRelationship: false)
      return nil
    }
    guard attribute.isStored, attribute.derivation == nil else {
      report(
        "MAP-027",
        "\"\(name)\" is \(attribute.derivation == nil ? "transient" : "derived")"
          + " and cannot be mapped", property.name.location,
        remedy: "leave it out of the mapping")
      return nil
    }
    let location: SourceLocation?
    let expression: Expression?
    switch property.source {
    case .leftAtDefault:
      return nil
    case .sameName:
      guard let sourceEntity else {
        report(
          "MAP-016", "\"\(name)\" has no source property to take its value from",
          property.name.location, reason: "an \"add\" mapping has no source entity")
        return nil
      }
      guard source.attribute(name, of: sourceEntity) != nil else {
        report(
          "MAP-016", "the source entity \"\(sourceEntity.name)\" has no attribute \"\(name)\"",
          property.name.location,
          remedy: suggestion(name, source.attributes(of: sourceEntity).map(\.name))
            + "; or give an expression, or null for the default")
        return nil
      }
      location = property.name.location
      expression = .path(.variable("source"), name)
    case .expression(let text):
      location = text.location
      expression = keep(
        Result { () throws(Diagnostics) in
          try FormatParser.expression(text.value, at: text.location)
        })
    }
    guard let expression,
      let value = bind(expression, for: attribute, of: mapping, sourceEntity, at: location)
    else { return nil }
    var fallback: BoundExpression?
    if let text = property.fallback {
      let parsed = keep(
        Result { () throws(Diagnostics) in
          try FormatParser.expression(text.value, at: text.location)
        })
      fallback = parsed.flatMap {
        bind($0, for: attribute, of: mapping, sourceEntity, at: text.location)
      }
    }
    return BoundAttribute(attribute: attribute, value: value, fallback: fallback)
  }

  private mutating func bind(
    _ expression: Expression, for attribute: Attribute, of mapping: EntityMapping,
    _ sourceEntity: Entity?, at location: SourceLocation?
  ) -> BoundExpression? {
    let selectors = mapping.policy.flatMap { policies[$0.name.value]?.functions } ?? [:]
    return keep(
      Result { () throws(Diagnostics) in
        try Binder.expression(
          expression,
          in: .value(
            model: source, entity: sourceEntity ?? Entity(name: ""), policyFunctions: selectors),
          expecting: attribute.type, at: location)
      })
  }

  // MARK: Relationships

  private mutating func relationship(
    _ property: PropertyMapping, of mapping: EntityMapping, _ sourceEntity: Entity?,
    _ destinationEntity: Entity
  ) -> BoundRelationship? {
    let name = property.name.value
    guard let relationship = destination.relationship(name, of: destinationEntity) else {
      reportUnknown(property, destinationEntity, isRelationship: true)
      return nil
    }
    guard !relationship.isTransient else {
      report("MAP-027", "\"\(name)\" is transient and cannot be mapped", property.name.location)
      return nil
    }
    guard let sourceEntity else {
      if property.source == .leftAtDefault { return nil }
      report(
        "MAP-016", "\"\(name)\" has no source property to take its value from",
        property.name.location, reason: "an \"add\" mapping has no source entity")
      return nil
    }
    var value: RelationshipValue
    var location = property.name.location
    switch property.source {
    case .leftAtDefault:
      return nil
    case .sameName:
      value = .destinations(mapping: nil, relationship: name, path: [name])
    case .expression(let text):
      location = text.location
      let parsed = keep(
        Result { () throws(Diagnostics) in
          try FormatParser.expression(text.value, at: text.location)
        })
      guard let parsed else { return nil }
      value = RelationshipValue(parsed)
    }
    switch value {
    case .empty:
      return nil
    case .sourceObjects(let path):
      let argument = (["$source"] + path).joined(separator: ".")
      report(
        "MAP-021", "the value of \"\(name)\" is source objects", location,
        reason: "a destination object can only refer to destination objects",
        remedy: "FUNCTION($manager, \"\(RelationshipValue.mappingSelector)\", "
          + "\"<entity mapping>\", \(argument))")
      return nil
    case .unsupported:
      report(
        "MAP-021", "the value of \"\(name)\" is not a list of destination objects", location,
        remedy: "call \(RelationshipValue.mappingSelector) or "
          + "\(RelationshipValue.relationshipSelector) of $manager")
      return nil
    case .destinations(let mappingName, _, let path):
      guard let (steps, end) = walk(path, from: sourceEntity, at: location) else { return nil }
      let target: BoundRelationship.Target =
        mappingName.map { .mapping(named: $0) } ?? .everyMapping
      checkTarget(target, of: relationship, from: end, at: location)
      if !relationship.isToMany, steps.contains(where: \.isToMany) {
        report(
          "MAP-025", "\"\(name)\" leads to one object, its value to many", location,
          remedy: "map it from a to-one relationship")
      }
      return BoundRelationship(
        relationship: relationship, path: steps, pathEnd: end, target: target)
    }
  }

  private mutating func walk(
    _ path: [String], from start: Entity, at location: SourceLocation?
  ) -> (steps: [Relationship], end: Entity)? {
    var entity = start
    var steps: [Relationship] = []
    for name in path {
      guard let step = source.relationship(name, of: entity),
        let next = source.entity(named: step.destinationEntityName)
      else {
        report(
          "MAP-024", "the source entity \"\(entity.name)\" has no relationship \"\(name)\"",
          location,
          remedy: suggestion(name, source.relationships(of: entity).map(\.name)))
        return nil
      }
      steps.append(step)
      entity = next
    }
    return (steps, entity)
  }

  private mutating func checkTarget(
    _ target: BoundRelationship.Target, of relationship: Relationship, from end: Entity,
    at location: SourceLocation?
  ) {
    let all = model.entityMappings + otherMappings
    guard let expected = destination.entity(named: relationship.destinationEntityName) else {
      return
    }
    switch target {
    case .mapping(let name):
      guard let mapping = all.first(where: { $0.name.value == name }) else {
        report(
          "MAP-022", "there is no entity mapping \"\(name)\" in this step", location,
          remedy: suggestion(name, all.map(\.name.value)))
        return
      }
      if let made = mapping.destinationEntityName.flatMap({ destination.entity(named: $0.value) }),
        mapping.policy == nil, !destination.isKind(made, of: expected)
      {
        report(
          "MAP-023",
          "\"\(name)\" makes \"\(made.name)\", but \"\(relationship.name)\" leads to "
            + "\"\(expected.name)\"", location)
      }
      if let read = mapping.sourceEntityName.flatMap({ source.entity(named: $0.value) }),
        !source.isKind(read, of: end), !source.isKind(end, of: read)
      {
        report(
          "MAP-023",
          "\"\(name)\" reads \"\(read.name)\", but the objects given to it are "
            + "\"\(end.name)\"", location)
      }
    case .everyMapping:
      let family = Set(source.family(of: end).map(\.name))
      let makes = all.contains { mapping in
        mapping.sourceEntityName.map { family.contains($0.value) } == true
          && mapping.destinationEntityName != nil
      }
      if !makes {
        report(
          "MAP-022", "no entity mapping of this step takes \"\(end.name)\" over", location,
          severity: .warning, reason: "\"\(relationship.name)\" will be empty")
      }
    }
  }

  // MARK: Findings

  private mutating func warnOfUnmapped(_ mapping: EntityMapping, _ entity: Entity) {
    guard mapping.policy == nil else { return }
    let mapped = Set(
      (mapping.attributeMappings + mapping.relationshipMappings).map(\.name.value))
    for attribute in destination.attributes(of: entity)
    where attribute.isStored && !attribute.isOptional && attribute.derivation == nil
      && attribute.defaultValue.isNull && !mapped.contains(attribute.name)
    {
      report(
        "MAP-018",
        "\"\(entity.name).\(attribute.name)\" is required, has no default and is not "
          + "mapped by \"\(mapping.name.value)\"", mapping.name.location, severity: .warning)
    }
    for relationship in destination.relationships(of: entity)
    where !relationship.isOptional && !relationship.isTransient
      && !mapped.contains(relationship.name)
      && destination.inverse(of: relationship) == nil
    {
      report(
        "MAP-018",
        "\"\(entity.name).\(relationship.name)\" is required and is not mapped by "
          + "\"\(mapping.name.value)\"", mapping.name.location, severity: .warning)
    }
  }

  private mutating func reportUnknown(
    _ property: PropertyMapping, _ entity: Entity, isRelationship: Bool
  ) {
    let name = property.name.value
    let attributes = destination.attributes(of: entity).map(\.name)
    let relationships = destination.relationships(of: entity).map(\.name)
    if (isRelationship ? attributes : relationships).contains(name) {
      report(
        "MAP-015",
        "\"\(name)\" is \(isRelationship ? "an attribute" : "a relationship") of \"\(entity.name)\"",
        property.name.location,
        remedy: "move it to \"\(isRelationship ? "attributes" : "relationships")\"")
    } else {
      report(
        "MAP-014",
        "the destination entity \"\(entity.name)\" has no "
          + "\(isRelationship ? "relationship" : "attribute") \"\(name)\"", property.name.location,
        remedy: suggestion(name, isRelationship ? relationships : attributes))
    }
  }

  private func suggestion(_ name: String, _ candidates: [String]) -> String {
    if let near = nearest(to: name, in: candidates) { return "did you mean \"\(near)\"?" }
    if candidates.isEmpty { return "it has none" }
    return "use one of: \(candidates.sorted().prefix(12).joined(separator: ", "))"
  }

  private mutating func report(
    _ code: String, _ message: String, _ location: SourceLocation?,
    severity: Diagnostic.Severity = .error, reason: String? = nil, remedy: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        code, message, severity: severity, at: location, reason: reason, remedy: remedy))
  }

  /// The result of a check of the expression language, whose findings are kept.
  private mutating func keep<Found>(_ result: Result<Found, Diagnostics>) -> Found? {
    switch result {
    case .success(let found):
      return found
    case .failure(let found):
      diagnostics.append(contentsOf: found)
      return nil
    }
  }
}
