internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageProjects

/// Entities that no entity mapping of a step reads. A store with objects of one is refused.
enum UnmappedEntityRule: CheckRule {
  static let code = "CHK-009"
  static let level = Diagnostic.Severity.error

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.steps.filter { !$0.isInferred }.flatMap { step in
      step.planned.flatMap { planned in
        planned.unreadEntities.map { entity in
          let pass = planned.passes.last?.model
          var finding = CheckFinding(
            diagnostic(
              "no entity mapping reads “\(entity)”",
              at: pass?.source.location ?? pass?.file.map { SourceLocation(file: $0) },
              reason: "a store with objects of this entity cannot go from "
                + "“\(planned.source.name)” to “\(planned.destination.name)” (PLN-012)",
              remedy: "map it, or add an entity mapping of type “remove” to drop its objects"),
            about: [.entity: entity])
          finding.places[.mapping] = pass?.name
          return finding
        }
      }
    }
  }
}
