internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassageValues

/// Relationships to source objects that are not simply those at the end of a path, and to objects of
/// `add` mappings.
extension MappingChecker {
  /// The path from the object that the mapping reads, which is an element where it has `forEach`.
  mutating func path(
    _ names: [String], from root: RelationshipValue.Root, at location: SourceLocation?
  ) -> [String]? {
    switch (root, elements) {
    case (.source, nil): return names
    case (.source, _): return [BoundElements.source] + names
    case (.element, nil):
      report(
        "MAP-035", "$element has no meaning here", location,
        reason: "the entity mapping has no “forEach”", remedy: "begin the path at $source")
      return nil
    case (.element, _): return [BoundElements.element] + names
    }
  }

  mutating func selected(
    _ expression: ValueExpression, if condition: ObjectPredicate?, _ relationship: Relationship,
    _ property: PropertyMapping, madeBy name: String?, _ scope: BindingScope,
    at location: SourceLocation?
  ) -> BoundRelationship? {
    guard let sortKeys = sortKeys(of: property, relationship, at: location) else { return nil }
    let list = keep(
      Result { () throws(Diagnostics) in
        try Binder.list(expression, if: condition, sortedBy: sortKeys, in: scope, at: location)
      })
    guard let list else { return nil }
    diagnostics.append(contentsOf: list.warnings)
    guard let end = list.entityName.flatMap({ source.entity(named: $0) }) else {
      report(
        "MAP-021", "the source objects of “\(relationship.name)” are not objects", location,
        reason:
          "the second argument gives the source objects from which the destination objects were made",
        remedy: "write a relationship of $source, or an expression that gives objects")
      return nil
    }
    let target: BoundRelationship.Target = name.map { .mapping(named: $0) } ?? .everyMapping
    checkTarget(target, of: relationship, from: end, at: location)
    guard relationship.isToMany || !list.isToMany else {
      report(
        "MAP-025", "“\(relationship.name)” is to-one, but its value leads to many objects",
        location,
        remedy: "take one of them, with [FIRST] or [LAST], or map it from a to-one relationship")
      return nil
    }
    let isSortable = list.isToMany && list.isReadable
    guard property.sortKeys.isEmpty || isSortable || !relationship.isOrdered else {
      reportUnsortable(expression, isSingle: !list.isToMany, property, at: location)
      return nil
    }
    return BoundRelationship(
      relationship: relationship, path: [], pathEnd: end, target: target,
      selection: BoundSelection(
        .objects(list), isAscending: property.sortKeys.map(\.isAscending),
        path: selectedPath(expression, from: scope),
        isWhole: condition == nil && RelationshipValue.path(expression) != nil))
  }

  /// What the objects are sorted by; `nil` for too many values.
  private mutating func sortKeys(
    of property: PropertyMapping, _ relationship: Relationship, at location: SourceLocation?
  ) -> [Located<ValueExpression>]? {
    if !property.sortKeys.isEmpty, !relationship.isOrdered {
      report(
        "MAP-035", "“\(relationship.name)” is not ordered, so nothing can be sorted",
        property.sortKeys.first?.value.location ?? location, remedy: "leave “sortedBy” out")
    }
    guard property.sortKeys.count <= PropertyMapping.maximumSortKeys else {
      report(
        "MAP-035", "“sortedBy” has more than \(PropertyMapping.maximumSortKeys) values",
        property.sortKeys.last?.value.location ?? location)
      return nil
    }
    return property.sortKeys.compactMap { key in
      parse(key.value).map { Located($0, at: key.value.location) }
    }
  }

  /// Reports that what is one object is to be sorted, or objects of which nothing can be read.
  private mutating func reportUnsortable(
    _ expression: ValueExpression, isSingle: Bool, _ property: PropertyMapping,
    at location: SourceLocation?
  ) {
    guard isSingle else {
      report(
        "MAP-035", "the objects of the value of “\(property.name.value)” cannot be sorted",
        property.sortKeys.first?.value.location ?? location,
        reason: "no property of the objects that it gives can be read",
        remedy: "leave “sortedBy” out, or select the objects with SUBQUERY")
      return
    }
    let isElement = RelationshipValue.path(expression)?.0 == .element
    report(
      "MAP-035",
      "the value of “\(property.name.value)” is one object at most, so nothing can be sorted",
      property.sortKeys.first?.value.location ?? location,
      reason: isElement ? "$element is one element of the list of “forEach”" : nil,
      remedy: "leave “sortedBy” out")
  }

  /// Refuses “sortedBy” beside a value without source objects: it would read what they are sorted by.
  ///
  /// - Returns: whether it was refused.
  @discardableResult
  mutating func refuseSortKeys(
    of property: PropertyMapping, beside value: RelationshipValue
  ) -> Bool {
    guard let key = property.sortKeys.first else { return false }
    let what: String
    let reason: String?
    switch value {
    case .empty:
      (what, reason) = ("nothing", nil)
    case .added(let name, _, _):
      what = "objects that “\(name)” adds"
      reason = "“sortedBy” reads the source object of each, and these are made from none"
    case .destinations, .selected, .sourceObjects, .policyFunction, .unsupported:
      return false
    }
    report(
      "MAP-035", "the value of “\(property.name.value)” is \(what), so nothing can be sorted",
      key.value.location ?? property.name.location, reason: reason,
      remedy: "leave “sortedBy” out")
    return true
  }

  /// The relationships to the objects among which an expression selects some; empty where these are not
  /// simply at the end of a path.
  private func selectedPath(
    _ expression: ValueExpression, from scope: BindingScope
  ) -> [Relationship] {
    guard let (root, names) = RelationshipValue.selectedPath(expression) else { return [] }
    var entity: Entity? = scope.entity
    var path: [Relationship] = []
    for name in (scope.paths[root.name] ?? []) + names {
      guard let step = entity.flatMap({ scope.model.relationship(name, of: $0) }) else { return [] }
      path.append(step)
      entity = scope.model.entity(named: step.destinationEntityName)
    }
    return path
  }

  /// The places of the first value that is equal to an earlier one, and of that one. Nothing leads to
  /// objects without a value.
  private static func firstRepeated(_ values: [Value]) -> (first: Int, second: Int)? {
    var places: [Value: Int] = [:]
    for (place, value) in values.enumerated() where !value.isNull {
      if let first = places.updateValue(place, forKey: value.distinctForm) { return (first, place) }
    }
    return nil
  }

  mutating func added(
    _ name: String, _ key: (attribute: String, value: ValueExpression)?,
    if condition: ObjectPredicate?, _ relationship: Relationship, of sourceEntity: Entity,
    _ scope: BindingScope, at location: SourceLocation?
  ) -> BoundRelationship? {
    guard let mapping = stepMappings[name], mapping.kind == .add else {
      report(
        "MAP-022", "there is no “add” mapping “\(name)” in this step", location,
        remedy: suggestion(
          name, stepMappings.all.filter { $0.kind == .add }.map(\.name.value)))
      return nil
    }
    checkTarget(.mapping(named: name), of: relationship, from: sourceEntity, at: location)
    func bound(_ choice: BoundSelection.Choice) -> BoundRelationship {
      BoundRelationship(
        relationship: relationship, path: [], pathEnd: sourceEntity,
        target: .mapping(named: name), selection: BoundSelection(choice))
    }
    guard let key else {
      guard relationship.isToMany || mapping.addedObjects.count <= 1 else {
        report(
          "MAP-025", "“\(relationship.name)” is to-one, but “\(name)” makes several objects",
          location, remedy: "say which: added('\(name)', 'attribute', value)")
        return nil
      }
      guard let condition else { return bound(.added(count: mapping.addedObjects.count)) }
      // Each of them has the number 1, as the value has where the condition holds.
      let value: ValueExpression = .conditional(
        condition, then: .constant(.integer(1)), otherwise: .constant(.null))
      return bind(value, expecting: .integer64, in: scope, at: location).map {
        bound(.addedBy($0, values: mapping.addedObjects.map { _ in .integer(1) }))
      }
    }
    guard
      let entity = mapping.destinationEntityName.flatMap({ destination.entity(named: $0.value) }),
      let attribute = destination.attribute(key.attribute, of: entity)
    else {
      report(
        "MAP-014", "the objects of “\(name)” have no attribute “\(key.attribute)”", location)
      return nil
    }
    let value = condition.map {
      ValueExpression.conditional($0, then: key.value, otherwise: .constant(.null))
    }
    guard let value = bind(value ?? key.value, expecting: attribute.type, in: scope, at: location)
    else { return nil }
    let values = mapping.addedObjects.map { object -> Value in
      guard let given = object.values.first(where: { $0.name.value == attribute.name }) else {
        return attribute.defaultValue
      }
      return constant(given.value, for: attribute, at: nil) ?? .null
    }
    if !relationship.isToMany, let repeated = Self.firstRepeated(values) {
      let places = "\(repeated.first + 1) and \(repeated.second + 1)"
      report(
        "MAP-025",
        "“\(relationship.name)” is to-one, but “\(name)” makes several objects whose "
          + "“\(attribute.name)” is equal",
        location, reason: "for instance the objects \(places) of its list",
        remedy: "give each another value, choose by another attribute, or leave one of them out")
      return nil
    }
    return bound(.addedBy(value, values: values))
  }
}
