internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassageValues

extension MappingChecker {
  mutating func relationship(
    _ property: PropertyMapping, of mapping: EntityMapping, _ sourceEntity: Entity?,
    _ destinationEntity: Entity
  ) -> BoundRelationship? {
    let name = property.name.value
    guard let relationship = destination.relationship(name, of: destinationEntity) else {
      reportUnknown(property, destinationEntity, isRelationship: true)
      return nil
    }
    guard !relationship.isTransient else {
      report("MAP-027", "“\(name)” is transient and cannot be mapped", property.name.location)
      return nil
    }
    guard let sourceEntity else {
      if property.source == .leftAtDefault { return nil }
      report(
        "MAP-016", "“\(name)” has no source property to take its value from",
        property.name.location, reason: "an “add” mapping has no source entity")
      return nil
    }
    guard let (value, location) = value(of: property) else { return nil }
    guard case .destinations(let mappingName, _, let path) = value else {
      refuse(value, of: name, sourceEntity, at: location)
      return nil
    }
    guard let (steps, end) = walk(path, from: sourceEntity, at: location) else { return nil }
    let target: BoundRelationship.Target =
      mappingName.map { .mapping(named: $0) } ?? .everyMapping
    checkTarget(target, of: relationship, from: end, at: location)
    if !relationship.isToMany, steps.contains(where: \.isToMany) {
      report(
        "MAP-025", "“\(name)” is to-one, but its value leads to many objects", location,
        remedy: "map it from a to-one relationship")
    }
    return BoundRelationship(
      relationship: relationship, path: steps, pathEnd: end, target: target)
  }

  /// The written value of a relationship; `nil` if it keeps its default or is not an expression.
  private mutating func value(
    of property: PropertyMapping
  ) -> (RelationshipValue, location: SourceLocation?)? {
    switch property.source {
    case .leftAtDefault:
      return nil
    case .sameName:
      let name = property.name.value
      return (.destinations(mapping: nil, relationship: name, path: [name]), property.name.location)
    case .expression(let text):
      let parsed = keep(
        Result { () throws(Diagnostics) in
          try FormatParser.expression(text.value, at: text.location)
        })
      return parsed.map { (RelationshipValue($0), text.location) }
    }
  }

  /// Reports a value that does not give destination objects. An empty value is allowed.
  private mutating func refuse(
    _ value: RelationshipValue, of name: String, _ sourceEntity: Entity,
    at location: SourceLocation?
  ) {
    switch value {
    case .empty, .destinations:
      break
    case .sourceObjects(let path):
      let argument = (["$source"] + path).joined(separator: ".")
      report(
        "MAP-021", "the value of “\(name)” consists of source objects", location,
        reason: "a destination object can only refer to destination objects",
        remedy: "FUNCTION($manager, \"\(RelationshipValue.mappingSelector)\", "
          + "\"<entity mapping>\", \(argument))")
    case .policyFunction(let selector):
      report(
        "MAP-021", "the value of “\(name)” is the result of the policy's function “\(selector)”",
        location,
        reason: "a function of a policy returns a value, not destination objects",
        remedy: "leave the relationship out and relate the objects in the policy's "
          + "createRelationships hook")
    case .wrongSource(let mapping, let relationship):
      let selector =
        mapping == nil
        ? RelationshipValue.relationshipSelector : RelationshipValue.mappingSelector
      let known = source.relationships(of: sourceEntity).map(\.name).sorted()
      let path = (["$source", nearest(to: name, in: known) ?? known.first]).compactMap(\.self)
        .joined(separator: ".")
      report(
        "MAP-021", "the source objects of “\(name)” are not a relationship of “$source”", location,
        reason:
          "the second argument names the source objects from which the destination objects were made",
        remedy: "write FUNCTION($manager, \"\(selector)\", "
          + "\"\(mapping ?? relationship ?? "")\", \(path))")
    case .unsupported:
      report(
        "MAP-021", "the value of “\(name)” is not a list of destination objects", location,
        remedy: "call \(RelationshipValue.mappingSelector) or "
          + "\(RelationshipValue.relationshipSelector) of $manager")
    }
  }

  mutating func walk(
    _ path: [String], from start: Entity, at location: SourceLocation?
  ) -> (steps: [Relationship], end: Entity)? {
    var entity = start
    var steps: [Relationship] = []
    for name in path {
      guard let step = source.relationship(name, of: entity),
        let next = source.entity(named: step.destinationEntityName)
      else {
        report(
          "MAP-024", "the source entity “\(entity.name)” has no relationship “\(name)”",
          location,
          remedy: suggestion(name, source.relationships(of: entity).map(\.name)))
        return nil
      }
      steps.append(step)
      entity = next
    }
    return (steps, entity)
  }

  mutating func checkTarget(
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
          "MAP-022", "there is no entity mapping “\(name)” in this step", location,
          remedy: suggestion(name, all.map(\.name.value)))
        return
      }
      if let made = mapping.destinationEntityName.flatMap({ destination.entity(named: $0.value) }),
        mapping.policy == nil, !destination.isKind(made, of: expected)
      {
        report(
          "MAP-023",
          "“\(name)” makes objects of “\(made.name)”, but “\(relationship.name)” leads to "
            + "“\(expected.name)”", location)
      }
      if let read = mapping.sourceEntityName.flatMap({ source.entity(named: $0.value) }),
        !source.isKind(read, of: end), !source.isKind(end, of: read)
      {
        report(
          "MAP-023",
          "“\(name)” reads objects of “\(read.name)”, but the objects given to it are of "
            + "“\(end.name)”", location)
      }
    case .everyMapping:
      let family = Set(source.family(of: end).map(\.name))
      let makes = all.contains { mapping in
        mapping.sourceEntityName.map { family.contains($0.value) } == true
          && mapping.destinationEntityName != nil
      }
      if !makes {
        report(
          "MAP-022", "no entity mapping of this step migrates objects of “\(end.name)”", location,
          severity: .warning, reason: "“\(relationship.name)” will be empty")
      }
    }
  }
}
