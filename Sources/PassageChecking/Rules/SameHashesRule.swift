internal import PassageDiagnostics
internal import PassageModels
internal import PassageProjects

/// Steps with mapping models between versions of equal version hashes: nothing in a store of Core Data's
/// layout tells the two versions apart, so a store of the older one is taken for one of the newer.
enum SameHashesRule: CheckRule {
  static let code = "CHK-016"
  static let level = Diagnostic.Severity.warning

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.steps.compactMap { step in
      let (from, to) = (step.step.from.value, step.step.to.value)
      guard from != to, !step.isInferred, let source = project.project.models[from],
        let destination = project.project.models[to],
        source.versionHashes == destination.versionHashes
      else { return nil }
      return CheckFinding(
        diagnostic(
          "the versions “\(from)” and “\(to)” have the same version hashes",
          at: step.step.from.location,
          reason:
            "a store of “\(from)” is taken for one of “\(to)”, so that the step between them is left "
            + "out for it",
          remedy:
            "give an entity of the newer version a “versionHashModifier”, if it is not released yet"
        ),
        about: [.version: from])
    }
  }
}
