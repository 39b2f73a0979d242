internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// Entity mappings that make objects of the same entity from the same objects.
enum DoubledObjectsRule: CheckRule {
  static let code = "CHK-006"
  static let level = Diagnostic.Severity.warning

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.placesByStep.flatMap { places in
      TakenTwice.pairs(of: places).filter {
        $0.first.mapping.destination?.name == $0.second.mapping.destination?.name
      }.map { pair in
        CheckFinding(
          diagnostic(
            "two objects of “\(pair.second.mapping.destination?.name ?? "")” are made of an object "
              + "of “\(pair.second.mapping.source?.name ?? "")”", at: pair.location,
            reason: pair.reason,
            remedy: "change one of the filters so that each object is taken once"),
          about: pair.second.places())
      }
    }
  }
}
