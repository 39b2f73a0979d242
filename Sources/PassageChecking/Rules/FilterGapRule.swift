internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// Filters that together leave out objects of an entity.
enum FilterGapRule: CheckRule {
  static let code = "CHK-008"
  static let level = Diagnostic.Severity.warning

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.placesByStep.flatMap { places in
      var steps = FilterSpace.stepsOfQuestion
      return Dictionary(grouping: places.filter { $0.mapping.source != nil }) {
        $0.mapping.source?.name ?? ""
      }
      .sorted { $0.key < $1.key }
      .compactMap { finding($0.key, $0.value, steps: &steps) }
    }
  }

  /// - Parameters:
  ///   - places: every entity mapping that reads the entity, those that remove its objects included:
  ///     they say so.
  ///   - steps: what is left for trying filters.
  private static func finding(
    _ entity: String, _ places: [MappingPlace], steps: inout Int
  ) -> CheckFinding? {
    let filters = places.compactMap(\.mapping.filter)
    guard steps >= 0, filters.count == places.count, let last = places.last,
      let sample = FilterSpace(filters)?.first(
        steps: &steps, where: { answers, _ in !answers.contains(true) })
    else { return nil }
    return CheckFinding(
      diagnostic(
        "no entity mapping takes some objects of “\(entity)”",
        at: last.mapping.mapping.filter?.location,
        reason: "\(sample) is taken by none",
        remedy: "widen a filter, or add an entity mapping of type “remove” for these objects"),
      about: last.places())
  }
}
