internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageValues

/// Required attributes that take the values of an optional one as they are.
enum RequiredValueRule: EntityMappingRule {
  static let code = "CHK-015"
  static let level = Diagnostic.Severity.warning

  static func findings(of place: MappingPlace, in project: CheckedProject) -> [CheckFinding] {
    place.mapping.attributes.compactMap { bound in
      guard !bound.attribute.isOptional, bound.fallback == nil, place.mapping.elements == nil,
        place.mapping.mapping.policy == nil, let old = place.copiedAttribute(of: bound),
        old.isOptional, bound.value.keyPaths.allSatisfy(\.relationships.isEmpty),
        letsNilThrough(place.mapping.filter, old)
      else { return nil }
      return CheckFinding(
        diagnostic(
          "“\(bound.attribute.name)” is required, but its source “\(old.name)” may be nil",
          at: place.location(of: bound.attribute.name),
          reason: "the migration fails at the first object without a value",
          remedy: "give a “default”, or filter out the objects with “\(old.name) != nil”"),
        about: place.places(property: bound.attribute.name))
    }
  }

  /// Whether it is certain that the filter takes objects without a value.
  private static func letsNilThrough(_ filter: BoundPredicate?, _ attribute: Attribute) -> Bool {
    guard let filter else { return true }
    return FilterSpace([filter])?.first { answers, sample in
      answers[0]
        && sample.values.allSatisfy { $0.attribute.name != attribute.name || $0.value.isNull }
    } != nil
  }
}
