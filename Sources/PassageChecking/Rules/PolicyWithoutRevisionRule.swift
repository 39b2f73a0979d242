internal import PassageDiagnostics
internal import PassageEngine
internal import PassageMappings

/// Policies whose code says nothing about its revision.
enum PolicyWithoutRevisionRule: EntityMappingRule {
  static let code = "CHK-005"
  static let level = Diagnostic.Severity.warning

  static func findings(of place: MappingPlace, in project: CheckedProject) -> [CheckFinding] {
    guard let name = place.mapping.mapping.policy?.name,
      let policy = project.policies[name.value], policy.revision.isEmpty
    else { return [] }
    return [
      CheckFinding(
        diagnostic(
          "the policy “\(name.value)” has no revision", at: name.location,
          reason: "a store cannot record which code made it, and an interrupted pass begins again "
            + "after every build",
          remedy: "add to the policy: static let revision = \"1\""),
        about: place.places())
    ]
  }
}
