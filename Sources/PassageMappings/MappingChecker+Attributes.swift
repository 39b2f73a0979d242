internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassageValues

extension MappingChecker {
  mutating func attribute(
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
        "“\(name)” is \(attribute.derivation == nil ? "transient" : "derived")"
          + " and cannot be mapped", property.name.location,
        remedy: "leave it out of the mapping")
      return nil
    }
    // What is counted are objects.
    if property.combination == .count {
      return one(for: attribute, at: property.name.location).map {
        BoundAttribute(attribute: attribute, value: $0)
      }
    }
    guard let (expression, location) = writtenValue(of: property, sourceEntity),
      let value = bind(expression, for: attribute, of: mapping, sourceEntity, at: location)
    else { return nil }
    let fallback = property.fallback.flatMap { text in
      parse(text).flatMap { bind($0, for: attribute, of: mapping, sourceEntity, at: text.location) }
    }
    return BoundAttribute(attribute: attribute, value: value, fallback: fallback)
  }

  /// The written value of an attribute; `nil` if it keeps its default or is a mistake, which is added.
  private mutating func writtenValue(
    of property: PropertyMapping, _ sourceEntity: Entity?
  ) -> (ValueExpression, location: SourceLocation?)? {
    let name = property.name.value
    switch property.source {
    case .leftAtDefault:
      return nil
    case .sameName:
      guard let sourceEntity else {
        report(
          "MAP-016", "“\(name)” has no source property to take its value from",
          property.name.location, reason: "an “add” mapping has no source entity")
        return nil
      }
      guard source.attribute(name, of: sourceEntity) != nil else {
        report(
          "MAP-016", "the source entity “\(sourceEntity.name)” has no attribute “\(name)”",
          property.name.location,
          remedy: sourceSuggestion(name, source.attributes(of: sourceEntity).map(\.name)))
        return nil
      }
      return (.path(.variable("source"), name), property.name.location)
    case .expression(let text):
      return parse(text).map { ($0, text.location) }
    }
  }

  mutating func bind(
    _ expression: ValueExpression, for attribute: Attribute, of mapping: EntityMapping,
    _ sourceEntity: Entity?, at location: SourceLocation?
  ) -> BoundExpression? {
    var scope = valueScope(of: mapping, sourceEntity)
    scope.place = "\(model.name) \(mapping.name.value) \(attribute.name)"
    return bind(expression, expecting: attribute.type, in: scope, at: location)
  }

  mutating func bind(
    _ expression: ValueExpression, expecting type: AttributeType?, in scope: BindingScope,
    at location: SourceLocation?
  ) -> BoundExpression? {
    let bound = keep(
      Result { () throws(Diagnostics) in
        try Binder.expression(expression, in: scope, expecting: type, at: location)
      })
    if let warnings = bound?.warnings { diagnostics.append(contentsOf: warnings) }
    return bound
  }

  /// The meaning of names in the values of a mapping.
  func valueScope(of mapping: EntityMapping, _ sourceEntity: Entity?) -> BindingScope {
    let selectors = mapping.policy.flatMap { policies[$0.name.value]?.functions } ?? [:]
    var scope = BindingScope.value(
      model: elements?.model ?? source,
      entity: elements?.entity ?? sourceEntity ?? Entity(name: ""), policyFunctions: selectors)
    scope.functions = functions
    if elements != nil { scope.paths = BoundElements.paths }
    return scoped(scope)
  }
}
