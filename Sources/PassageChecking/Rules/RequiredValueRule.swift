internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageValues

/// Required attributes that take the values of an optional one as they are.
enum RequiredValueRule: CheckRule {
  static let code = "CHK-015"
  static let level = Diagnostic.Severity.warning

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.placesByStep.flatMap { places in
      var steps = FilterSpace.stepsOfQuestion
      return places.flatMap { findings(of: $0, steps: &steps) }
    }
  }

  /// - Parameter steps: what is left for trying filters.
  private static func findings(of place: MappingPlace, steps: inout Int) -> [CheckFinding] {
    let copies = place.mapping.attributes.compactMap { bound -> (new: String, old: Attribute)? in
      guard !bound.attribute.isOptional, bound.fallback == nil, place.mapping.elements == nil,
        place.mapping.mapping.policy == nil, let old = place.copiedAttribute(of: bound),
        old.isOptional, bound.value.keyPaths.allSatisfy(\.relationships.isEmpty)
      else { return nil }
      return (bound.attribute.name, old)
    }
    guard !copies.isEmpty, steps >= 0 else { return [] }
    let filter = place.mapping.filter
    let space = filter.flatMap { FilterSpace([$0]) }
    return copies.compactMap { new, old in
      guard filter == nil || letsNilThrough(space, old, steps: &steps) else { return nil }
      return CheckFinding(
        diagnostic(
          "“\(new)” is required, but its source “\(old.name)” may be nil",
          at: place.location(of: new),
          reason: "the migration fails at the first object without a value",
          remedy: "give a “default”, or filter out the objects with “\(old.name) != nil”"),
        about: place.places(property: new))
    }
  }

  /// Whether it is certain that the filter takes objects without a value.
  private static func letsNilThrough(
    _ space: FilterSpace?, _ attribute: Attribute, steps: inout Int
  ) -> Bool {
    space?.first(steps: &steps) { answers, sample in
      answers[0]
        && sample.values.allSatisfy { $0.attribute.name != attribute.name || $0.value.isNull }
    } != nil
  }
}
