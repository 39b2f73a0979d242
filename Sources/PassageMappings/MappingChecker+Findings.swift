internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassageValues

extension MappingChecker {
  /// A derived attribute is computed when the store is sealed. If its expression is not understood,
  /// the value is copied if the source derives it in the same way, and is otherwise empty.
  mutating func warnOfDerived(
    _ mapping: EntityMapping, _ sourceEntity: Entity?, _ entity: Entity
  ) {
    for attribute in destination.attributes(of: entity)
    where attribute.derivation != nil && attribute.isStored {
      do throws(DerivationMistake) {
        _ = try destination.derivation(of: attribute, in: entity)
      } catch {
        let same = sourceEntity.flatMap { source.attribute(attribute.name, of: $0) }
        if mapping.policy == nil, same?.derivation == attribute.derivation,
          same?.type == attribute.type
        {
          continue
        }
        report(
          "MAP-029",
          "“\(entity.name).\(attribute.name)” is derived and will have no value in the new objects",
          mapping.name.location, severity: .warning,
          reason: "it cannot be computed here: \(error)")
      }
    }
  }

  /// Warns of a required property without a value. An add mapping without a policy makes no object.
  mutating func warnOfUnmapped(_ mapping: EntityMapping, _ entity: Entity) {
    guard mapping.policy == nil, mapping.kind != .add else { return }
    let mapped = Set(
      (mapping.attributeMappings + mapping.relationshipMappings).map(\.name.value))
    for attribute in destination.attributes(of: entity)
    where attribute.isStored && !attribute.isOptional && attribute.derivation == nil
      && attribute.defaultValue.isNull && !mapped.contains(attribute.name)
    {
      report(
        "MAP-018",
        "“\(entity.name).\(attribute.name)” is required, has no default and is not "
          + "mapped by “\(mapping.name.value)”", mapping.name.location, severity: .warning)
    }
    for relationship in destination.relationships(of: entity)
    where !relationship.isOptional && !relationship.isTransient
      && (!relationship.isToMany || relationship.minimumCount > 0)
      && !mapped.contains(relationship.name)
      && destination.inverse(of: relationship) == nil
    {
      report(
        "MAP-018",
        "“\(entity.name).\(relationship.name)” is required and is not mapped by "
          + "“\(mapping.name.value)”", mapping.name.location, severity: .warning)
    }
  }

  mutating func reportUnknown(
    _ property: PropertyMapping, _ entity: Entity, isRelationship: Bool
  ) {
    let name = property.name.value
    let isOther =
      isRelationship
      ? destination.attribute(name, of: entity) != nil
      : destination.relationship(name, of: entity) != nil
    if isOther {
      report(
        "MAP-015",
        "“\(name)” is \(isRelationship ? "an attribute" : "a relationship") of “\(entity.name)”",
        property.name.location,
        remedy: "move it to “\(isRelationship ? "attributes" : "relationships")”")
    } else {
      report(
        "MAP-014",
        "the destination entity “\(entity.name)” has no "
          + "\(isRelationship ? "relationship" : "attribute") “\(name)”", property.name.location,
        remedy: suggestion(
          name,
          isRelationship
            ? destination.relationships(of: entity).map(\.name)
            : destination.attributes(of: entity).map(\.name)))
    }
  }

  /// What to write for a wrong name; `nil` after many of them.
  mutating func suggestion(_ name: String, _ candidates: [String]) -> String? {
    if candidates.isEmpty { return "it has none" }
    guard similar.allow(candidates.count) else { return nil }
    if let near = nearest(to: name, in: candidates) { return "did you mean “\(near)”?" }
    return "use one of: \(candidates.sorted().prefix(12).joined(separator: ", "))"
  }

  /// What to write for a destination attribute whose name no source attribute has.
  mutating func sourceSuggestion(_ name: String, _ candidates: [String]) -> String {
    let others = "give an expression, or null for the default"
    guard !candidates.isEmpty, similar.allow(candidates.count) else { return others }
    guard let near = nearest(to: name, in: candidates) else {
      let known = candidates.sorted().prefix(12).joined(separator: ", ")
      return "use one of: \(known); or \(others)"
    }
    return "write \"\(name)\": \"$source.\(near)\"; or \(others)"
  }

  mutating func report(
    _ code: String, _ message: String, _ location: SourceLocation?,
    severity: Diagnostic.Severity = .error, reason: String? = nil, remedy: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        code, message, severity: severity, at: location, reason: reason, remedy: remedy))
  }

  /// The expression of a text; `nil` if there are mistakes, which are added.
  mutating func parse(_ text: Located<String>) -> ValueExpression? {
    keep(
      Result { () throws(Diagnostics) in
        try FormatParser.expression(text.value, at: text.location)
      })
  }

  /// The value of a result from the expression language, whose findings are added.
  mutating func keep<Found>(_ result: Result<Found, Diagnostics>) -> Found? {
    switch result {
    case .success(let found):
      return found
    case .failure(let found):
      diagnostics.append(contentsOf: found)
      return nil
    }
  }
}
