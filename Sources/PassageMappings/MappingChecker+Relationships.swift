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
    if property.source == .leftAtDefault {
      refuseSortKeys(of: property, beside: .empty)
      return nil
    }
    guard let sourceEntity else {
      refuseWithoutSource(property)
      return nil
    }
    guard let (value, location) = value(of: property),
      !refuseSortKeys(of: property, beside: value)
    else { return nil }
    switch value {
    case .selected(let named, let relationshipName, .constant, _),
      .selected(let named, let relationshipName, .keyPath(nil, _, _), _):
      refuseSource(of: name, named, relationshipName, sourceEntity, at: location)
      return nil
    case .selected(let named, _, let expression, let condition):
      return selected(
        expression, if: condition, relationship, property, madeBy: named,
        valueScope(of: mapping, sourceEntity), at: location)
    case .added(let named, let key, let condition):
      return added(
        named, key, if: condition, relationship, of: sourceEntity,
        valueScope(of: mapping, sourceEntity), at: location)
    case .destinations(let named, _, let root, let names):
      guard property.sortKeys.isEmpty else {
        return selected(
          names.isEmpty
            ? .variable(root.name) : .keyPath(.variable(root.name), names.map { .name($0) }),
          if: nil, relationship, property, madeBy: named, valueScope(of: mapping, sourceEntity),
          at: location)
      }
      guard let path = path(names, from: root, at: location) else { return nil }
      return followed(path, relationship, of: sourceEntity, madeBy: named, at: location)
    case .empty, .sourceObjects, .policyFunction, .unsupported:
      refuse(value, of: name, at: location)
      return nil
    }
  }

  /// A relationship to what became of all objects at the end of a path.
  private mutating func followed(
    _ path: [String], _ relationship: Relationship, of sourceEntity: Entity, madeBy name: String?,
    at location: SourceLocation?
  ) -> BoundRelationship? {
    guard
      let (steps, end) = walk(
        path, from: elements?.entity ?? sourceEntity, in: elements?.model ?? source, at: location)
    else { return nil }
    let target: BoundRelationship.Target = name.map { .mapping(named: $0) } ?? .everyMapping
    checkTarget(target, of: relationship, from: end, at: location)
    if !relationship.isToMany, steps.contains(where: \.isToMany) {
      report(
        "MAP-025", "“\(relationship.name)” is to-one, but its value leads to many objects",
        location, remedy: "map it from a to-one relationship")
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
      return parse(text).map { (RelationshipValue($0), text.location) }
    }
  }

  /// Reports a relationship of a mapping without a source entity, unless it keeps its default.
  private mutating func refuseWithoutSource(_ property: PropertyMapping) {
    if let value = value(of: property), case .added = value.0 {
      report(
        "MAP-035", "an object of an “add” mapping has no relationship to another",
        property.name.location, remedy: "map the inverse relationship on the other side")
      return
    }
    report(
      "MAP-016", "“\(property.name.value)” has no source property to take its value from",
      property.name.location, reason: "an “add” mapping has no source entity")
  }

  /// Reports an argument that is no source object, nor a path from one.
  private mutating func refuseSource(
    of name: String, _ mapping: String?, _ relationship: String?, _ sourceEntity: Entity,
    at location: SourceLocation?
  ) {
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
  }

  /// Reports a value that does not give destination objects. An empty value is allowed.
  private mutating func refuse(
    _ value: RelationshipValue, of name: String, at location: SourceLocation?
  ) {
    switch value {
    case .empty, .destinations, .selected, .added:
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
    case .unsupported:
      report(
        "MAP-021", "the value of “\(name)” is not a list of destination objects", location,
        remedy: "call \(RelationshipValue.mappingSelector) or "
          + "\(RelationshipValue.relationshipSelector) of $manager")
    }
  }

  mutating func walk(
    _ path: [String], from start: Entity, in source: Model, at location: SourceLocation?
  ) -> (steps: [Relationship], end: Entity)? {
    var entity = start
    var steps: [Relationship] = []
    for name in path {
      guard let step = source.relationship(name, of: entity),
        let next = source.entity(named: step.destinationEntityName)
      else {
        guard name != BoundElements.element else {
          report(
            "MAP-024", "the elements of “forEach” are values, not objects", location,
            remedy: "begin the path at $source")
          return nil
        }
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
    guard let expected = destination.entity(named: relationship.destinationEntityName) else {
      return
    }
    switch target {
    case .mapping(let name):
      guard let mapping = stepMappings[name] else {
        report(
          "MAP-022", "there is no entity mapping “\(name)” in this step", location,
          remedy: suggestion(name, stepMappings.all.map(\.name.value)))
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
      let isMigrated = source.family(of: end).contains {
        stepMappings.migratedEntities.contains($0.name)
      }
      if !isMigrated {
        report(
          "MAP-022", "no entity mapping of this step migrates objects of “\(end.name)”", location,
          severity: .warning, reason: "“\(relationship.name)” will be empty")
      }
    }
  }
}
