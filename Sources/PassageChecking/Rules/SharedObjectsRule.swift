internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// Entity mappings that divide the objects of an entity among several entities, and take some twice.
enum SharedObjectsRule: CheckRule {
  static let code = "CHK-007"
  static let level = Diagnostic.Severity.note

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.placesByStep.flatMap { places in
      TakenTwice.pairs(of: places).filter {
        $0.first.mapping.destination?.name != $0.second.mapping.destination?.name
          && $0.first.mapping.filter != nil && $0.second.mapping.filter != nil
      }.map { pair in
        CheckFinding(
          diagnostic(
            "the filters of “\(pair.first.mapping.name)” and “\(pair.second.mapping.name)” overlap",
            at: pair.location, reason: pair.reason,
            remedy: "change one of the filters if each object is to be taken once"),
          about: pair.second.places())
      }
    }
  }
}
