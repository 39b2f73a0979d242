internal import PassageDiagnostics
internal import PassageEngine
internal import PassageMappings
internal import PassageModels

/// Values of a source entity that no entity mapping of the step reads.
enum UnreadValuesRule: CheckRule {
  static let code = "CHK-001"
  static let level = Diagnostic.Severity.warning

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.placesByStep.flatMap { places -> [CheckFinding] in
      guard let step = places.first?.step else { return [] }
      return UnreadValues(
        of: step, number: 1, policies: project.policies, computed: ComputedNumbers(of: step)
      ).uncounted
        .compactMap { loss in
          guard
            let place = places.first(where: {
              $0.mapping.name == loss.mapping && $0.mapping.source?.name == loss.entity
            })
          else { return nil }
          return CheckFinding(
            diagnostic(
              "no entity mapping reads the values of “\(loss.name)”",
              at: place.mapping.mapping.sourceEntityName?.location,
              reason: "they are lost when the objects are migrated",
              remedy: "map the property, or except it with the reason why it may be lost"),
            about: place.places(property: loss.property))
        }
    }
  }
}
