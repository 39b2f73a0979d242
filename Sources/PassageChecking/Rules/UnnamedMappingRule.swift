internal import PassageDiagnostics
internal import PassageProjects

/// Mapping models in the folder that no step names.
enum UnnamedMappingRule: CheckRule {
  static let code = "CHK-014"
  static let level = Diagnostic.Severity.note

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    let named = Set(
      project.project.history.steps.flatMap(\.mappings).map { mapping in
        let file = mapping.value.split(separator: "/").last.map(String.init) ?? mapping.value
        return file.hasSuffix(".json") ? String(file.dropLast(5)) : file
      })
    let folder = project.project.mappingFolder
    return folder.names.filter { !named.contains($0) }.map { name in
      CheckFinding(
        diagnostic(
          "no step of the history names the mapping model “\(name)”",
          at: SourceLocation(file: "\(folder.path)/\(name).json"),
          reason: "a call without --mappings never runs it, and nothing above was checked in it",
          remedy: "name it in a step, or remove it"), about: [.mapping: name])
    }
  }
}
