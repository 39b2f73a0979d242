internal import PassageDiagnostics
internal import PassageProjects

/// Versions whose only way to the newest needs inferred mapping models.
enum InferredWayRule: CheckRule {
  static let code = "CHK-011"
  static let level = Diagnostic.Severity.note

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    WaysToNewest(project).compactMap { way in
      guard case .inferred(let from, let to) = way.kind else { return nil }
      return CheckFinding(
        diagnostic(
          "version “\(way.version.name.value)” reaches “\(way.newest)” only with --infer",
          at: way.version.name.location,
          reason: "no mapping model leads from “\(from)” to “\(to)”",
          remedy: "write it down, so that it stays as it is: migrate infer prints it"),
        about: [.version: way.version.name.value])
    }
  }
}
