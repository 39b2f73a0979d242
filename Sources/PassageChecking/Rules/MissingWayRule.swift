internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageProjects

/// Versions from which nothing leads to the newest, and steps that lead elsewhere than they say.
enum MissingWayRule: CheckRule {
  static let code = "CHK-010"
  static let level = Diagnostic.Severity.error

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.steps.compactMap { misled($0, project) ?? notInferred($0) }
      + WaysToNewest(project).compactMap { way in
        guard case .none(let why) = way.kind else { return nil }
        return CheckFinding(
          diagnostic(
            "no steps lead from version “\(way.version.name.value)” to “\(way.newest)”",
            at: way.version.name.location, reason: why,
            remedy: "add the missing step with its mapping models: migrate infer --draft proposes "
              + "them"), about: [.version: way.version.name.value])
      }
  }

  private static func misled(
    _ step: CheckedProject.Step, _ project: CheckedProject
  ) -> CheckFinding? {
    guard let first = step.planned.first, let last = step.planned.last,
      let from = project.project.models[step.step.from.value],
      let to = project.project.models[step.step.to.value],
      first.source.versionHashes != from.versionHashes
        || last.destination.versionHashes != to.versionHashes
    else { return nil }
    return CheckFinding(
      diagnostic(
        "the mapping models of the step from “\(from.name)” to “\(to.name)” lead from "
          + "“\(first.source.name)” to “\(last.destination.name)”",
        at: step.step.mappings.first?.location,
        remedy: "name the mapping models of this step, or correct “source” and “destination” in "
          + "them"), about: [.version: from.name])
  }

  private static func notInferred(_ step: CheckedProject.Step) -> CheckFinding? {
    guard let obstacle = step.obstacle else { return nil }
    return CheckFinding(
      diagnostic(
        "the step from “\(step.step.from.value)” to “\(step.step.to.value)” names no mapping "
          + "models, and none can be inferred",
        at: step.step.from.location, reason: obstacle,
        remedy: "write them: migrate infer --draft proposes a mapping model"),
      about: [.version: step.step.from.value])
  }
}
