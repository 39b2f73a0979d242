internal import PassageDiagnostics
internal import PassageEngine
internal import PassagePlatform
internal import PassageProjects

/// Versions whose only way to the newest needs inferred mapping models.
enum InferredWayRule: CheckRule {
  static let code = "CHK-011"
  static let level = Diagnostic.Severity.note

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    WaysToNewest(project).compactMap { way in
      guard case .inferred(let steps) = way.kind, let first = steps.first else { return nil }
      let version = way.version.name.value
      let missing = steps.map { "from “\($0.from.value)” to “\($0.to.value)”" }
      return CheckFinding(
        diagnostic(
          "version “\(version)” reaches “\(way.newest)” only with --infer",
          at: way.version.name.location,
          reason: "no step with mapping models leads \(missing.joined(separator: ", "))",
          remedy: remedy(first, hasOthers: steps.count > 1, project.project)),
        about: [.version: version])
    }
  }

  /// What names a mapping model for a step. A model may call itself by another name than the history
  /// does, and the inferred mapping model has that name.
  private static func remedy(
    _ step: History.Step, hasOthers: Bool, _ project: Project
  ) -> String {
    let (from, to) = (step.from.value, step.to.value)
    let name = "\(from)To\(to)".replacingScalar("/", with: "-")
    let others = hasOthers ? ", then do the same for the others" : ""
    let isWritten = project.mappingFolder.names.contains(name)
    guard !isWritten, let source = project.modelPath(of: from),
      let destination = project.modelPath(of: to)
    else {
      return "name the mapping model “\(name)” in a step of the history, with “\(from)” as its "
        + "“source” and “\(to)” as its “destination”\(others)"
    }
    let command = ShellText.command([
      "migrate", "infer", "--from", source, "--to", destination, "--output",
      "\(project.mappingsDirectory)/\(name).json",
    ])
    return "write the inferred mapping model down, give it “\(from)” as its “source” and “\(to)” "
      + "as its “destination”, and name it in a step of the history\(others): \(command)"
  }
}
