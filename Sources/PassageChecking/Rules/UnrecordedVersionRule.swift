internal import PassageDiagnostics
internal import PassageEngine
internal import PassageProjects

/// Versions that a newer one has followed, and of which no hashes are recorded: a change of their
/// model stays unnoticed.
enum UnrecordedVersionRule: CheckRule {
  static let code = "CHK-013"
  static let level = Diagnostic.Severity.note

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.project.history.versions.dropLast().filter { $0.hashes == nil }.map { version in
      CheckFinding(
        diagnostic(
          "nothing records what the model of version “\(version.name.value)” was when it was "
            + "released", at: version.name.location,
          reason: "a later change of the model would not be noticed",
          remedy: ShellText.command(
            ["migrate", "check"] + ShellText.words("--record", version.name.value)
              + places(of: project.project))),
        about: [.version: version.name.value])
    }
  }

  /// The options that name the project's folders, where they are not the usual ones.
  private static func places(of project: Project) -> [String] {
    let folders = [
      ("--migrations", project.migrationsDirectory, "Migrations"),
      ("--mappings-dir", project.mappingsDirectory, "Mappings"),
    ]
    return folders.flatMap { option, path, usual in path == usual ? [] : [option, path] }
  }
}
